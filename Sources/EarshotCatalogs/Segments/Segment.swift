import EarshotCore
import EarshotSegments
import EarshotSignatures
import Synchronization

/// References and their index, laid out for reading in place.
///
/// Opening checks the header and the shape of every section, so that later reads stay in bounds. The content of a
/// section is checked when it is read. A damaged catalog may give wrong results, but no read leaves the file.
/// ``verify(name:)`` checks all content.
final class Segment: Sendable {
    /// The fields of a reference's fixed record.
    struct Record: Sendable {
        var firstFrame: Int
        var frameCount: Int
        var duration: MediaTime
        var directoryCount: Int
        var landmarkOffset: Int
        /// The size of directory and landmarks, in bytes.
        var landmarkSize: Int
        var infoOffset: Int
        var infoCount: Int
        var contentDigest: UInt64
        /// The size of the dense bits, in bytes, which follow the landmarks; 0 if there are none.
        var bitSize: Int

        var frames: Range<Int> { firstFrame..<firstFrame + frameCount }
    }

    let bytes: MappedBytes
    let limits: QueryLimits
    let referenceCount: Int
    let frameCount: Int
    let postingCount: Int
    /// The version of the content, a checksum. Equal content has equal versions.
    let version: String
    let records: [Record]
    /// `true` if a reference has dense bits.
    let hasBits: Bool
    let blockCount: Int
    /// The number of bits of a unit of the timeline in a posting.
    let unitBits: Int
    let bucketBits: Int
    private let sections: [SegmentFormat.Section: SectionSpan]
    let landmarkSpan: SectionSpan
    let keySpan: SectionSpan
    let bucketSpan: SectionSpan
    let offsetSpan: SectionSpan
    let postingSpan: SectionSpan
    private let directories = Mutex<[ObjectIdentifier: MediaItemDirectory]>([:])

    /// Opens a segment.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - name: The name of the segment for errors.
    /// - Throws: `catalogInvalid` if it is no catalog, was made by another version, or is damaged.
    init(_ bytes: MappedBytes, name: String) throws(EarshotError) {
        let header = try SegmentHeader(bytes, name: name)
        self.bytes = bytes
        limits = header.limits
        referenceCount = header.referenceCount
        frameCount = header.frameCount
        postingCount = header.postingCount
        version = String(header.checksum, radix: 16)
        sections = header.sections
        func span(_ section: SegmentFormat.Section) -> SectionSpan { header.sections[section] ?? SectionSpan() }
        landmarkSpan = span(.landmarks)
        keySpan = span(.keys)
        bucketSpan = span(.buckets)
        offsetSpan = span(.offsets)
        postingSpan = span(.postings)
        blockCount = keySpan.count / 4
        unitBits = PostingCode.unitBits(frameCount: frameCount)
        bucketBits = SegmentFormat.bucketBits(blockCount: blockCount)
        guard span(.references).count == referenceCount * SegmentFormat.referenceSize,
            span(.names).count == referenceCount * 4, keySpan.count == blockCount * 4,
            offsetSpan.count == (blockCount + 1) * 4, bucketSpan.count == (1 << bucketBits + 1) * 4,
            // The number of postings may be any, so it is compared without a sum that could overflow.
            postingCount <= blockCount * PostingCode.blockSize,
            postingCount > (blockCount - 1) * PostingCode.blockSize,
            postingSpan.count >= PostingCode.padding, landmarkSpan.count >= LandmarkBlocks.padding
        else {
            throw EarshotError(.catalogInvalid, "\(name) is damaged: its parts do not fit together. Make it again.")
        }
        records = try Self.readRecords(
            bytes,
            at: span(.references).offset,
            count: referenceCount,
            frameCount: frameCount,
            infoCount: span(.info).count,
            landmarkCount: landmarkSpan.count - LandmarkBlocks.padding,
            name: name
        )
        hasBits = records.contains { $0.bitSize > 0 }
    }

    private static func readRecords(
        _ bytes: MappedBytes,
        at start: Int,
        count: Int,
        frameCount: Int,
        infoCount: Int,
        landmarkCount: Int,
        name: String
    ) throws(EarshotError) -> [Record] {
        var records: [Record] = []
        records.reserveCapacity(count)
        var nextFrame = 0
        for index in 0..<count {
            let at = start + index * SegmentFormat.referenceSize
            let record = Record(
                firstFrame: Int(bytes.load(UInt32.self, at: at)),
                frameCount: Int(bytes.load(UInt32.self, at: at + 4)),
                duration: MediaTime(
                    value: bytes.load(Int64.self, at: at + 8),
                    timescale: bytes.load(Int32.self, at: at + 16)
                ),
                directoryCount: Int(bytes.load(UInt32.self, at: at + 20)),
                landmarkOffset: Int(truncatingIfNeeded: bytes.load(UInt64.self, at: at + 24)),
                landmarkSize: Int(bytes.load(UInt32.self, at: at + 40)),
                infoOffset: Int(truncatingIfNeeded: bytes.load(UInt64.self, at: at + 32)),
                infoCount: Int(bytes.load(UInt32.self, at: at + 44)),
                contentDigest: bytes.load(UInt64.self, at: at + 48),
                bitSize: Int(bytes.load(UInt32.self, at: at + 56))
            )
            guard record.firstFrame == nextFrame, record.duration.isNumeric, record.duration >= .zero,
                record.duration <= Signature.maximumDuration,
                SegmentWriter.frameCounts(for: record.duration).contains(record.frameCount),
                record.directoryCount <= record.landmarkSize, record.bitSize.isMultiple(of: DenseBits.rowSize),
                record.landmarkOffset >= 0,
                record.landmarkOffset <= landmarkCount - record.landmarkSize - record.bitSize,
                record.infoOffset >= 0, record.infoOffset <= infoCount - record.infoCount
            else {
                throw EarshotError(
                    .catalogInvalid,
                    "\(name) is damaged: the record of reference \(index + 1) does not fit into the file. Make it again."
                )
            }
            nextFrame = SegmentFormat.firstFrame(behind: record.frames.upperBound)
            records.append(record)
        }
        guard nextFrame == frameCount else {
            throw EarshotError(
                .catalogInvalid,
                "\(name) is damaged: its timeline does not fit together. Make it again."
            )
        }
        return records
    }

    // MARK: - References

    /// Returns the name of a reference; `nil` if it is damaged.
    func id(_ number: Int) -> ReferenceID? {
        var reader = infoReader(number)
        return reader.readText().map { ReferenceID($0) }
    }

    /// Returns the media items of a reference; `nil` if they are damaged.
    func items(_ number: Int) -> [MediaItem]? {
        var reader = infoReader(number)
        guard reader.readText() != nil, let count = reader.readVariable(), count <= UInt64(reader.remaining) else {
            return nil
        }
        var items: [MediaItem] = []
        for _ in 0..<count {
            guard let item = MediaItem.decode(from: &reader) else { return nil }
            items.append(item)
        }
        return reader.remaining == 0 ? items : nil
    }

    /// Returns a complete reference; `nil` if it is damaged.
    func reference(_ number: Int) -> Reference? {
        guard let id = id(number), let items = items(number) else { return nil }
        let record = records[number]
        let start = landmarkSpan.offset + record.landmarkOffset
        guard
            let landmarks = LandmarkBlocks.unpack(
                bytes.base,
                at: start..<start + record.landmarkSize,
                directoryCount: record.directoryCount
            ),
            Int(landmarks.last?.time ?? 0) < record.frameCount * Landmark.stepsPerFrame
        else { return nil }
        let bits = record.bitSize > 0 ? DenseBits(bytes: bytes.array(bitRange(number))) : nil
        let signature = Signature(configuration: .standard, duration: record.duration, landmarks: landmarks, bits: bits)
        return Reference(id: id, signature: signature, items: items)
    }

    private func infoReader(_ number: Int) -> ByteReader {
        ByteReader(bytes.array(infoRange(number)))
    }

    /// Returns the references by the keys of their media items. The first call for a type of keys reads the items of
    /// all references.
    func directory<Key: MediaItemDirectoryKey>(of type: Key.Type) -> MediaItemDirectory {
        directories.withLock { held in
            if let directory = held[ObjectIdentifier(type)] { return directory }
            let made = MediaItemDirectory(self, of: type)
            held[ObjectIdentifier(type)] = made
            return made
        }
    }

    /// Returns the range of the file with a reference's name and media items.
    func infoRange(_ number: Int) -> Range<Int> {
        let start = (sections[.info]?.offset ?? 0) + records[number].infoOffset
        return start..<start + records[number].infoCount
    }

    /// Returns the range of the file with a reference's landmarks and the dense bits after them.
    func landmarkRange(_ number: Int) -> Range<Int> {
        let start = landmarkSpan.offset + records[number].landmarkOffset
        return start..<start + records[number].landmarkSize + records[number].bitSize
    }

    /// Returns the range of the file with a reference's dense bits; empty if it has none.
    func bitRange(_ number: Int) -> Range<Int> {
        let end = landmarkRange(number).upperBound
        return end - records[number].bitSize..<end
    }

    /// The size of the sections with the index, in bytes.
    var indexSize: Int { keySpan.count + bucketSpan.count + offsetSpan.count + postingSpan.count }

    /// Returns the range of the file with a reference's fixed record.
    func recordRange(_ number: Int) -> Range<Int> {
        let start = (sections[.references]?.offset ?? 0) + number * SegmentFormat.referenceSize
        return start..<start + SegmentFormat.referenceSize
    }

    /// Returns the number of the reference with a name; `nil` if there is none.
    func number(of id: ReferenceID) -> Int? {
        let names = sections[.names]?.offset ?? 0
        var (low, high) = (0, referenceCount)
        while low < high {
            let middle = (low + high) / 2
            let number = Int(bytes.load(UInt32.self, at: names + middle * 4))
            guard number < referenceCount, let other = self.id(number) else { return nil }
            if other == id { return number }
            if other < id { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    // MARK: - Checks

    /// Compares every byte with its checksum.
    ///
    /// - Throws: `catalogInvalid` with the damaged section.
    func verifyChecksums(name: String) throws(EarshotError) {
        for (section, span) in sections.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            guard bytes.checksum(of: span.range) == span.checksum else {
                throw EarshotError(
                    .catalogInvalid,
                    "\(name) is damaged: the checksum of its \(section) does not fit. Make it again."
                )
            }
        }
    }

    /// Compares every byte with its checksum, and checks every reference by the rules of the format.
    ///
    /// - Throws: `catalogInvalid` with the damaged part.
    func verify(name: String) throws(EarshotError) {
        try verifyChecksums(name: name)
        var before: ReferenceID?
        for position in 0..<referenceCount {
            let number = Int(bytes.load(UInt32.self, at: (sections[.names]?.offset ?? 0) + position * 4))
            guard number < referenceCount, let reference = reference(number),
                before.map({ $0 < reference.id }) ?? true,
                SegmentWriter.frameCount(of: reference.signature) == records[number].frameCount,
                reference.contentDigest == records[number].contentDigest
            else {
                throw EarshotError(
                    .catalogInvalid,
                    "\(name) is damaged: reference \(position + 1) in order of name breaks the format. Make it again."
                )
            }
            before = reference.id
        }
    }
}
