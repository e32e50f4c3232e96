import EarshotCore
import Foundation
import TestSupport
import Testing

@testable import EarshotSegments

@Suite("Frames of segments and manifests")
struct FrameTests {
    private enum Section: UInt32, CaseIterable {
        case first = 1
        case second = 2
        case numbers = 7
    }

    private static let layout = SectionLayout(
        magic: Array("TESTSEGM".utf8),
        majorVersion: 1,
        minorVersion: 2,
        countOffset: 40,
        alignment: 8
    )

    private func finish(_ writer: inout SectionWriter) throws(EarshotError) {
        try writer.finish { header, length, sectionCount in
            header.write(contentsOf: Self.layout.magic)
            header.write(Self.layout.majorVersion)
            header.write(Self.layout.minorVersion)
            header.write(contentsOf: repeatElement(0, count: 12))
            header.write(length)
            header.write(UInt64(0))
            header.write(sectionCount)
            header.write(contentsOf: repeatElement(0, count: 20))
        }
    }

    private func image(_ first: [UInt8], _ numbers: [UInt32]) throws -> [UInt8] {
        let memory = SegmentMemory()
        var writer = try SectionWriter(memory, sectionCount: Section.allCases.count)
        try writer.reserve(Section.numbers, byteCount: numbers.count * 4)
        try writer.write(Section.first) { writer throws(EarshotError) in
            for part in stride(from: 0, to: first.count, by: 1_000) {
                try writer.append(Array(first[part..<min(first.count, part + 1_000)]))
            }
        }
        try writer.write(Section.second, numbers)
        try writer.fill(Section.numbers, numbers)
        try finish(&writer)
        return memory.bytes
    }

    /// Puts a fitting checksum behind the table.
    private func sealed(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let front = 64 + 24 * Section.allCases.count
        let checksum = CRC32C.checksum(Array(bytes[..<front]))
        withUnsafeBytes(of: checksum.littleEndian) { bytes.replaceSubrange(front..<front + 4, with: $0) }
        return bytes
    }

    private func damage(_ bytes: [UInt8]) -> FormatDamage? {
        do {
            _ = try SectionTable(MappedBytes(bytes), layout: Self.layout).spans(of: Section.self)
            return nil
        } catch {
            return error
        }
    }

    @Test("What is written in parts is read back with checksums that fit, at multiples of eight bytes")
    func roundTrip() {
        property("sections", rounds: 20) { generator in
            // Beyond a chunk now and then.
            let count = Int.random(in: 0...1_500_000, using: &generator)
            let first = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let numbers = (0..<Int.random(in: 0...300_000, using: &generator)).map { UInt32($0 &* 7) }
            let bytes = MappedBytes(try image(first, numbers))
            let spans = try SectionTable(bytes, layout: Self.layout).spans(of: Section.self)
            let content = numbers.flatMap { number in withUnsafeBytes(of: number.littleEndian) { Array($0) } }
            return spans.values.allSatisfy { $0.offset % 8 == 0 && bytes.checksum(of: $0.range) == $0.checksum }
                && spans[.first].map { bytes.array($0.range) } == first
                && spans[.second].map { bytes.array($0.range) } == content
                && spans[.numbers].map { bytes.array($0.range) } == content
        }
    }

    @Test("Every damaged byte of header and table is noticed, and every shortened file")
    func damaged() throws {
        let bytes = try image([1, 2, 3], [4, 5])
        #expect(damage(bytes) == nil)
        for index in 0..<64 + 24 * Section.allCases.count + 4 {
            var wrong = bytes
            wrong[index] ^= 1
            // The minor version says nothing a reader must know, but is covered by the checksum.
            #expect(damage(wrong) != nil, "byte \(index)")
        }
        for count in 0..<bytes.count { #expect(damage(Array(bytes[..<count])) != nil, "\(count) bytes") }
    }

    @Test("Each kind of damage is told apart")
    func kinds() throws {
        let bytes = try image([1, 2, 3], [4, 5])
        func changed(_ index: Int, _ value: UInt8) -> [UInt8] {
            var bytes = bytes
            bytes[index] = value
            return bytes
        }
        #expect(damage([]) == .foreign)
        #expect(damage(changed(0, 0)) == .foreign)
        #expect(damage(changed(8, 9)) == .version(major: 9, minor: 2))
        #expect(damage(Array(bytes[..<40])) == .truncated)
        #expect(damage(Array(bytes.dropLast())) == .length)
        #expect(damage(changed(40, 65)) == .length)
        #expect(damage(changed(20, 1)) == .checksum)
        // The table: number, checksum, offset and length of each section.
        #expect(damage(sealed(changed(64 + 8, 1))) == .misplacedSection)
        #expect(damage(sealed(changed(64 + 15, 0xFF))) == .misplacedSection)
        #expect(damage(sealed(changed(64 + 23, 0xFF))) == .misplacedSection)
        #expect(damage(sealed(changed(64, 2))) == .repeatedSection)
        #expect(damage(sealed(changed(64, 9))) == .missingSection)
    }

    @Test(
        "A section cannot be filled with another number of bytes than were reserved",
        .requirements("R-CC-109")
    )
    func wrongFill() throws {
        var writer = try SectionWriter(SegmentMemory(), sectionCount: 1)
        try writer.reserve(Section.numbers, byteCount: 8)
        #expect(code { try writer.fill(Section.numbers, [1]) } == .internalError)
        var short = try SectionWriter(SegmentMemory(), sectionCount: 2)
        try short.write(Section.first, [1] as [UInt8])
        #expect(code { try finish(&short) } == .internalError)
    }

    // MARK: - Manifests

    private static let withLength = ManifestLayout(
        magic: Array("TESTMANI".utf8),
        majorVersion: 3,
        minorVersion: 1,
        hasLength: true,
        minimumSize: 24
    )
    private static let withoutLength = ManifestLayout(
        magic: Array("TESTMANI".utf8),
        majorVersion: 3,
        minorVersion: 1,
        hasLength: false,
        minimumSize: 20
    )

    @Test("A manifest comes back as it was written; truncated or damaged it is refused", arguments: [true, false])
    func manifest(hasLength: Bool) throws {
        let layout = hasLength ? Self.withLength : Self.withoutLength
        let bytes = layout.bytes(around: [1, 2, 3, 4])
        #expect(bytes.count == (hasLength ? 24 : 20))
        var reader = try layout.content(of: bytes)
        #expect(reader.read(count: 4).map { Array($0) } == [1, 2, 3, 4])
        #expect(reader.remaining == 0)
        for count in 0..<bytes.count {
            #expect(throws: FormatDamage.self) { try layout.content(of: Array(bytes[..<count])) }
        }
        for index in bytes.indices {
            var wrong = bytes
            wrong[index] ^= 0x10
            #expect(throws: FormatDamage.self) { try layout.content(of: wrong) }
        }
        var newer = bytes
        newer[8] = 4
        #expect(throws: FormatDamage.version(major: 4, minor: 1)) { try layout.content(of: newer) }
        #expect(throws: FormatDamage.length) {
            try Self.withLength.content(of: Self.withLength.bytes(around: [0, 0, 0, 0]) + [0])
        }
    }

    // MARK: - Mapped files

    @Test("A mapped file has the bytes of the file, and each reason against mapping is told apart")
    func mapping() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("file")
            #expect(throws: MappedBytes.Failure.unreadable) { try MappedBytes(contentsOf: url) }
            #expect(throws: MappedBytes.Failure.folder) { try MappedBytes(contentsOf: folder) }
            try Data().write(to: url)
            #expect(throws: MappedBytes.Failure.empty) { try MappedBytes(contentsOf: url) }
            #expect(throws: MappedBytes.Failure.special) {
                try MappedBytes(contentsOf: URL(fileURLWithPath: "/dev/null"))
            }
            try Data([1, 2, 3, 4, 5, 6, 7, 8, 9]).write(to: url)
            let bytes = try MappedBytes(contentsOf: url)
            #expect(bytes.count == 9)
            #expect(bytes.load(UInt32.self, at: 1) == 0x0504_0302)
            #expect(bytes.load(Int64.self, at: 1) == 0x0908_0706_0504_0302)
            #expect(bytes.array(7..<20) == [8, 9])
            bytes.release()
            #expect(bytes.array(0..<2) == [1, 2])
            #expect(bytes.checksum(of: 0..<9) == CRC32C.checksum([1, 2, 3, 4, 5, 6, 7, 8, 9]))
        }
    }

    @Test("Names of files have a prefix, at least so many digits, and a suffix")
    func names() {
        let name = StoreFileName(prefix: "segment-", suffix: ".earcat", digits: 12)
        #expect(name(7) == "segment-000000000007.earcat")
        #expect(name(1_234_567_890_123) == "segment-1234567890123.earcat")
        #expect(name.matches("segment-1.earcat") && !name.matches("segment-1.earcat.bak"))
        #expect(StoreFileName(suffix: ".earprints")(12) == "12.earprints")
    }
}
