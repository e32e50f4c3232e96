import EarshotCore
import EarshotMedia
import Foundation
import TestSupport
import Testing

@Suite("Damaged files", .timeLimit(.minutes(15)))
struct MutationTests {
    /// More by the environment, for a long run: `EARSHOT_MUTATIONS=10000`.
    static let count = ProcessInfo.processInfo.environment["EARSHOT_MUTATIONS"].flatMap { Int($0) } ?? 300

    @Test("No damage crashes or hangs; what opens ends in order")
    func mutations() throws {
        let folder = try TemporaryFolder()
        let names = Fixtures.readable.filter { $0 != "long.flac" } + ["protected.mp4", "silent.mp4"]
        let originals = try names.map { try Fixtures.bytes($0) }
        var outcomes: [String: Int] = [:]
        for seed in 0..<Self.count {
            var generator = SeededGenerator(seed: UInt64(seed))
            let which = seed % names.count
            let bytes = mutate(originals[which], &generator)
            let url = try folder.write(bytes, as: "mutation-\(names[which])")
            var options = AssetReader.Options()
            if seed % 3 == 1 { options = .init(sampleRate: 16_000, channels: .mono, sampleType: .int16) }
            if seed % 3 == 2 { options.range = MediaTime(value: 1, timescale: 10)..<MediaTime(value: 3, timescale: 10) }
            outcomes[outcome(url, options, seed: seed), default: 0] += 1
        }
        // Both kinds must occur, or the test proves nothing.
        #expect(outcomes["read", default: 0] > 10)
        #expect(outcomes["refused", default: 0] > 10)
    }

    private func outcome(_ url: URL, _ options: AssetReader.Options, seed: Int) -> String {
        do {
            let decoder = try AudioDecoder(url, options: options)
            var frames = 0
            var end = MediaTime.negativeInfinity
            while let block = try decoder.next() {
                #expect(block.buffer.format == decoder.format, "seed \(seed)")
                #expect(block.time >= end, "seed \(seed)")
                end = block.time + block.buffer.duration
                frames += block.buffer.frameCount
                // No fixture has more than a few seconds; a clock gone wild must not become sound.
                #expect(frames < 100_000_000, "seed \(seed)")
            }
            return "read"
        } catch {
            #expect(error.code != .internalError, "seed \(seed): \(error)")
            return error.code == .readFailed ? "broke off" : "refused"
        }
    }

    private func mutate(_ original: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = original
        // Half of the damage goes to the head, where it has the widest effect.
        func place(_ generator: inout SeededGenerator) -> Int {
            let count = Bool.random(using: &generator) ? min(bytes.count, 400) : bytes.count
            return Int.random(in: 0..<count, using: &generator)
        }
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                bytes[place(&generator)] = UInt8.random(in: 0...255, using: &generator)
            }
        case 1:
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[place(&generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            }
        case 2:
            let start = place(&generator)
            bytes.removeSubrange(start..<min(start + Int.random(in: 1...600, using: &generator), bytes.count))
        default:
            let start = place(&generator)
            let run = bytes[start..<min(start + 300, bytes.count)]
            bytes.insert(contentsOf: Array(run), at: place(&generator))
            let other = place(&generator)
            for index in other..<min(other + 4, bytes.count) { bytes[index] = 0xFF }
        }
        return bytes
    }
}
