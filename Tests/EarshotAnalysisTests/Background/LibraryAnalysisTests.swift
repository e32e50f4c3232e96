import EarshotCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotAnalysis

@Suite("Analysing a library in the background")
struct LibraryAnalysisTests {
    /// Counts how many files were begun with, and the frames heard.
    private final class Tally: Sendable {
        private let state = Mutex((begun: 0, frames: 0))
        var begun: Int { state.withLock { $0.begun } }
        var frames: Int { state.withLock { $0.frames } }
        func begin() { state.withLock { $0.begun += 1 } }
        func hear(_ frames: Int) { state.withLock { $0.frames += frames } }
    }

    private struct Counter: AudioAnalyzer {
        let name = "count"
        var version = 1
        let tally: Tally

        func begin(_ format: AudioFormat, duration: MediaTime) throws(EarshotError) -> any AudioAnalysis {
            tally.begin()
            return Analysis(tally: tally)
        }

        struct Analysis: AudioAnalysis {
            let tally: Tally
            var frames = 0

            mutating func append(_ block: AudioBlock) {
                frames += block.buffer.frameCount
                tally.hear(block.buffer.frameCount)
            }
            mutating func finish() throws(EarshotError) -> [UInt8] { Array("\(frames)".utf8) }
        }
    }

    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-analysis-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// A WAV file of 8-bit silence.
    private func item(_ number: Int, frames: Int = 800) throws -> LibraryAnalysis.Item {
        var bytes = Array("RIFF".utf8)
        func put(_ value: UInt32, _ count: Int = 4) {
            for shift in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt32(shift)))) }
        }
        put(UInt32(36 + frames))
        bytes += Array("WAVEfmt ".utf8)
        put(16)
        put(1, 2)
        put(1, 2)
        put(8_000)
        put(8_000)
        put(1, 2)
        put(8, 2)
        bytes += Array("data".utf8)
        put(UInt32(frames))
        bytes += [UInt8](repeating: 128, count: frames)
        let url = folder.appendingPathComponent("\(number).wav")
        try Data(bytes).write(to: url)
        return LibraryAnalysis.Item(id: "\(number)", url: url, stamp: "\(frames)")
    }

    private func run(_ analysis: LibraryAnalysis, _ items: [LibraryAnalysis.Item]) async throws -> LibraryAnalysis
        .Summary?
    {
        for try await event in analysis.run(items) {
            if case .ended(let summary) = event { return summary }
        }
        return nil
    }

    @Test("a second run reads nothing, and one with another version or a changed file what is due")
    func incremental() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var items = try (0..<30).map { try item($0) }
        let (tally, store) = (Tally(), MemoryAnalysisStore())
        let analysis = LibraryAnalysis([Counter(tally: tally)], store: store, width: 3)
        let first = try #require(try await run(analysis, items))
        #expect((first.analyzed, first.unchanged, first.failed) == (30, 0, 0))
        #expect(tally.frames == 30 * 800)
        #expect(abs(first.audioSeconds - 3) < 1e-6)
        let second = try #require(try await run(analysis, items))
        #expect((second.analyzed, second.unchanged) == (0, 30))
        #expect(tally.begun == 30)
        items[4] = try item(4, frames: 400)
        _ = try await run(analysis, items)
        #expect(tally.begun == 31)
        #expect(await store.record(of: "4", by: "count")?.outcome == .result(Array("400".utf8)))
        _ = try await run(LibraryAnalysis([Counter(version: 2, tally: tally)], store: store), items)
        #expect(tally.begun == 61)
    }

    @Test("a run that was ended half way goes on without doing anything twice", .requirements("R-MR-110"))
    func resumed() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let items = try (0..<40).map { try item($0) }
        let (tally, store) = (Tally(), MemoryAnalysisStore())
        let analysis = LibraryAnalysis([Counter(tally: tally)], store: store)
        var seen = 0
        for try await event in analysis.run(items) {
            if case .finished = event { seen += 1 }
            if seen == 20 { break }
        }
        // What was under way then may have been kept yet.
        let kept = await store.items().count
        #expect(kept >= 20)
        let summary = try #require(try await run(analysis, items))
        #expect(summary.analyzed + summary.unchanged == 40)
        #expect(tally.begun <= 42)
        #expect(await store.items().count == 40)
    }

    /// The results of the analyzer that counts, and the codes of its failures, in the order of the items.
    private func outcomes(_ store: MemoryAnalysisStore, _ items: [LibraryAnalysis.Item]) async -> (
        results: Int, codes: [String]
    ) {
        var (results, codes): (Int, [String]) = (0, [])
        for item in items {
            switch await store.record(of: item.id, by: "count")?.outcome {
            case .result: results += 1
            case .failure(let code, let message):
                codes.append(code)
                #expect(!message.isEmpty)
            default: Issue.record("\(item.id) has no outcome")
            }
        }
        return (results, codes)
    }

    @Test(
        "three damaged files of a thousand are three failures with codes, and stop nothing",
        .requirements("R-MR-111")
    )
    func failures() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let items = try (0..<1_000).map { try item($0) }
        try Data("no music".utf8).write(to: folder.appendingPathComponent("7.wav"))
        try Data().write(to: folder.appendingPathComponent("8.wav"))
        // A file that ends before its sound does.
        let whole = try Data(contentsOf: folder.appendingPathComponent("9.wav"))
        try whole.prefix(400).write(to: folder.appendingPathComponent("9.wav"))
        let store = MemoryAnalysisStore()
        let analysis = LibraryAnalysis([Counter(tally: Tally()), LoudnessAnalyzer()], store: store, width: 4)
        let summary = try #require(try await run(analysis, items))
        #expect((summary.analyzed, summary.failed) == (1_000, 3))
        let (results, codes) = await outcomes(store, items)
        #expect(results == 997)
        #expect(codes == ["assetUnreadable", "assetUnreadable", "readFailed"])
        // They are not tried again before they change.
        #expect(try await run(analysis, items)?.unchanged == 1_000)
    }

    @Test("an item whose file is gone, and one without a file, are failures with codes", .requirements("R-MR-111"))
    func gone() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let items = [
            try item(0), LibraryAnalysis.Item(id: "1", url: folder.appendingPathComponent("gone.wav"), stamp: ""),
            LibraryAnalysis.Item(id: "2", url: nil, stamp: ""),
        ]
        let store = MemoryAnalysisStore()
        let summary = try await run(LibraryAnalysis([Counter(tally: Tally())], store: store), items)
        #expect(summary?.failed == 2)
        let (results, codes) = await outcomes(store, items)
        #expect(results == 1 && codes == ["assetNotFound", "assetUnavailable"])
    }

    @Test("items without files are so many failures, however many they are")
    func absent() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let items = (0..<11_000).map { LibraryAnalysis.Item(id: "\($0)", url: nil, stamp: "") }
        let stream = LibraryAnalysis([LoudnessAnalyzer()], store: MemoryAnalysisStore(), width: 2).run(items)
        var finished = 0
        for try await event in stream { if case .finished = event { finished += 1 } }
        #expect(finished == 11_000)
    }

    @Test("silence and clipped samples are found")
    func silence() throws {
        let format = AudioFormat(sampleRate: 100, channelCount: 1)
        var analysis = try SilenceAnalyzer().begin(format, duration: .indefinite)
        let samples: [Float] =
            [Float](repeating: 0, count: 50) + [0.5, 1, 1, 1, 1, 0.5, 1, 1, 0.2] + [Float](repeating: 0.0005, count: 25)
        analysis.append(AudioBlock(AudioBuffer(samples, sampleRate: 100), at: .zero))
        let result = try JSONDecoder().decode(SilenceAnalyzer.Result.self, from: Data(try analysis.finish()))
        #expect(result == SilenceAnalyzer.Result(leading: 0.5, trailing: 0.25, clippedRuns: 1, clippedSamples: 4))
    }
}
