import EarshotCore
import TestSupport
import Testing

@Suite("Bytes: check sums, readers, writers")
struct BytesTests {
    @Test("Published vectors of CRC-32C (RFC 3720, B.4)")
    func publishedVectors() {
        #expect(CRC32C.checksum([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
        #expect(CRC32C.checksum([UInt8](repeating: 0xFF, count: 32)) == 0x62A8_AB43)
        #expect(CRC32C.checksum([UInt8](0..<32)) == 0x46DD_794E)
        #expect(CRC32C.checksum([UInt8]((0..<32).reversed())) == 0x113F_DB5C)
        #expect(CRC32C.checksum([UInt8]("123456789".utf8)) == 0xE306_9283)
        #expect(CRC32C.checksum([]) == 0)
    }

    @Test("Any split of the bytes gives the same check sum")
    func splits() {
        property("splits") { generator in
            let bytes = generator.bytes(upTo: 200)
            let whole = CRC32C.checksum(bytes)
            var crc = CRC32C()
            var start = 0
            while start < bytes.count {
                let end = Int.random(in: start...bytes.count, using: &generator)
                bytes.withUnsafeBytes { crc.update(.init(rebasing: $0[start..<end])) }
                start = end
            }
            return crc.value == whole
        }
    }

    @Test("One flipped bit always shows")
    func flippedBit() {
        property("flipped bit") { generator in
            var bytes = generator.bytes(upTo: 200) + [0]
            let whole = CRC32C.checksum(bytes)
            bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            return CRC32C.checksum(bytes) != whole
        }
    }

    @Test("What was written is read again")
    func roundTrip() {
        property("round trip") { generator in
            let fields = (0..<Int.random(in: 0...20, using: &generator)).map { _ in Field.random(using: &generator) }
            var writer = ByteWriter()
            for field in fields { field.write(to: &writer) }
            var reader = ByteReader(writer.bytes)
            return fields.allSatisfy { $0.isNext(in: &reader) } && reader.remaining == 0
        }
    }

    @Test("Cut short anywhere, the reader says so and stays where it was")
    func truncated() {
        property("truncated", rounds: 200) { generator in
            let field = Field.random(using: &generator)
            var writer = ByteWriter()
            field.write(to: &writer)
            return (0..<writer.bytes.count).allSatisfy { length in
                var reader = ByteReader(Array(writer.bytes.prefix(length)))
                return !field.isNext(in: &reader) && reader.offset == 0
            }
        }
    }

    @Test("Rubbish is read or refused, never more")
    func rubbish() {
        property("rubbish", rounds: 2000) { generator in
            let bytes = generator.bytes(upTo: 64)
            var reader = ByteReader(bytes)
            for _ in 0..<20 {
                let before = reader.offset
                let understood: Bool
                switch Int.random(in: 0..<6, using: &generator) {
                case 0: understood = reader.read(UInt8.self) != nil
                case 1: understood = reader.read(UInt64.self) != nil
                case 2: understood = reader.read(count: Int.random(in: Int.min...Int.max, using: &generator)) != nil
                case 3: understood = reader.readText() != nil
                default: understood = reader.readVariable() != nil
                }
                guard understood || reader.offset == before else { return false }
                guard reader.offset <= bytes.count, reader.remaining == bytes.count - reader.offset else {
                    return false
                }
            }
            return true
        }
    }

    @Test("A number in groups of seven bits has one form only")
    func variableNumbers() {
        func read(_ bytes: [UInt8]) -> UInt64? {
            var reader = ByteReader(bytes)
            return reader.readVariable()
        }
        #expect(read([0x00]) == 0)
        #expect(read([0x7F]) == 127)
        #expect(read([0x80, 0x01]) == 128)
        #expect(read([UInt8](repeating: 0xFF, count: 9) + [0x01]) == .max)
        // More bits than a number has.
        #expect(read([UInt8](repeating: 0xFF, count: 9) + [0x02]) == nil)
        #expect(read([UInt8](repeating: 0xFF, count: 9) + [0x81, 0x00]) == nil)
        #expect(read([UInt8](repeating: 0x80, count: 40)) == nil)
        // More groups than it needs.
        #expect(read([0x80, 0x00]) == nil)
        #expect(read([0xFF, 0x80, 0x00]) == nil)
        // No end.
        #expect(read([]) == nil)
        #expect(read([0x80]) == nil)
    }

    @Test("Text that is no text, or longer than the file, is refused")
    func text() {
        func read(_ bytes: [UInt8]) -> String? {
            var reader = ByteReader(bytes)
            return reader.readText()
        }
        #expect(read([2, 0x68, 0x69]) == "hi")
        #expect(read([0]) == "")
        #expect(read([2, 0xC3, 0x28]) == nil)
        #expect(read([3, 0x68, 0x69]) == nil)
        #expect(read([UInt8](repeating: 0xFF, count: 9) + [0x01, 0x68]) == nil)
    }

    @Test("Numbers are little-endian, and padding is zeros")
    func layout() {
        var writer = ByteWriter(reservingCapacity: 16)
        writer.write(UInt32(0x0102_0304))
        writer.write(Int16(-2))
        writer.pad(to: 8)
        writer.pad(to: 8)
        #expect(writer.bytes == [4, 3, 2, 1, 0xFE, 0xFF, 0, 0])
    }
}

/// One thing that a writer writes and a reader reads.
private enum Field {
    case byte(UInt8)
    case word(Int16)
    case number(UInt32)
    case long(Int64)
    case variable(UInt64)
    case text(String)
    case run([UInt8])

    static func random(using generator: inout SeededGenerator) -> Field {
        switch Int.random(in: 0..<7, using: &generator) {
        case 0: .byte(UInt8(truncatingIfNeeded: generator.next()))
        case 1: .word(Int16(truncatingIfNeeded: generator.next()))
        case 2: .number(UInt32(truncatingIfNeeded: generator.next()))
        case 3: .long(Int64(truncatingIfNeeded: generator.next()))
        case 4: .variable(generator.next() >> UInt64.random(in: 0...63, using: &generator))
        case 5:
            .text(
                String(
                    (0..<Int.random(in: 0..<20, using: &generator)).map { _ in
                        "aé漢🎵\u{301}".randomElement(using: &generator) ?? "a"
                    }
                )
            )
        default: .run(generator.bytes(upTo: 30) + [1])
        }
    }

    func write(to writer: inout ByteWriter) {
        switch self {
        case .byte(let value): writer.write(value)
        case .word(let value): writer.write(value)
        case .number(let value): writer.write(value)
        case .long(let value): writer.write(value)
        case .variable(let value): writer.writeVariable(value)
        case .text(let value): writer.write(text: value)
        case .run(let value): writer.write(contentsOf: value)
        }
    }

    func isNext(in reader: inout ByteReader) -> Bool {
        switch self {
        case .byte(let value): reader.read() == value
        case .word(let value): reader.read() == value
        case .number(let value): reader.read() == value
        case .long(let value): reader.read() == value
        case .variable(let value): reader.readVariable() == value
        case .text(let value): reader.readText().map { $0.utf8.elementsEqual(value.utf8) } ?? false
        case .run(let value): reader.read(count: value.count).map { $0.elementsEqual(value) } ?? false
        }
    }
}

extension SeededGenerator {
    fileprivate mutating func bytes(upTo count: Int) -> [UInt8] {
        (0..<Int.random(in: 0...count, using: &self)).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
