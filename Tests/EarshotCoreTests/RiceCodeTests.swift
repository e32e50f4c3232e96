import EarshotCore
import TestSupport
import Testing

@Suite("Rice's code")
struct RiceCodeTests {
    /// Numbers of any size, small ones as often as large ones, with parameters.
    private func numbers(_ generator: inout SeededGenerator) -> [(number: UInt32, parameter: Int)] {
        (0..<Int.random(in: 1...200, using: &generator)).map { _ in
            let shift = UInt32.random(in: 0..<32, using: &generator)
            return (
                UInt32.random(in: 0...UInt32.max >> shift, using: &generator),
                Int.random(in: 0...24, using: &generator)
            )
        }
    }

    @Test("a number takes the bits that are counted for it")
    func cost() {
        property("cost", rounds: 300) { generator in
            let numbers = numbers(&generator)
            var writer = BitWriter(reservingCapacity: 8)
            for (number, parameter) in numbers { writer.writeRice(number, parameter: parameter) }
            let bits = numbers.reduce(0) { $0 + RiceCode.cost($1.number, parameter: $1.parameter) }
            writer.align()
            return writer.bytes.count == (bits + 7) / 8
        }
    }

    @Test("numbers are read as they were written, and no more of them")
    func reading() {
        property("read", rounds: 300) { generator in
            let numbers = numbers(&generator)
            var writer = BitWriter(reservingCapacity: 8)
            for (number, parameter) in numbers { writer.writeRice(number, parameter: parameter) }
            writer.align()
            var reader = BitReader([9] + writer.bytes)
            guard reader.read(8) == 9 else { return false }
            for (number, parameter) in numbers {
                guard !reader.isAtEnd || number == 0, reader.readRice(parameter) == number else { return false }
            }
            return reader.isAtEnd && reader.read(9) == nil
        }
    }

    @Test("what is cut short, or written longer than it need be, is no number")
    func refused() {
        var writer = BitWriter(reservingCapacity: 8)
        writer.writeRice(1 << 30, parameter: 2)
        for count in 0..<writer.bytes.count {
            var reader = BitReader(writer.bytes.prefix(count))
            #expect(reader.readRice(2) == nil)
        }
        // 24 zeros and the number 5, which three zeros, a one and two bits would say.
        var long = BitReader([0, 0, 0, 5, 0, 0, 0])
        #expect(long.readRice(0) == nil)
        var zeros = BitReader([0, 0])
        #expect(zeros.readRice(0) == nil)
        // A one where the last byte has to be zeros.
        var ragged = BitReader([0b101])
        #expect(ragged.readRice(0) == 0 && !ragged.isAtEnd)
    }
}

extension BitReader {
    fileprivate init(_ bytes: [UInt8]) { self.init(bytes[...]) }
}
