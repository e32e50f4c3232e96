import EarshotCore
import EarshotLibrary
import EarshotMedia
import Foundation
import Synchronization
import TestSupport
import Testing

/// Plays at once, and writes down what. A source that is held plays until it is let go or canceled.
private final class RecordedOutput: AudioPlayer {
    let played = Mutex<[Int64]>([])
    let isPaused = Mutex(false)
    private let holds: Bool

    init(holds: Bool = false) { self.holds = holds }

    func pause() { isPaused.withLock { $0 = true } }
    func resume() { isPaused.withLock { $0 = false } }

    func play(_ source: some AudioSource, heard: @Sendable (MediaTime) -> Void) async throws {
        var frames: Int64 = 0
        for try await block in source {
            frames += Int64(block.buffer.frameCount)
            heard(block.time)
        }
        played.withLock { $0.append(frames) }
        while holds {
            do {
                try await Task.sleep(for: .milliseconds(5))
            } catch {
                // As an output does that is canceled.
                resume()
                throw EarshotError(.cancelled, "cancelled")
            }
        }
    }
}

@Suite("A player of a library")
struct LibraryPlayerTests {
    /// Items with sounds of 100, 200… frames.
    private func items(_ count: Int, in folder: URL) throws -> [MusicItem] {
        try (1...count).map { number in
            let url = folder.appendingPathComponent("\(number).wav")
            try WaveFile.silence(frames: number * 100).write(to: url)
            return MusicItem(id: ItemID(rawValue: "\(number)"), assetURL: url, title: "Song \(number)")
        }
    }

    @Test("A context is heard to its end, and what happens is told")
    func whole() async throws {
        try await withTemporaryFolder { folder in
            let songs = try items(3, in: folder)
            let output = RecordedOutput()
            let player = LibraryPlayer(through: output)
            await player.start(.allSongs, songs)
            await player.finished()
            #expect(output.played.withLock { $0 } == [100, 200, 300])
            #expect(await player.queue.hasEnded)
            var told: [String] = []
            for await event in player.events {
                switch event {
                case .queue(.contextChanged): told.append("context")
                case .queue(.began(let item)): told.append(item.id.rawValue)
                case .queue(.ended): told.append("ended")
                case .heard: told.append("heard")
                case .failed, .stopped: told.append("other")
                }
                if told.last == "ended" { break }
            }
            #expect(told == ["context", "1", "heard", "2", "heard", "3", "heard", "ended"])
        }
    }

    @Test("What is not there is told and passed over", .requirements("R-MR-006"))
    func absent() async throws {
        try await withTemporaryFolder { folder in
            var songs = try items(3, in: folder)
            songs[0].assetURL = nil
            songs[1].assetURL = folder.appendingPathComponent("gone.wav")
            let output = RecordedOutput()
            let player = LibraryPlayer(through: output)
            await player.start(.allSongs, songs)
            await player.finished()
            #expect(output.played.withLock { $0 } == [300])
            var codes: [EarshotError.Code] = []
            for await event in player.events {
                if case .failed(_, let error) = event { codes.append(error.code) }
                if case .queue(.ended) = event { break }
            }
            #expect(codes == [.assetUnavailable, .assetNotFound])
        }
    }

    @Test("It begins at a time, seeks and pauses, and its status says so", .timeLimit(.minutes(1)))
    func seeking() async throws {
        try await withTemporaryFolder { folder in
            let output = RecordedOutput(holds: true)
            let player = LibraryPlayer(through: output)
            func heard(_ frames: [Int64]) async throws {
                while output.played.withLock({ $0 }) != frames { try await Task.sleep(for: .milliseconds(5)) }
            }
            func time(_ frames: Int64) -> MediaTime { MediaTime(value: frames, timescale: 8_000) }
            #expect(await player.status().state == .stopped)
            await player.play(try items(3, in: folder), at: 1, from: time(80))
            try await heard([120])
            #expect(await player.status().item?.title == "Song 2")
            #expect(await player.status().position == time(80))
            #expect(await player.status().duration == time(200))
            try await player.seek(by: .zero - time(30))
            try await heard([120, 150])
            #expect(await player.status().position == time(50))
            await player.pause()
            #expect(await player.status().state == .paused && output.isPaused.withLock { $0 })
            // What is paused stays so, though what was played is canceled.
            await player.seek(to: time(150))
            try await heard([120, 150, 50])
            #expect(await player.status().state == .paused && output.isPaused.withLock { $0 })
            await player.resume()
            #expect(await player.status().state == .playing && !output.isPaused.withLock { $0 })
            await player.pause()
            // At its end the next one comes, which nobody has paused.
            await player.next()
            try await heard([120, 150, 50, 300])
            #expect(await player.status().state == .playing && !output.isPaused.withLock { $0 })
            await player.stop()
            #expect(await player.status().state == .stopped)
            #expect(await player.status().item == nil)
        }
    }

    @Test("Statuses tell of each item, of its end, and of what could not be played")
    func statuses() async throws {
        try await withTemporaryFolder { folder in
            var songs = try items(3, in: folder)
            songs[1].assetURL = nil
            let player = LibraryPlayer(through: RecordedOutput())
            let statuses = player.statuses()
            let told = Task {
                var (titles, failures) = ([String?](), [EarshotError.Code?]())
                for try await status in statuses where titles.isEmpty || titles.last != status.item?.title {
                    titles.append(status.item?.title)
                    failures.append(status.failure?.code)
                    if status.item == nil, titles.count > 1 { break }
                }
                return (titles, failures)
            }
            await player.play(songs, at: 0, from: .zero)
            let (titles, failures) = try await told.value
            #expect(titles == [nil, "Song 1", "Song 2", "Song 3", nil])
            #expect(failures == [nil, nil, nil, .assetUnavailable, .assetUnavailable])
        }
    }

    @Test("Next, previous and stop leave what plays", .timeLimit(.minutes(1)))
    func moving() async throws {
        try await withTemporaryFolder { folder in
            let output = RecordedOutput(holds: true)
            let player = LibraryPlayer(through: output)
            func heard(_ frames: [Int64]) async throws {
                while output.played.withLock({ $0 }) != frames { try await Task.sleep(for: .milliseconds(5)) }
            }
            await player.start(.allSongs, try items(3, in: folder))
            try await heard([100])
            await player.next()
            try await heard([100, 200])
            await player.previous()
            try await heard([100, 200, 100])
            await player.stop()
            await player.finished()
            #expect(await player.queue.current?.title == "Song 1")
        }
    }
}

/// Makes small WAV files.
private enum WaveFile {
    static func silence(frames: Int) -> Data {
        var bytes = Array("RIFF".utf8)
        func append(_ value: Int, _ count: Int) {
            for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
        }
        append(36 + frames * 2, 4)
        bytes += Array("WAVEfmt ".utf8)
        append(16, 4)
        for (value, count) in [(1, 2), (1, 2), (8_000, 4), (16_000, 4), (2, 2), (16, 2)] { append(value, count) }
        bytes += Array("data".utf8)
        append(frames * 2, 4)
        return Data(bytes + [UInt8](repeating: 0, count: frames * 2))
    }
}
