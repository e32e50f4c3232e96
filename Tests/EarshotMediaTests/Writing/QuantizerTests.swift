import EarshotCore
import Foundation
import TestSupport
import Testing

@testable import EarshotMedia

@Suite("Fewer bits")
struct QuantizerTests {
    @Test("without noise it is rounded, clipped, and silence for what is no number", .requirements("R-MR-028"))
    func rounded() {
        var quantizer = Quantizer(bits: 16, dithers: false)
        let source: [Float] = [0, 0.5, -0.5, 1, -1, 1.5, -1.5, .nan, .infinity, 1.4 / 32_768, -1.6 / 32_768]
        let result = quantizer.quantize(.float32(source), significantBits: 64).map { $0 >> 16 }
        #expect(result == [0, 16_384, -16_384, 32_767, -32_768, 32_767, -32_768, 0, 32_767, 1, -2])
    }

    @Test("samples that have no more bits than wanted stay as they are", arguments: [8, 16, 24, 32])
    func kept(_ bits: Int) {
        var quantizer = Quantizer(bits: bits, dithers: true)
        let source = (0..<500).map { Int32(truncatingIfNeeded: $0 &* 0x9E37_79B9) & ~((Int32(1) << (32 - bits)) - 1) }
        #expect(quantizer.quantize(.int32(source), significantBits: bits) == source)
    }

    @Test(
        "noise is triangular, two steps wide, of no mean, and the same each time; without it two runs are the same",
        .requirements("R-MR-029")
    )
    func triangular() {
        let count = 400_000
        // Between two steps, where rounding alone would give one value.
        let source = SampleBuffer.float64([Double](repeating: 100.25 / 32_768, count: count))
        func run(_ dithers: Bool) -> [Int32] {
            var quantizer = Quantizer(bits: 16, dithers: dithers)
            return quantizer.quantize(source, significantBits: 64).map { $0 >> 16 }
        }
        #expect(run(true) == run(true))
        #expect(run(false) == [Int32](repeating: 100, count: count))
        let values = run(true)
        // Chance of each step: the triangle of width 2 around 100.25, over the step's own width.
        func area(_ x: Double) -> Double {
            x <= -1 ? 0 : x >= 1 ? 1 : x < 0 ? (x + 1) * (x + 1) / 2 : 1 - (1 - x) * (1 - x) / 2
        }
        for step in 98...102 {
            let expected = area(Double(step) + 0.5 - 100.25) - area(Double(step) - 0.5 - 100.25)
            let found = Double(values.count { Int($0) == step }) / Double(count)
            #expect(abs(found - expected) < 0.003, "\(step): \(found), \(expected)")
        }
        let mean = values.reduce(0.0) { $0 + Double($1) } / Double(count)
        #expect(abs(mean - 100.25) < 0.005)
    }

    @Test("bytes lie as the layout says", arguments: [false, true])
    func bytes(_ isBigEndian: Bool) throws {
        let samples = SampleBuffer.int32([0x1234_5600, -0x1234_5600])
        let expected: [Int: [UInt8]] = [
            8: [0x12, 0xEE], 16: [0x12, 0x34, 0xED, 0xCC], 24: [0x12, 0x34, 0x56, 0xED, 0xCB, 0xAA],
            32: [0x12, 0x34, 0x56, 0x00, 0xED, 0xCB, 0xAA, 0x00],
        ]
        for (bits, big) in expected.sorted(by: { $0.key < $1.key }) {
            let layout = try PCMLayout(bits: bits, isBigEndian: isBigEndian)
            var packer = PCMPacker(layout, isUnsigned: false, significantBits: 32, dithers: false)
            let bytes = packer.bytes(samples)
            let size = bits / 8
            let ordered = isBigEndian ? big : (0..<2).flatMap { Array(big[$0 * size..<$0 * size + size].reversed()) }
            #expect(bytes == ordered, "\(bits) bits")
        }
        var unsigned = PCMPacker(try PCMLayout(bits: 8), isUnsigned: true, significantBits: 32, dithers: false)
        #expect(unsigned.bytes(samples) == [0x92, 0x6E])
        var doubles = PCMPacker(
            try PCMLayout(bits: 64, isFloat: true, isBigEndian: isBigEndian),
            isUnsigned: false,
            significantBits: 64,
            dithers: false
        )
        let one: [UInt8] = [0x3F, 0xF0, 0, 0, 0, 0, 0, 0]
        #expect(doubles.bytes(.float32([1])) == (isBigEndian ? one : one.reversed()))
        #expect(throws: EarshotError.self) { try PCMLayout(bits: 12) }
    }

    @Test("channels that are kept apart come one after the other")
    func planes() throws {
        let spool = try PlanarFIFO(channelCount: 2, sampleBytes: 2)
        try spool.append([1, 1, 2, 2, 3, 3, 4, 4])
        try spool.append([5, 5, 6, 6])
        var all: [UInt8] = []
        try spool.forEachPiece { all += $0 }
        #expect(all == [1, 1, 3, 3, 5, 5, 2, 2, 4, 4, 6, 6])
    }
}
