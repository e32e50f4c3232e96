package import EarshotCore

/// Writes the sections of a segment one after the other without holding them. The header, which has their places and
/// checksums, is written at the end.
package struct SectionWriter {
    /// Bytes that are handed on at once.
    package static let chunkSize = 1 << 20

    private let sink: any SegmentSink
    private let sectionCount: Int
    /// The places of sections by their numbers.
    private var spans: [UInt32: SectionSpan] = [:]
    package private(set) var held = ByteWriter(reservingCapacity: chunkSize + 4_096)
    /// Bytes that were handed on.
    private var written = 0
    /// The checksum of the section that has begun, up to a place in the bytes held.
    private var crc = CRC32C()
    private var checkedCount = 0

    /// A writer that leaves room for the header of a number of sections.
    package init(_ sink: any SegmentSink, sectionCount: Int) throws(EarshotError) {
        (self.sink, self.sectionCount) = (sink, sectionCount)
        held.write(contentsOf: repeatElement(0, count: SectionLayout.frontSize(sectionCount: sectionCount)))
    }

    /// Bytes so far.
    private var count: Int { written + held.bytes.count }

    // MARK: - Sections

    /// Begins a section; ``end(_:)`` ends it.
    package mutating func begin(_ section: some RawRepresentable<UInt32>) {
        check()
        crc = CRC32C()
        spans[section.rawValue] = SectionSpan(offset: count)
    }

    /// Ends the section that was begun, and fills up to a multiple of eight bytes.
    package mutating func end(_ section: some RawRepresentable<UInt32>) throws(EarshotError) {
        check()
        guard let start = spans[section.rawValue]?.offset else { return }
        spans[section.rawValue] = SectionSpan(offset: start, count: count - start, checksum: crc.value)
        held.write(contentsOf: repeatElement(0, count: (8 - count % 8) % 8))
        try flushWhenFull()
    }

    /// Writes a section whose bytes come in parts.
    ///
    /// - Parameter body: Appends the parts.
    package mutating func write(
        _ section: some RawRepresentable<UInt32>,
        _ body: (inout SectionWriter) throws(EarshotError) -> Void
    ) throws(EarshotError) {
        begin(section)
        try body(&self)
        try end(section)
    }

    /// Writes a section that is there as a whole.
    package mutating func write(
        _ section: some RawRepresentable<UInt32>,
        _ content: [UInt8]
    ) throws(EarshotError) {
        try write(section) { writer throws(EarshotError) in try writer.append(content) }
    }

    /// Writes a section of numbers.
    package mutating func write<Number: FixedWidthInteger>(
        _ section: some RawRepresentable<UInt32>,
        _ numbers: [Number]
    ) throws(EarshotError) {
        begin(section)
        for start in stride(from: 0, to: numbers.count, by: Self.chunkSize / 8) {
            for number in numbers[start..<min(numbers.count, start + Self.chunkSize / 8)] { held.write(number) }
            try flushWhenFull()
        }
        try end(section)
    }

    // MARK: - Parts of a section

    package mutating func append(_ bytes: [UInt8]) throws(EarshotError) {
        held.write(contentsOf: bytes)
        try flushWhenFull()
    }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) throws(EarshotError) {
        held.write(contentsOf: bytes)
        try flushWhenFull()
    }

    /// Appends what `body` writes, which should be less than ``chunkSize``.
    // Inlinable: merges call this for every term.
    @inlinable package mutating func append(_ body: (inout ByteWriter) -> Void) throws(EarshotError) {
        body(&held)
        try flushWhenFull()
    }

    @usableFromInline package mutating func flushWhenFull() throws(EarshotError) {
        if held.bytes.count >= Self.chunkSize { try flush() }
    }

    /// Takes the bytes held into the checksum.
    private mutating func check() {
        held.bytes.withUnsafeBytes { crc.update(UnsafeRawBufferPointer(rebasing: $0[checkedCount...])) }
        checkedCount = held.bytes.count
    }

    private mutating func flush() throws(EarshotError) {
        guard !held.bytes.isEmpty else { return }
        check()
        try sink.write(held.bytes)
        written += held.bytes.count
        held = ByteWriter(reservingCapacity: Self.chunkSize + 4_096)
        checkedCount = 0
    }

    // MARK: - Sections filled later

    /// Leaves room for a section whose content is known later only; ``fill(_:_:)`` fills it.
    package mutating func reserve(_ section: some RawRepresentable<UInt32>, byteCount: Int) throws(EarshotError) {
        begin(section)
        var rest = byteCount
        while rest > 0 {
            let part = min(rest, Self.chunkSize)
            held.write(contentsOf: repeatElement(0, count: part))
            try flushWhenFull()
            rest -= part
        }
        try end(section)
    }

    /// Fills a section that ``reserve(_:byteCount:)`` has left room for.
    package mutating func fill(_ section: some RawRepresentable<UInt32>, _ numbers: [UInt32]) throws(EarshotError) {
        guard var span = spans[section.rawValue], span.count == numbers.count * 4 else {
            throw EarshotError(
                .internalError,
                "The index does not have the size that was reserved for it: please report this."
            )
        }
        try flush()
        var crc = CRC32C()
        let step = Self.chunkSize / 4
        for start in stride(from: 0, to: numbers.count, by: step) {
            var writer = ByteWriter(reservingCapacity: Self.chunkSize)
            for number in numbers[start..<min(numbers.count, start + step)] { writer.write(number) }
            writer.bytes.withUnsafeBytes { crc.update($0) }
            try sink.overwrite(writer.bytes, at: span.offset + start * 4)
        }
        span.checksum = crc.value
        spans[section.rawValue] = span
    }

    // MARK: - Header

    /// Writes header and table. Nothing can be appended after this.
    ///
    /// - Parameter header: Writes the header from the length of the file and the number of sections.
    package mutating func finish(
        _ header: (_ writer: inout ByteWriter, _ length: UInt64, _ sectionCount: UInt32) -> Void
    ) throws(EarshotError) {
        try flush()
        guard spans.count == sectionCount else {
            throw EarshotError(
                .internalError,
                "A segment has another number of sections than was declared: please report this."
            )
        }
        var writer = ByteWriter(reservingCapacity: SectionLayout.frontSize(sectionCount: sectionCount))
        header(&writer, UInt64(written), UInt32(sectionCount))
        precondition(writer.bytes.count == SectionLayout.headerSize, "a header has 64 bytes")
        for (section, span) in spans.sorted(by: { $0.key < $1.key }) {
            writer.write(section)
            writer.write(span.checksum)
            writer.write(UInt64(span.offset))
            writer.write(UInt64(span.count))
        }
        writer.write(CRC32C.checksum(writer.bytes))
        writer.write(UInt32(0))
        try sink.overwrite(writer.bytes, at: 0)
    }
}
