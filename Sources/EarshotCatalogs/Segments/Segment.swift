import EarshotCore
import EarshotSegments
import EarshotSignatures
import Synchronization

/// References and their index, laid out for reading in place.
///
/// Opening checks the header and the shape of every section, so that later reads stay inside; the content of a section
/// is looked at when it is needed and never trusted: a damaged catalog may answer wrongly, but it cannot make a read go
/// astray. ``verify(name:)`` checks all of it.
final class Segment: Sendable {
    /// The fields of a reference's fixed record.
    struct Record: Sendable {
        var firstFrame: Int
        var frameCount: Int
        var duration: MediaTime
        var directoryCount: Int
        var landmarkOffset: Int
        /// Bytes of directory and landmarks.
        var landmarkSize: Int
        var infoOffset: Int
        var infoCount: Int
        var contentDigest: UInt64
        /// Bytes of dense bits, which stand behind the landmarks; 0 when there are none.
        var bitSize: Int

        var frames: Range<Int> { firstFrame..<firstFrame + frameCount }
    }

    let bytes: MappedBytes
    let limits: QueryLimits
    let referenceCount: Int
    let frameCount: Int
    let postingCount: Int
    /// The version of the content: equal for equal content.
    let version: String
    let records: [Record]
    /// `true` if references have dense bits.
    let hasBits: Bool
    let blockCount: Int
    /// Bits of a unit of the timeline in a posting.
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
    ///   - name: The name of the segment in errors.
    /// - Throws: `catalogInvalid`.
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
            // The number of postings may be any: no sum of it, which could overflow.
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

    /// The name of a reference; `nil` if it is damaged.
    func id(_ number: Int) -> ReferenceID? {
        var reader = infoReader(number)
        return reader.readText().map { ReferenceID($0) }
    }

    /// The media items of a reference; `nil` if they are damaged.
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

    /// A complete reference; `nil` if it is damaged.
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

    /// The references by the keys that their media items have; read from all of them at the first call for a type of keys.
    func directory<Key: MediaItemDirectoryKey>(of type: Key.Type) -> MediaItemDirectory {
        directories.withLock { held in
            if let directory = held[ObjectIdentifier(type)] { return directory }
            let made = MediaItemDirectory(self, of: type)
            held[ObjectIdentifier(type)] = made
            return made
        }
    }

    /// The bytes of the file that hold a reference's name and media items.
    func infoRange(_ number: Int) -> Range<Int> {
        let start = (sections[.info]?.offset ?? 0) + records[number].infoOffset
        return start..<start + records[number].infoCount
    }

    /// The bytes of the file that hold a reference's landmarks and, behind them, its dense bits.
    func landmarkRange(_ number: Int) -> Range<Int> {
        let start = landmarkSpan.offset + records[number].landmarkOffset
        return start..<start + records[number].landmarkSize + records[number].bitSize
    }

    /// The offsets of a reference's dense bits in the file; empty if it has none.
    func bitRange(_ number: Int) -> Range<Int> {
        let end = landmarkRange(number).upperBound
        return end - records[number].bitSize..<end
    }

    /// Bytes of the file that lead to references.
    var indexSize: Int { keySpan.count + bucketSpan.count + offsetSpan.count + postingSpan.count }

    /// The bytes of the file that hold a reference's fixed record.
    func recordRange(_ number: Int) -> Range<Int> {
        let start = (sections[.references]?.offset ?? 0) + number * SegmentFormat.referenceSize
        return start..<start + SegmentFormat.referenceSize
    }

    /// The number of the reference of a name.
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

    /// Checks every byte against its checksum.
    ///
    /// - Throws: `catalogInvalid` with the damaged part.
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

    /// Checks every byte against its checksum and every reference against the rules of the format.
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
