import EarshotCore
import EarshotSegments
import EarshotSignatures
import TestSupport

@testable import EarshotCatalogs

/// The bytes of a catalog file, taken apart by the words of the format page and put together again, so that a test can
/// change a part and the file around it still fits.
struct CatalogImage {
    /// The fixed part of the header.
    var header: [UInt8]
    /// The content of each section, by its number.
    var sections: [Int: [UInt8]] = [:]

    init(_ bytes: [UInt8]) {
        header = Array(bytes[..<64])
        for index in 0..<Self.number(bytes, 44, 4) {
            let at = 64 + index * 24
            let (offset, count) = (Self.number(bytes, at + 8, 8), Self.number(bytes, at + 16, 8))
            sections[Self.number(bytes, at, 4)] = Array(bytes[offset..<offset + count])
        }
    }

    /// The file: lengths, places and checksums fit.
    var bytes: [UInt8] {
        var table = ByteWriter()
        var body = ByteWriter()
        let start = 64 + sections.count * 24 + 8
        for (number, content) in sections.sorted(by: { $0.key < $1.key }) {
            table.write(UInt32(number))
            table.write(CRC32C.checksum(content))
            table.write(UInt64(start + body.bytes.count))
            table.write(UInt64(content.count))
            body.write(contentsOf: content)
            body.pad(to: 8)
        }
        var file = ByteWriter()
        file.write(contentsOf: header[..<24])
        file.write(UInt64(start + body.bytes.count))
        file.write(contentsOf: header[32..<44])
        file.write(UInt32(sections.count))
        file.write(contentsOf: header[48...])
        file.write(contentsOf: table.bytes)
        file.write(CRC32C.checksum(file.bytes))
        file.write(UInt32(0))
        file.write(contentsOf: body.bytes)
        return file.bytes
    }

    var segment: Segment {
        get throws { try Segment(MappedBytes(bytes), name: "test") }
    }

    var frameCount: Int { Self.number(header, 32, 4) }

    var postingCount: Int {
        get { Self.number(header, 48, 8) }
        set { for index in 0..<8 { header[48 + index] = UInt8(truncatingIfNeeded: newValue >> (index * 8)) } }
    }

    /// A section as numbers of four bytes.
    func numbers(_ section: Int) -> [Int] {
        let content = sections[section] ?? []
        return (0..<content.count / 4).map { Self.number(content, $0 * 4, 4) }
    }

    mutating func setNumbers(_ numbers: [Int], section: Int) {
        sections[section] = numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
    }

    static func number(_ bytes: [UInt8], _ at: Int, _ size: Int) -> Int {
        (0..<size).reduce(0) { $0 | Int(bytes[at + $1]) << ($1 * 8) }
    }
}

extension CatalogImage {
    /// A catalog of signatures that are named by their numbers.
    init(of signatures: [Signature]) throws {
        let references = signatures.enumerated().map { number, signature in
            Reference(id: ReferenceID("\(number)"), signature: signature.thinned(to: Reference.density), items: [])
        }
        self.init(try SegmentWriter.image(of: references, limits: .standard))
    }

    /// The example of the format page.
    static func ofFormatPage() throws -> CatalogImage {
        let places: [(UInt32, UInt16, UInt8)] = [
            (0, 960, 0), (20, 976, 0), (50, 928, 1), (100, 1_000, 2), (140, 960, 3), (600, 960, 0), (620, 976, 0),
            (650, 928, 1),
        ]
        let landmarks = places.map { Landmark(time: $0.0, frequency: $0.1, tier: $0.2) }
        let duration = MediaTime(value: 2, timescale: 1)
        return try CatalogImage(
            of: [Signature(configuration: .standard, duration: duration, landmarks: landmarks)]
        )
    }

    /// Audio with nothing in it but one landmark, which makes no posting: room on the timeline.
    static func room(steps: Int) -> Signature {
        Signature(
            configuration: .standard,
            duration: MediaTime(value: Int64(steps), timescale: 500),
            landmarks: [Landmark(time: 0, frequency: 0, tier: 0)]
        )
    }

    /// Puts an index of any postings in the place of the one that is there. They must be in order of key and unit.
    mutating func index(_ postings: [Posting]) throws {
        var writer = PostingWriter(frameCount: frameCount, reserving: postings.count)
        for posting in postings { try writer.append(key: posting.key, unit: posting.unit) }
        sections[8] = try writer.finish()
        setNumbers(writer.blockKeys.map(Int.init), section: 5)
        setNumbers(writer.offsets.map(Int.init), section: 7)
        var bits = 0
        while writer.blockKeys.count >> bits > 4 { bits += 1 }
        let leading = writer.blockKeys.map { Int($0) >> (30 - bits) }
        setNumbers((0...1 << bits).map { bucket in leading.count { $0 < bucket } }, section: 6)
        postingCount = writer.postingCount
    }
}

/// A key and where it occurs.
struct Posting: Hashable, Comparable {
    var key: UInt32
    var unit: UInt32

    static func < (left: Posting, right: Posting) -> Bool { (left.key, left.unit) < (right.key, right.unit) }
}
