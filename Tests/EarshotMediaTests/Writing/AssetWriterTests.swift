import Dispatch
import EarshotCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotMedia

@Suite("Writing sound that comes block by block")
struct AssetWriterTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func destination(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    private static let format = AudioFormat(sampleRate: 44_100, channelCount: 1)

    /// Blocks of a sine, one behind the other.
    private func blocks(_ count: Int, frames: Int = 4_096, from start: MediaTime = .zero) -> [AudioBlock] {
        (0..<count).map { index in
            let samples = (0..<frames).map { Float(sin(Double(index * frames + $0) * 0.05)) * 0.5 }
            let time = start + MediaTime(frames: Int64(index * frames), sampleRate: 44_100)
            return AudioBlock(AudioBuffer(samples, sampleRate: 44_100), at: time)
        }
    }

    @Test(
        "what is generated is written and read back equal, and the size is that on the disk",
        .requirements("R-MR-034", "R-MR-036", "R-MR-035", "R-MR-037")
    )
    func generated() async throws {
        let url = destination("sine.caf")
        let writer = try AssetWriter(to: url)
        #expect(writer.state == .unknown)
        let input = try writer.addInput(Self.format)
        try await writer.start()
        #expect(writer.state == .writing)
        for block in blocks(20) { try await input.append(block) }
        let file = try await writer.finish()
        #expect(writer.state == .completed)
        #expect(file.frameCount == 20 * 4_096)
        let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int64
        #expect(file.byteCount == size)
        let read = try await Recording.read(url)
        #expect(read.start == .zero)
        let isSame =
            read.channel(0)
            == blocks(20).flatMap { block -> [Float] in
                if case .float32(let samples) = block.buffer.samples { samples } else { [] }
            }
        #expect(isSame)
        #expect(try names() == ["sine.caf"])
    }

    @Test("a session begins at its time: what is earlier goes, what is missing is silence", .requirements("R-MR-035"))
    func session() async throws {
        let url = destination("late.wav")
        let writer = try AssetWriter(to: url)
        let input = try writer.addInput(Self.format)
        try await writer.start(at: MediaTime(seconds: 10))
        let early = blocks(1, frames: 44_100, from: MediaTime(value: 19, timescale: 2))
        let late = blocks(1, frames: 100, from: MediaTime(seconds: 11))
        for block in early + late { try await input.append(block) }
        #expect(try await writer.finish().frameCount == 44_200)
        let samples = try await Recording.read(url).channel(0)
        #expect(samples[22_050..<44_100].allSatisfy { $0 == 0 })
        #expect(samples[..<22_050].contains { abs($0) > 0.4 } && samples[44_150] != 0)
    }

    @Test("a supplier is called whenever there is room, and never otherwise", .requirements("R-MR-053", "R-MR-054"))
    func supplier() async throws {
        let writer = try AssetWriter(to: destination("supplied.flac"))
        let input = try writer.addInput(Self.format)
        try await writer.start()
        let left = Supply(blocks(1_000))
        await withCheckedContinuation { continuation in
            input.requestBlocks(on: DispatchQueue(label: "supply")) { input in
                while input.isReadyForMoreMediaData {
                    guard let block = left.next() else {
                        input.finish()
                        continuation.resume()
                        return
                    }
                    let isTaken = (try? input.appendIfReady(block)) ?? false
                    if !isTaken { left.refused() }
                }
            }
        }
        let file = try await writer.finish()
        #expect(file.frameCount == 1_000 * 4_096)
        #expect(left.refusals == 0)
    }

    @Test("the room is filled and made a thousand times, and the file is complete", .requirements("R-MR-054"))
    func toggling() async throws {
        // The room of an input: with each block the flag falls, and with its writing it rises.
        let (rounds, frames) = (1_000, 65_536)
        let url = destination("toggled.flac")
        let writer = try AssetWriter(to: url)
        let input = try writer.addInput(
            AudioFormat(sampleRate: 44_100, channelCount: 1, sampleType: .int16),
            dithers: false
        )
        try await writer.start()
        @Sendable func value(_ round: Int) -> Int16 { Int16(truncatingIfNeeded: round &* 7_919) }
        let counts = Mutex((calls: 0, rises: 0, falls: 0))
        await withCheckedContinuation { continuation in
            input.requestBlocks(on: DispatchQueue(label: "supply")) { input in
                let round = counts.withLock { counts in
                    counts.calls += 1
                    return counts.calls - 1
                }
                guard round < rounds else {
                    input.finish()
                    continuation.resume()
                    return
                }
                let time = MediaTime(frames: Int64(round * frames), sampleRate: 44_100)
                let buffer = AudioBuffer([Int16](repeating: value(round), count: frames), sampleRate: 44_100)
                let wasReady = input.isReadyForMoreMediaData
                // While nothing is written the room stays full.
                writer.worker.queue.suspend()
                let isTaken = (try? input.appendIfReady(AudioBlock(buffer, at: time))) ?? false
                let isReady = input.isReadyForMoreMediaData
                writer.worker.queue.resume()
                counts.withLock { counts in
                    counts.rises += wasReady && isTaken ? 1 : 0
                    counts.falls += isReady ? 0 : 1
                }
            }
        }
        #expect(try await writer.finish().frameCount == Int64(rounds * frames))
        let counted: [Int] = counts.withLock { [$0.calls, $0.rises, $0.falls] }
        #expect(counted == [rounds + 1, rounds, rounds])
        var (place, isSame) = (0, true)
        for try await block in try await AssetReader(url) {
            let wanted = (place..<place + block.buffer.frameCount).map { value($0 / frames) }
            switch block.buffer.samples {
            case .int16(let samples): isSame = isSame && samples == wanted
            case .float32(let samples): isSame = isSame && samples == wanted.map { Float($0) / 32_768 }
            }
            place += block.buffer.frameCount
        }
        #expect(isSame && place == rounds * frames)
    }

    @Test("cancelling from anywhere leaves nothing, and tells whoever waits", .requirements("R-MR-037"))
    func cancelled() async throws {
        let writer = try AssetWriter(to: destination("cancelled.wav"))
        let input = try writer.addInput(Self.format)
        try await writer.start()
        for block in blocks(4) { try await input.append(block) }
        writer.cancel()
        #expect(writer.state == .cancelled)
        let refused = await #expect(throws: EarshotError.self) { try await input.append(blocks(1)[0]) }
        #expect(refused?.code == .cancelled)
        let error = await #expect(throws: EarshotError.self) { try await writer.finish() }
        #expect(error?.code == .cancelled)
        // The file goes when the thread that writes is done with its block.
        for _ in 0..<500 where try !names().isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        #expect(try names() == [])
    }

    @Test("an input is added once, before the start, of what the type holds", .requirements("R-MR-012"))
    func inputs() async throws {
        let writer = try AssetWriter(to: destination("one.wav"))
        #expect(!writer.canAdd(.mp3(bitRate: nil)) && writer.canAdd(.pcm(nil)))
        let unsuitable = #expect(throws: EarshotError.self) {
            try writer.addInput(Self.format, encoding: .mp3(bitRate: nil))
        }
        #expect(unsuitable?.code == .pipelineRefused)
        let none = await #expect(throws: EarshotError.self) { try await writer.start() }
        #expect(none?.code == .pipelineRefused)
        let input = try writer.addInput(Self.format)
        let second = #expect(throws: EarshotError.self) { try writer.addInput(Self.format) }
        #expect(second?.code == .pipelineRefused)
        let early = await #expect(throws: EarshotError.self) { try await input.append(blocks(1)[0]) }
        #expect(early?.code == .pipelineRefused)
        try await writer.start()
        let other = AudioBlock(AudioBuffer([Float](repeating: 0, count: 8), sampleRate: 8_000), at: .zero)
        let wrong = await #expect(throws: EarshotError.self) { try await input.append(other) }
        #expect(wrong?.code == .audioFormatInvalid)
        try await writer.finish()
        #expect(throws: EarshotError.self) { try AssetWriter(to: destination("one.wav")) }
    }

    @Test("a folder that is gone ends the writing before it begins", .requirements("R-MR-037"))
    func gone() async throws {
        let gone = folder.url.appendingPathComponent("gone")
        try FileManager.default.createDirectory(at: gone, withIntermediateDirectories: false)
        let writer = try AssetWriter(to: gone.appendingPathComponent("a.wav"))
        try FileManager.default.removeItem(at: gone)
        _ = try writer.addInput(Self.format)
        let error = await #expect(throws: EarshotError.self) { try await writer.start() }
        #expect(error?.code == .writeFailed)
        #expect(writer.state == .failed && writer.error?.code == .writeFailed)
    }
}

/// Blocks that are handed out one by one.
private final class Supply: Sendable {
    private let state: Mutex<(blocks: [AudioBlock], refusals: Int)>

    init(_ blocks: [AudioBlock]) { state = Mutex((blocks.reversed(), 0)) }

    var refusals: Int { state.withLock { $0.refusals } }

    func next() -> AudioBlock? { state.withLock { $0.blocks.popLast() } }

    func refused() { state.withLock { $0.refusals += 1 } }
}
