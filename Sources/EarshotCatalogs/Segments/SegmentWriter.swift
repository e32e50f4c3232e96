import EarshotCore
import EarshotSignatures

/// Lays references out as the bytes of a segment. The same references in the same order give the same bytes.
enum SegmentWriter {
    /// - Throws: `catalogInvalid` when a limit of the format is exceeded; the message says which.
    static func image(of references: [Reference], limits: Catalog.QueryLimits) throws(EarshotError) -> [UInt8] {
        guard references.count <= SegmentFormat.maximumReferences else {
            throw EarshotError(.catalogInvalid, "A catalog holds at most 10,000,000 references: split it.")
        }
        var records = ByteWriter(reservingCapacity: references.count * SegmentFormat.referenceSize)
        var info = ByteWriter()
        var landmarks = ByteWriter()
        var placed: [(landmarks: [Landmark], firstFrame: Int)] = []
        var frame = 0
        for reference in references {
            let (directory, blocks) = LandmarkBlocks.pack(reference.signature.landmarks)
            let infoStart = info.bytes.count
            info.write(text: reference.id.rawValue)
            info.writeVariable(UInt64(reference.items.count))
            for item in reference.items { item.encode(to: &info) }
            let frames = frameCount(of: reference.signature)
            records.write(UInt32(frame))
            records.write(UInt32(frames))
            records.write(reference.signature.duration.value)
            records.write(reference.signature.duration.timescale)
            records.write(UInt32(directory.count))
            records.write(UInt64(landmarks.bytes.count))
            records.write(UInt64(infoStart))
            records.write(UInt32(directory.count + blocks.count))
            records.write(UInt32(info.bytes.count - infoStart))
            records.write(reference.contentDigest)
            records.write(UInt64(0))
            landmarks.write(contentsOf: directory)
            landmarks.write(contentsOf: blocks)
            placed.append((reference.signature.landmarks, frame))
            frame += frames + SegmentFormat.padding
            guard frame < Int(UInt32.max) else {
                throw EarshotError(
                    .catalogInvalid,
                    "The references last more than 19,000 hours together: split them into several catalogs."
                )
            }
        }
        landmarks.write(contentsOf: repeatElement(0, count: LandmarkBlocks.padding))
        let index = try IndexBuilder(placed, frameCount: frame)
        var names = ByteWriter()
        for number in references.indices.sorted(by: { references[$0].id < references[$1].id }) {
            names.write(UInt32(number))
        }
        return assemble(
            [
                (.references, records.bytes), (.info, info.bytes), (.landmarks, landmarks.bytes),
                (.names, names.bytes), (.keys, bytes(index.blockKeys)),
                (.buckets, bytes(buckets(of: index.blockKeys))),
                (.offsets, bytes(index.offsets)), (.postings, index.postings),
            ],
            referenceCount: references.count,
            frameCount: frame,
            postingCount: index.postingCount,
            limits: limits
        )
    }

    /// Frames that a reference takes on the timeline.
    static func frameCount(of signature: Signature) -> Int {
        let steps = signature.duration.converted(
            toTimescale: Int32(Landmark.stepsPerSecond),
            rounding: .towardPositiveInfinity
        )
        let last = Int64(signature.landmarks.last?.time ?? 0)
        return Int(max(steps.value, last)) / Landmark.stepsPerFrame + 1
    }

    /// Frames that a reference of a duration may take: its last landmark may lie a little behind its end.
    static func frameCounts(for duration: MediaTime) -> ClosedRange<Int> {
        let steps = duration.converted(toTimescale: Int32(Landmark.stepsPerSecond), rounding: .towardPositiveInfinity)
        return Int(steps.value) / Landmark.stepsPerFrame + 1...(Int(steps.value) + Signature.overhang)
            / Landmark.stepsPerFrame + 1
    }

    private static func buckets(of blockKeys: [UInt32]) -> [UInt32] {
        let bits = SegmentFormat.bucketBits(blockCount: blockKeys.count)
        var starts = [UInt32](repeating: 0, count: 1 << bits + 1)
        for key in blockKeys { starts[Int(key >> UInt32(LandmarkKey.bits - bits)) + 1] += 1 }
        for index in 1..<starts.count { starts[index] += starts[index - 1] }
        return starts
    }

    private static func bytes(_ numbers: [UInt32]) -> [UInt8] {
        var writer = ByteWriter(reservingCapacity: numbers.count * 4)
        for number in numbers { writer.write(number) }
        return writer.bytes
    }

    private static func assemble(
        _ sections: [(SegmentFormat.Section, [UInt8])],
        referenceCount: Int,
        frameCount: Int,
        postingCount: Int,
        limits: Catalog.QueryLimits
    ) -> [UInt8] {
        var offset = SegmentFormat.headerSize + sections.count * SegmentFormat.sectionEntrySize + 8
        var table = ByteWriter()
        var body = ByteWriter()
        for (section, content) in sections {
            table.write(section.rawValue)
            table.write(CRC32C.checksum(content))
            table.write(UInt64(offset + body.bytes.count))
            table.write(UInt64(content.count))
            body.write(contentsOf: content)
            body.pad(to: 8)
        }
        offset += body.bytes.count
        var header = ByteWriter(reservingCapacity: offset)
        header.write(contentsOf: SegmentFormat.magic)
        header.write(SegmentFormat.majorVersion)
        header.write(SegmentFormat.minorVersion)
        header.write(SignatureConfiguration.standard.id)
        header.write(LandmarkKey.scheme)
        header.write(UInt32(referenceCount))
        header.write(UInt64(offset))
        header.write(UInt32(frameCount))
        header.write(UInt32(limits.minimumMilliseconds))
        header.write(UInt32(limits.maximumMilliseconds))
        header.write(UInt32(sections.count))
        header.write(UInt64(postingCount))
        header.write(UInt64(0))
        header.write(contentsOf: table.bytes)
        header.write(CRC32C.checksum(header.bytes))
        header.write(UInt32(0))
        header.write(contentsOf: body.bytes)
        return header.bytes
    }
}
