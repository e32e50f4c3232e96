import EarshotCore
import EarshotMedia
import Foundation
import TestSupport
import Testing

@Suite("Reading: progress, canceling, side by side")
struct ReadingTests {
    private func longFile(_ folder: TemporaryFolder, seconds: Int = 30) throws -> URL {
        let samples = WaveFile.chirps(sampleRate: 8_000, frames: 8_000 * seconds)
        return try folder.write(WaveFile.bytes(samples, sampleRate: 8_000, channelCount: 2), as: "long.wav")
    }

    @Test(
        "The fraction never falls, and is 1 only after the end",
        .requirements("R-MR-065"),
        arguments: ["long.flac", "tagged.mp3", "tagged.ogg", "tagged.m4a"]
    )
    func progress(_ name: String) async throws {
        let reader = try await AssetReader(Fixtures.url(name), options: .init(blockFrames: 2_000))
        var last = try #require(reader.progress.fraction)
        #expect(last == 0)
        var frames: Int64 = 0
        for try await block in reader {
            frames += Int64(block.buffer.frameCount)
            let progress = reader.progress
            let fraction = try #require(progress.fraction)
            #expect(fraction >= last && fraction < 1)
            #expect(progress.position == block.time + block.buffer.duration)
            #expect(progress.frameCount == frames)
            last = fraction
        }
        #expect(last > 0.9)
        #expect(reader.progress.fraction == 1)
    }

    @Test("Sound as long as declared is no mismatch", arguments: Fixtures.readable.filter { $0 != "chirp.aac" })
    func declaredDuration(_ name: String) async throws {
        let reader = try await AssetReader(Fixtures.url(name))
        for try await _ in reader {}
        #expect(reader.progress.durationMismatch == nil)
    }

    @Test("A declared duration that is not that of the sound is told with both, once everything was read")
    func durationMismatch() async throws {
        // The duration of chained Ogg is that of its last part.
        let folder = try TemporaryFolder()
        let url = try folder.write(Fixtures.bytes("long.ogg") + Fixtures.bytes("long.ogg"), as: "chained.ogg")
        let reader = try await AssetReader(url)
        for try await _ in reader { #expect(reader.progress.durationMismatch == nil) }
        let mismatch = try #require(reader.progress.durationMismatch)
        #expect(abs(mismatch.declared.seconds - 6) < 0.1)
        #expect(abs(mismatch.measured.seconds - 12) < 0.1)
        #expect(mismatch.difference == mismatch.measured - mismatch.declared)
        #expect(abs(mismatch.measured.seconds - Double(reader.progress.frameCount) / 8_000) < 0.001)
        // Of a part nothing is said.
        let part = try await AssetReader(url, options: .init(range: .zero..<MediaTime(value: 1, timescale: 1)))
        for try await _ in part {}
        #expect(part.progress.durationMismatch == nil)
    }

    @Test("The fraction is not 1 when reading failed or was canceled", .requirements("R-MR-065"))
    func noSuccess() async throws {
        let folder = try TemporaryFolder()
        let bytes = try Fixtures.bytes("wav16.wav")
        let cut = try await AssetReader(folder.write(Array(bytes.dropLast(8)), as: "cut.wav"))
        await #expect(throws: EarshotError.self) { for try await _ in cut {} }
        #expect((cut.progress.fraction ?? 1) < 1)
        let cancelled = try await AssetReader(Fixtures.url("wav16.wav"))
        cancelled.cancel()
        await #expect(throws: EarshotError.self) { for try await _ in cancelled {} }
        #expect((cancelled.progress.fraction ?? 1) < 1)
    }

    @Test("From a pipe come bytes and no fraction", .requirements("R-MR-067"))
    func pipe() async throws {
        let pipe = Pipe()
        let bytes = try Fixtures.bytes("chirp.aac")
        let writing = Task.detached {
            try pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
            try pipe.fileHandleForWriting.close()
        }
        let url = try #require(URL(string: "pipe:\(pipe.fileHandleForReading.fileDescriptor)"))
        let reader = try await AssetReader(url)
        #expect(reader.expectedDuration == nil && reader.duration.isIndefinite)
        var frames = 0
        for try await block in reader {
            frames += block.buffer.frameCount
            #expect(reader.progress.byteCount == Int64(frames * 2 * 4))
            #expect(reader.progress.fraction == nil)
        }
        try await writing.value
        #expect(frames == 23_552)
        #expect(reader.progress.fraction == nil)
    }

    @Test("Two readers of one file agree", .requirements("R-MR-021"), arguments: ["tagged.mp3", "long.flac"])
    func sideBySide(_ name: String) async throws {
        let url = Fixtures.url(name)
        let first = try await AssetReader(url)
        let second = try await AssetReader(url)
        var ours = first.makeAsyncIterator()
        var theirs = second.makeAsyncIterator()
        var count = 0
        // In turns, so that both are open in the middle.
        while let block = try await ours.next() {
            let other = try await theirs.next()
            #expect(other == block)
            count += 1
        }
        #expect(try await theirs.next() == nil)
        #expect(count > 4)
        async let one = Recording.read(url)
        async let two = Recording.read(url)
        #expect(try await one.blocks == two.blocks)
    }

    @Test("Canceling ends reading with its own error")
    func cancel() async throws {
        let folder = try TemporaryFolder()
        let reader = try await AssetReader(longFile(folder))
        var iterator = reader.makeAsyncIterator()
        #expect(try await iterator.next() != nil)
        reader.cancel()
        let error = await #expect(throws: EarshotError.self) { _ = try await iterator.next() }
        #expect(error?.code == .cancelled)
        #expect(try await iterator.next() == nil)
    }

    /// A pipe with the begin of a WAV file, behind which nothing comes until it is closed.
    private func stalledPipe() throws -> (pipe: Pipe, url: URL) {
        let pipe = Pipe()
        let head = WaveFile.header(sampleRate: 8_000, channelCount: 1, dataBytes: 1 << 30)
        try pipe.fileHandleForWriting.write(contentsOf: Data(head + [UInt8](repeating: 1, count: 20_000)))
        return (pipe, try #require(URL(string: "pipe:\(pipe.fileHandleForReading.fileDescriptor)")))
    }

    @Test("A canceled task ends reading, also where nothing comes", .timeLimit(.minutes(15)))
    func cancelTask() async throws {
        let (pipe, url) = try stalledPipe()
        let task = Task {
            for try await _ in try await AssetReader(url, options: .init(blockFrames: 1_000)) {}
        }
        try await Task.sleep(for: .milliseconds(300))
        task.cancel()
        let error = await #expect(throws: EarshotError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        try pipe.fileHandleForWriting.close()
    }

    @Test("Canceling ends reading, also where nothing comes", .timeLimit(.minutes(15)))
    func cancelPromptly() async throws {
        let (pipe, url) = try stalledPipe()
        let cancellation = Cancellation()
        // A thread of its own, since the read blocks.
        let ended = Task {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    let result = Result { try Recording.decode(url, cancellation: cancellation).error }
                    // It may still be opening the pipe, or reading it.
                    let error: EarshotError? =
                        switch result {
                        case .success(let error): error
                        case .failure(let error): error as? EarshotError
                        }
                    continuation.resume(returning: error?.code)
                }
            }
        }
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 0.3)
            cancellation.cancel()
        }
        // Without effect the pipe, which nobody writes to, would hold it for ever.
        #expect(await ended.value == .cancelled)
        try pipe.fileHandleForWriting.close()
    }

    @Test("Opening in a canceled task gives the error, not a reader")
    func cancelOpening() async throws {
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            _ = try await AssetReader(Fixtures.url("long.flac"))
        }
        task.cancel()
        let error = await #expect(throws: EarshotError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test("Files are closed after success, failure and cancelling", .requirements("R-MR-060"))
    func closes() async throws {
        let folder = try TemporaryFolder()
        // Longer than what is read ahead: the file is open until somebody takes it.
        let whole = try longFile(folder, seconds: 60)
        let cut = try folder.write(Array(Fixtures.bytes("wav16.wav").dropLast(50)), as: "cut.wav")
        let text = try folder.write(Array("no media at all".utf8), as: "text.mp3")
        do {
            _ = try await Recording.read(whole)
            _ = try await Recording.read(cut)
            _ = try? await Recording.read(text)
            let reader = try await AssetReader(whole)
            #expect(openFiles(below: folder.url) > 0)
            reader.cancel()
            for try await _ in reader {}
        } catch let error as EarshotError {
            #expect(error.code == .cancelled)
        }
        #expect(try await allFilesAreClosed(below: folder.url))
    }

    @Test("A second iterator goes on where the first one stopped")
    func readOnce() async throws {
        let reader = try await AssetReader(Fixtures.url("wav16.wav"), options: .init(blockFrames: 1_000))
        var frames = 0
        for try await block in reader {
            frames += block.buffer.frameCount
            break
        }
        for try await block in reader { frames += block.buffer.frameCount }
        #expect(frames == 6_615)
        for try await _ in reader { Issue.record("read twice") }
    }
}
