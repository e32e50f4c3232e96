import EarshotCore
import EarshotSegments
import EarshotSignatures

/// Lays references out as the bytes of a segment. The same references in the same order give the same bytes.
enum SegmentWriter {
    /// Returns the bytes of a segment.
    ///
    /// - Throws: `catalogInvalid` if a limit of the format is exceeded; the message says which.
    static func image(of references: [Reference], limits: QueryLimits) throws(EarshotError) -> [UInt8] {
        guard references.count <= SegmentFormat.maximumReferences else { throw tooManyReferences }
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
            let bits = reference.signature.bits?.bytes ?? []
            records.write(UInt64(bits.count))
            landmarks.write(contentsOf: directory)
            landmarks.write(contentsOf: blocks)
            landmarks.write(contentsOf: bits)
            placed.append((reference.signature.landmarks, frame))
            frame = SegmentFormat.firstFrame(behind: frame + frames)
            guard frame < Int(UInt32.max) else { throw tooLong }
        }
        landmarks.write(contentsOf: repeatElement(0, count: LandmarkBlocks.padding))
        let index = try IndexBuilder(placed, frameCount: frame)
        var names = ByteWriter()
        for number in references.indices.sorted(by: { references[$0].id < references[$1].id }) {
            names.write(UInt32(number))
        }
        let memory = SegmentMemory()
        var output = try SectionWriter(segment: memory)
        for (section, content) in [
            (.references, records.bytes), (.info, info.bytes), (.landmarks, landmarks.bytes), (.names, names.bytes),
        ] as [(SegmentFormat.Section, [UInt8])] {
            try output.write(section, content)
        }
        try output.reserveIndex(postingCount: index.postingCount)
        try output.write(SegmentFormat.Section.postings, index.postings)
        try output.fillIndex(blockKeys: index.blockKeys, offsets: index.offsets)
        try output.finish(
            referenceCount: references.count,
            frameCount: frame,
            postingCount: index.postingCount,
            hasBits: references.contains { $0.signature.bits?.rows.isEmpty == false },
            limits: limits
        )
        return memory.bytes
    }

    static let tooManyReferences = EarshotError(
        .catalogInvalid,
        "A catalog holds at most 10,000,000 references: split it."
    )
    static let tooLong = EarshotError(
        .catalogInvalid,
        "The references last more than 19,000 hours together: split them into several catalogs."
    )

    /// Returns the number of frames that a reference takes on the timeline.
    static func frameCount(of signature: Signature) -> Int {
        let steps = signature.duration.converted(
            toTimescale: Int32(Landmark.stepsPerSecond),
            rounding: .towardPositiveInfinity
        )
        let last = Int64(signature.landmarks.last?.time ?? 0)
        return Int(max(steps.value, last)) / Landmark.stepsPerFrame + 1
    }

    /// Returns the numbers of frames that a reference of a duration may take. Its last landmark may lie a little beyond
    /// its end.
    static func frameCounts(for duration: MediaTime) -> ClosedRange<Int> {
        let steps = duration.converted(toTimescale: Int32(Landmark.stepsPerSecond), rounding: .towardPositiveInfinity)
        return Int(steps.value) / Landmark.stepsPerFrame + 1...(Int(steps.value) + Signature.overhang)
            / Landmark.stepsPerFrame + 1
    }
}
