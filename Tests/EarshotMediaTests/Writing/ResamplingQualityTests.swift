import EarshotCore
import Foundation
import TestSupport
import Testing

@testable import EarshotMedia

@Suite("Another rate")
struct ResamplingQualityTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The level of a sine of full scale at a frequency after a change of rate, in decibels; the filter's ends aside.
    private func level(of frequency: Double, from rate: Int, to newRate: Int) async throws -> Double {
        let source = folder.url.appendingPathComponent("\(frequency)-\(rate).caf")
        let samples = (0..<rate / 2).map { Float(sin(2 * .pi * frequency * Double($0) / Double(rate))) }
        let writer = try AssetWriter(to: source, replacing: true)
        let input = try writer.addInput(AudioFormat(sampleRate: rate, channelCount: 1))
        try await writer.start()
        try await input.append(AudioBlock(AudioBuffer(samples, sampleRate: rate), at: .zero))
        try await writer.finish()
        var settings = ExportSettings(.floatSource)
        settings.sampleRate = newRate
        let result = folder.url.appendingPathComponent("\(frequency)-\(rate)-\(newRate).caf")
        try await ExportSession(source, settings: settings, to: result, replacing: true).export()
        let read = try await Recording.read(result)
        #expect(read.frameCount == newRate / 2)
        let middle = read.channel(0)[newRate / 8..<newRate * 3 / 8]
        let power = middle.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(middle.count)
        return 10 * log10(max(power, 1e-30) * 2)
    }

    @Test(
        "the pass band is flat to 20 kHz within 0.1 dB",
        .requirements("R-MR-027"),
        arguments: [(48_000, 44_100), (44_100, 48_000), (96_000, 44_100), (44_100, 96_000), (192_000, 48_000)]
    )
    func flat(_ rate: Int, _ newRate: Int) async throws {
        for frequency in [50.0, 1_000, 5_000, 10_000, 15_000, 18_000, 19_000, 19_500, 20_000] {
            let level = try await level(of: frequency, from: rate, to: newRate)
            #expect(abs(level) < 0.1, "\(frequency) Hz: \(level) dB")
        }
    }

    @Test(
        "what the new rate cannot hold is below -90 dB",
        .requirements("R-MR-027"),
        arguments: [(48_000, 44_100), (96_000, 44_100), (96_000, 48_000), (192_000, 44_100)]
    )
    func aliases(_ rate: Int, _ newRate: Int) async throws {
        // From half the new rate on, and from where what comes back would lie below 20 kHz.
        let (half, edge) = (Double(newRate) / 2, Double(newRate) - 20_000)
        let frequencies = [half + 10, half + 200, half + 500, edge, edge + 1_000, edge + 5_000, 30_000, 40_000]
        for frequency in frequencies where frequency < Double(rate) / 2 {
            let level = try await level(of: frequency, from: rate, to: newRate)
            #expect(level < -90, "\(frequency) Hz: \(level) dB")
        }
    }
}
