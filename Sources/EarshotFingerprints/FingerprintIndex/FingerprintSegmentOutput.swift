import EarshotCatalogs
import EarshotCore

/// Lays the sections of a segment out one behind the other without holding them; the header is put in front at the end.
struct FingerprintSegmentOutput {
    private typealias Format = FingerprintSegmentFormat

    /// Bytes that are handed on at once.
    private static let pieceSize = 1 << 20
    private static let tableEnd = Format.headerSize + Format.Section.allCases.count * Format.sectionEntrySize

    private let sink: any SegmentSink
    private var spans: [FingerprintSegmentFormat.Section: FingerprintSegmentFormat.Span] = [:]
    private var held = ByteWriter(reservingCapacity: pieceSize + 4096)
    /// Bytes that were handed on.
    private var written = 0
    private var crc = CRC32C()

    init(_ sink: any SegmentSink) throws(EarshotError) {
        self.sink = sink
        held.write(contentsOf: repeatElement(0, count: Self.tableEnd + 8))
        try flush()
    }

    /// Bytes so far.
    var count: Int { written + held.bytes.count }

    /// Begins a section; ``end(_:)`` ends it.
    mutating func begin(_ section: FingerprintSegmentFormat.Section) throws(EarshotError) {
        try flush()
        crc = CRC32C()
        spans[section] = FingerprintSegmentFormat.Span(offset: written)
    }

    /// Appends to the section that has begun.
    mutating func write(_ body: (inout ByteWriter) -> Void) throws(EarshotError) {
        body(&held)
        if held.bytes.count >= Self.pieceSize { try flush() }
    }

    /// Appends bytes to the section that has begun.
    mutating func write(_ bytes: UnsafeRawBufferPointer) throws(EarshotError) {
        held.write(contentsOf: bytes)
        if held.bytes.count >= Self.pieceSize { try flush() }
    }

    mutating func end(_ section: FingerprintSegmentFormat.Section) throws(EarshotError) {
        try flush()
        guard let start = spans[section]?.offset else { return }
        spans[section] = FingerprintSegmentFormat.Span(offset: start, count: written - start, checksum: crc.value)
        held.write(contentsOf: repeatElement(0, count: (8 - written % 8) % 8))
    }

    /// A section of numbers.
    mutating func write<Number: FixedWidthInteger>(
        _ section: FingerprintSegmentFormat.Section,
        _ numbers: [Number]
    ) throws(EarshotError) {
        try begin(section)
        for start in stride(from: 0, to: numbers.count, by: Self.pieceSize / 8) {
            try write { writer in
                for number in numbers[start..<min(numbers.count, start + Self.pieceSize / 8)] { writer.write(number) }
            }
        }
        try end(section)
    }

    private mutating func flush() throws(EarshotError) {
        guard !held.bytes.isEmpty else { return }
        held.bytes.withUnsafeBytes { crc.update($0) }
        try sink.write(held.bytes)
        written += held.bytes.count
        held = ByteWriter(reservingCapacity: Self.pieceSize + 4096)
    }

    /// Writes the header. Nothing can be appended after this.
    mutating func finish(
        algorithm: FileFingerprint.Algorithm,
        documentCount: Int,
        postingCount: Int,
        valueCount: Int
    ) throws(EarshotError) {
        try flush()
        var header = ByteWriter(reservingCapacity: Self.tableEnd + 8)
        header.write(contentsOf: Format.magic)
        header.write(Format.majorVersion)
        header.write(Format.minorVersion)
        header.write(UInt32(algorithm.rawValue))
        header.write(FingerprintTerms.scheme)
        header.write(UInt32(documentCount))
        header.write(UInt64(written))
        header.write(UInt64(postingCount))
        header.write(UInt64(valueCount))
        header.write(UInt32(Format.step))
        header.write(UInt32(spans.count))
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
