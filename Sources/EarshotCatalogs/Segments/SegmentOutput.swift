package import EarshotCore
import EarshotSignatures

/// Where the bytes of a segment go: a file, or memory.
package protocol SegmentSink: AnyObject {
    func write(_ bytes: [UInt8]) throws(EarshotError)

    /// Puts bytes in the place of some that were written before.
    func overwrite(_ bytes: [UInt8], at offset: Int) throws(EarshotError)
}

extension AtomicFile: SegmentSink {}

/// A segment in memory.
package final class SegmentMemory: SegmentSink {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package func write(_ bytes: [UInt8]) { self.bytes += bytes }

    package func overwrite(_ bytes: [UInt8], at offset: Int) {
        self.bytes.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
}

/// Lays the sections of a segment out one behind the other without holding them: each goes on as it comes, and the header,
/// which has their places and checksums, is put in front at the end.
struct SegmentOutput {
    /// Bytes that are handed on at once.
    private static let pieceSize = 1 << 20
    private static let tableEnd =
        SegmentFormat.headerSize + SegmentFormat.Section.allCases.count * SegmentFormat.sectionEntrySize

    private let sink: any SegmentSink
    private var spans: [SegmentFormat.Section: Segment.Span] = [:]
    private var held: [UInt8] = []
    /// Bytes so far, those held among them.
    private var count = 0
    private var crc = CRC32C()

    init(_ sink: any SegmentSink) throws(EarshotError) {
        self.sink = sink
        held.reserveCapacity(Self.pieceSize)
        try append([UInt8](repeating: 0, count: Self.tableEnd + 8))
    }

    /// A section whose bytes come in parts. Sections are written in order of their numbers.
    ///
    /// - Parameter body: Appends the parts.
    mutating func write(
        _ section: SegmentFormat.Section,
        _ body: (inout SegmentOutput) throws(EarshotError) -> Void
    ) throws(EarshotError) {
        crc = CRC32C()
        let start = count
        try body(&self)
        spans[section] = Segment.Span(offset: start, count: count - start, checksum: crc.value)
        try append([UInt8](repeating: 0, count: (8 - count % 8) % 8))
    }

    /// A section whose bytes are there.
    mutating func write(_ section: SegmentFormat.Section, _ content: [UInt8]) throws(EarshotError) {
        try write(section) { output throws(EarshotError) in try output.append(content) }
    }

    mutating func append(_ bytes: [UInt8]) throws(EarshotError) {
        bytes.withUnsafeBytes { hold($0) }
        if held.count >= Self.pieceSize { try flush() }
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(EarshotError) {
        hold(bytes)
        if held.count >= Self.pieceSize { try flush() }
    }

    private mutating func hold(_ bytes: UnsafeRawBufferPointer) {
        crc.update(bytes)
        held.append(contentsOf: bytes)
        count += bytes.count
    }

    private mutating func flush() throws(EarshotError) {
        try sink.write(held)
        held.removeAll(keepingCapacity: true)
    }

    // MARK: - Index

    /// Leaves room for what leads to the postings, which is known when they are written only.
    mutating func reserveIndex(postingCount: Int) throws(EarshotError) {
        let blocks = (postingCount + PostingCode.blockSize - 1) / PostingCode.blockSize
        let buckets = 1 << SegmentFormat.bucketBits(blockCount: blocks) + 1
        for (section, numbers) in [(.keys, blocks), (.buckets, buckets), (.offsets, blocks + 1)]
            as [(SegmentFormat.Section, Int)]
        {
            try write(section) { output throws(EarshotError) in
                let zeros = [UInt8](repeating: 0, count: Self.pieceSize)
                var rest = numbers * 4
                while rest > 0 {
                    let part = min(rest, zeros.count)
                    try output.append(part == zeros.count ? zeros : Array(zeros[..<part]))
                    rest -= part
                }
            }
        }
    }

    /// Fills the room that ``reserveIndex(postingCount:)`` has left.
    mutating func fillIndex(blockKeys: [UInt32], offsets: [UInt32]) throws(EarshotError) {
        try flush()
        try fill(.keys, blockKeys)
        try fill(.buckets, Self.buckets(of: blockKeys))
        try fill(.offsets, offsets)
    }

    private mutating func fill(_ section: SegmentFormat.Section, _ numbers: [UInt32]) throws(EarshotError) {
        guard var span = spans[section], span.count == numbers.count * 4 else {
            throw EarshotError(.internalError, "The index does not have the size that was kept for it.")
        }
        var crc = CRC32C()
        let step = Self.pieceSize / 4
        for start in stride(from: 0, to: numbers.count, by: step) {
            var writer = ByteWriter(reservingCapacity: Self.pieceSize)
            for number in numbers[start..<min(numbers.count, start + step)] { writer.write(number) }
            writer.bytes.withUnsafeBytes { crc.update($0) }
            try sink.overwrite(writer.bytes, at: span.offset + start * 4)
        }
        span.checksum = crc.value
        spans[section] = span
    }

    private static func buckets(of blockKeys: [UInt32]) -> [UInt32] {
        let bits = SegmentFormat.bucketBits(blockCount: blockKeys.count)
        var starts = [UInt32](repeating: 0, count: 1 << bits + 1)
        for key in blockKeys { starts[Int(key >> UInt32(LandmarkKey.bits - bits)) + 1] += 1 }
        for index in 1..<starts.count { starts[index] += starts[index - 1] }
        return starts
    }

    // MARK: - Header

    /// Writes the header. Nothing can be appended after this.
    mutating func finish(
        referenceCount: Int,
        frameCount: Int,
        postingCount: Int,
        limits: Catalog.QueryLimits
    ) throws(EarshotError) {
        try flush()
        var header = ByteWriter(reservingCapacity: Self.tableEnd + 8)
        header.write(contentsOf: SegmentFormat.magic)
        header.write(SegmentFormat.majorVersion)
        header.write(SegmentFormat.minorVersion)
        header.write(SignatureConfiguration.standard.id)
        header.write(LandmarkKey.scheme)
        header.write(UInt32(referenceCount))
        header.write(UInt64(count))
        header.write(UInt32(frameCount))
        header.write(UInt32(limits.minimumMilliseconds))
        header.write(UInt32(limits.maximumMilliseconds))
        header.write(UInt32(spans.count))
        header.write(UInt64(postingCount))
        header.write(UInt64(0))
        for (section, span) in spans.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            header.write(section.rawValue)
            header.write(span.checksum)
            header.write(UInt64(span.offset))
            header.write(UInt64(span.count))
        }
        header.write(CRC32C.checksum(header.bytes))
        header.write(UInt32(0))
        try sink.overwrite(header.bytes, at: 0)
    }
}
