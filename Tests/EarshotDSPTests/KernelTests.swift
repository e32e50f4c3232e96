@testable import EarshotDSP
import TestSupport
import Testing

@Suite("Kernels for each kind of processor")
struct KernelTests {
    @Test("there is one for every machine, and the best is the last")
    func kinds() {
        #expect(ProcessorKind.available.first?.number == 0)
        #expect(ProcessorKind.available.last == .best)
    }

    @Test(
        "a resampler gives the same bits on every kind, however the audio is cut",
        arguments: [8_000, 22_050, 44_100, 48_000]
    )
    func resampling(rate: Int) {
        let samples = Degradation.noise(count: rate / 2 + 3, seed: UInt64(rate))
        func resampled(on kind: ProcessorKind, pieces: Int) -> [Float] {
            var resampler = Resampler(from: rate, to: 16_000, on: kind)
            var output: [Float] = []
            for start in stride(from: 0, to: samples.count, by: pieces) {
                resampler.append(Array(samples[start..<min(start + pieces, samples.count)]), to: &output)
            }
            resampler.finish(to: &output)
            return output
        }
        let whole = resampled(on: ProcessorKind.available[0], pieces: samples.count)
        #expect(whole.count == (samples.count * 16_000 + rate / 2) / rate)
        for kind in ProcessorKind.available {
            #expect(resampled(on: kind, pieces: 613) == whole)
        }
    }

    @Test("columns are added where points stand; points outside add nothing")
    func columns() {
        property("columns", rounds: 30) { generator in
            let (width, lead, count) = (16 * Int.random(in: 1...5, using: &generator), 16, 12)
            let stride = width + 2 * lead
            let reach = Int.random(in: 1...width, using: &generator)
            let values = (0..<count * stride).map { _ in Int16.random(in: -1_000...1_000, using: &generator) }
            let adder = ColumnAdder(values, stride: stride, lead: lead, width: width, timeStep: 16, heightStep: 8)
            let length = Int.random(in: 1...40, using: &generator)
            let start = Int.random(in: -50...50, using: &generator)
            let points = (0..<700).map { _ in
                (
                    time: Int32.random(in: -300...900, using: &generator),
                    height: Int32.random(in: -20...120, using: &generator),
                    level: UInt8.random(in: 0...3, using: &generator)
                )
            }
            var sums = [Int16](repeating: 0, count: length + width)
            var counts = [Int32](repeating: 0, count: length + reach)
            for point in points where point.level < 3 {
                let place = Int((Double(Int(point.time) - start) / 16 + 0.5).rounded(.down))
                let column = Int((Double(point.height) / 8 + 0.5).rounded(.down))
                guard (0..<length).contains(place), (0..<count).contains(column) else { continue }
                counts[place] += 1
                counts[place + reach] -= 1
                for row in 0..<width { sums[place + row] &+= values[column * stride + lead + row] }
            }
            return ProcessorKind.available.allSatisfy { kind in
                var found = (
                    sums: [Int16](repeating: 0, count: length + width),
                    counts: [Int32](repeating: 0, count: length + reach)
                )
                adder.add(
                    at: points.map(\.time),
                    from: start,
                    points.map(\.height),
                    points.map(\.level),
                    below: 3,
                    length: length,
                    reach: reach,
                    counts: &found.counts,
                    sums: &found.sums,
                    on: kind
                )
                return found.sums == sums && found.counts == counts
            }
        }
    }

    @Test("numbers are added up with the signs of bits, with the same bits on every kind")
    func signedSums() {
        property("signed sums", rounds: 30) { generator in
            let values = (0..<SignedSum.width * 20 + 5).map { _ in Float.random(in: -2.5...2.5, using: &generator) }
            let starts = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                Int32.random(in: 0...Int32(values.count - SignedSum.width), using: &generator)
            }
            let signs = (0..<3 * starts.count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            var sum = 0.0
            for (row, start) in starts.enumerated() {
                for bit in 0..<SignedSum.width {
                    let isSet = signs[3 * row + bit / 8] >> (bit % 8) & 1 == 1
                    sum += Double(values[Int(start) + bit]) * (isSet ? 1 : -1)
                }
            }
            let found = ProcessorKind.available.map { kind in
                signs.withUnsafeBytes { SignedSum.of(values, at: starts, signs: $0, on: kind) }
            }
            return found.allSatisfy { $0 == found[0] } && abs(Double(found[0]) - sum) < 0.01
        }
    }
}
