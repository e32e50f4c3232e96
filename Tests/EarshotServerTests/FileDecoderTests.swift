import EarshotAnalysis
import EarshotAPI
import EarshotClient
import EarshotCore
import EarshotLibrary
import EarshotMedia
import Foundation
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Decoding of files of media folders", .timeLimit(.minutes(5)))
struct FileDecoderTests {
    /// A decoder that takes too long with one file, as one does that is ended by its limits.
    private final class Slow: FileDecoder {
        private let name: String
        /// Whether it takes its time for exports only.
        private let isExport: Bool
        private let tasks = Mutex<[String]>([])
        private let decoder = InProcessFileDecoder()

        init(_ name: String, exports: Bool = false) { (self.name, isExport) = (name, exports) }

        /// What was asked for of the file.
        var asked: [String] { tasks.withLock { $0 } }

        private func check(_ task: FileTask, _ file: URL) throws(EarshotError) {
            guard file.lastPathComponent == name else { return }
            if case .export = task {} else if isExport { return }
            tasks.withLock { $0.append("\(task)".prefix { $0 != "(" }.lowercased()) }
            throw WorkerProcess.Subject.file(file.path).late
        }

        func run(_ task: FileTask, on file: URL) async throws(EarshotError) -> Data {
            try check(task, file)
            return try await decoder.run(task, on: file)
        }

        func run(_ task: FileTask, on file: URL, into output: RawFile, limit: Int) async throws(EarshotError) {
            try check(task, file)
            try await decoder.run(task, on: file, into: output, limit: limit)
        }

        func export(
            _ export: FileExport,
            of file: URL,
            report: @escaping @Sendable (ExportRecord.Progress) -> Void
        ) async throws(EarshotError) -> FileExport.Outcome {
            try check(.export(export), file)
            return try await decoder.export(export, of: file, report: report)
        }
    }

    @Test("no request has the service itself decode a file, and one that takes too long is answered so")
    func routes() async throws {
        let slow = Slow("tagged.mp3")
        try await TestMedia.run(files: slow) { (service: TestService, media: TestMedia) async throws in
            let asset = "/v1/assets/" + TestMedia.escaped("music/Album/tagged.mp3")
            for path in ["", "/samples?length=100", "/samples?length=100&rate=8000", "/waveform"] {
                let reply = try await service.ask(.GET, asset + path, token: service.admin)
                #expect(reply.status == 408, "\(path)")
                #expect(reply.code == "timedOut")
                let message = try reply.decoded(Failure.self).error.message
                #expect(message.contains("music/Album/tagged.mp3") && !message.contains(media.music.path))
            }
            let order = Data(#"{"asset": "music/Album/tagged.mp3", "type": "flac"}"#.utf8)
            let reply = try await service.ask(
                .POST,
                "/v1/exports",
                token: service.admin,
                type: "application/json",
                body: order
            )
            #expect(reply.status == 408)
            for task in ["record", "samples", "waveform", "plan"] { #expect(slow.asked.contains(task), "\(task)") }
            // Others go on.
            let other = "/v1/assets/" + TestMedia.escaped("music/Album/tagged.m4a")
            #expect(try await service.ask(.GET, other, token: service.admin).status == 200)
        }
    }

    @Test("no export is made in the service itself, and one that takes too long has failed")
    func exports() async throws {
        let slow = Slow("tagged.mp3", exports: true)
        try await TestMedia.run(files: slow) { (service: TestService, media: TestMedia) async throws in
            let http = try await TestMedia.client(service)
            func ended(_ asset: String) async throws -> ExportRecord {
                let record = try await http.export(ExportRequest(asset: asset, type: "flac"))
                for try await _ in http.exportUpdates(record.id) {}
                return try await http.exportRecord(record.id)
            }
            let late = try await ended("music/Album/tagged.mp3")
            #expect(late.status == .failed)
            #expect(late.error?.code == "timedOut")
            let message = try #require(late.error?.message)
            #expect(message.contains("music/Album/tagged.mp3") && !message.contains(media.folder.path))
            #expect(slow.asked == ["export"])
            #expect(media.exported.isEmpty)
            // Others go on.
            #expect(try await ended("music/Album/tagged.m4a").status == .completed)
        }
    }

    @Test("a scan lists a file that takes too long with an error, and goes on")
    func scan() async throws {
        try await withTemporaryFolder { folder in
            let media = try TestMedia(in: folder)
            let roots = try MediaRoots([try MediaRoot(name: "music", folder: media.music)])
            let (slow, store) = (Slow("tagged.mp3"), MemoryFolderStore())
            let scan = FolderIndex(roots, store: store, decoder: slow, logger: TestService.silentLogger)
            await scan.scan()
            #expect(await scan.state().isComplete)
            #expect(await scan.state().index.count == 5)
            let path = try #require(await store.known().map(\.path).first { $0.hasSuffix("tagged.mp3") })
            guard case .failure(let code, _)? = await store.files(at: [path]).first?.content else {
                Issue.record("the file has no failure")
                return
            }
            #expect(code == "timedOut")
            // It has not changed, and is not tried again.
            await scan.scan()
            #expect(slow.asked == ["reading"])
        }
    }

    @Test("an analysis gives a file that takes too long a failure, and goes on")
    func analysis() async throws {
        try await withTemporaryFolder { folder in
            let media = try TestMedia(in: folder)
            let roots = try MediaRoots([try MediaRoot(name: "music", folder: media.music)])
            let slow = Slow("tagged.mp3")
            let queue = AnalysisQueue(
                [LoudnessAnalyzer()],
                store: MemoryAnalysisStore(),
                roots: roots,
                decoder: slow,
                width: 1,
                now: { Date(timeIntervalSince1970: 0) },
                logger: TestService.silentLogger
            )
            let id = try await queue.submit(folder: "music/Album", analyzers: ["loudness"], owner: "one").id
            while await queue.run(id, for: nil)?.state.isFinal == false { await Task.yield() }
            let run = try #require(await queue.run(id, for: nil))
            #expect(run.state == .done)
            #expect(run.analyzed == 4)
            #expect(run.failures.map(\.asset) == ["music/Album/tagged.mp3"])
            #expect(run.failureCounts == ["timedOut": 1])
            #expect(!(run.failures.first?.message.contains(media.music.path) ?? true))
            #expect(slow.asked == ["analyses"])
        }
    }

    /// An export by a program in the place of a worker, as a script of the shell.
    private static func export(
        _ script: String,
        _ report: @escaping @Sendable (ExportRecord.Progress) -> Void = { _ in }
    ) async throws -> FileExport.Outcome {
        try await withTemporaryFolder { folder in
            let decoder = ProcessFileDecoder(
                executable: URL(fileURLWithPath: "/bin/sh"),
                arguments: ["-c", script, "worker"]
            )
            let export = FileExport(
                ExportRequest(asset: "music/x.wav", type: "flac"),
                to: folder.appendingPathComponent("x.flac"),
                duration: nil,
                sizeLimit: 1 << 20
            )
            let file = TestMedia.fixtures.appendingPathComponent("wav16.wav")
            return try await decoder.export(export, of: file, report: report)
        }
    }

    /// A command of the shell that writes a line.
    private static func telling(_ report: FileExport.Report) throws -> String {
        "printf '%s\\n' '\(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))'\n"
    }

    @Test("the lines of a worker are the progress and the outcome of an export")
    func lines() async throws {
        let told = Mutex<[Int64]>([])
        var script = ""
        for frames in 1...3 { script += try Self.telling(.progress(ExportRecord.Progress(frames: Int64(frames)))) }
        // What is no report, or does not end, is left out.
        script += "echo nonsense\nhead -c 200000 /dev/zero\necho\n"
        script += try Self.telling(.progress(ExportRecord.Progress(frames: 4)))
        let outcome = FileExport.Outcome(duration: nil, progress: ExportRecord.Progress(fraction: 1, frames: 5))
        script += try Self.telling(.finished(outcome))
        let made = try await Self.export(script) { progress in told.withLock { $0.append(progress.frames) } }
        #expect(made.progress == outcome.progress)
        #expect(told.withLock { $0 } == [1, 2, 3, 4])
    }

    @Test(
        "the error of a worker is that of the export",
        arguments: [
            (#"echo '{"code": "writeFailed", "message": "No room."}' >&2; exit 1"#, EarshotError.Code.writeFailed),
            ("kill -9 $$", .assetUnreadable), ("exit 0", .internalError), ("echo nonsense", .internalError),
        ]
    )
    func failing(script: String, code: EarshotError.Code) async throws {
        let begin = try Self.telling(.progress(ExportRecord.Progress(frames: 1)))
        let error = await #expect(throws: EarshotError.self) { try await Self.export(begin + script) }
        #expect(error?.code == code)
    }

    @Test(
        "an export of long sound has more time, and no more than a day of sound would have",
        arguments: [(nil, 600), (2_000, 600), (40_000, 10_000), (1e12, 21_600)] as [(Double?, Double)]
    )
    func time(duration: Double?, seconds: Double) {
        let decoder = ProcessFileDecoder(executable: URL(fileURLWithPath: "/bin/sh"), arguments: [], time: .seconds(20))
        let request = ExportRequest(asset: "music/x.wav", type: "flac")
        let destination = URL(fileURLWithPath: "/x.flac")
        let export = FileExport(request, to: destination, duration: duration, sizeLimit: 1)
        #expect(decoder.seconds(for: .export(export)) == seconds)
    }

    @Test("the worker of an export that is canceled is killed")
    func killing() async throws {
        // Its answer is its own number, and it would go on for an hour.
        let (begun, began) = AsyncStream.makeStream(of: Int64.self)
        let report =
            try Self.telling(.progress(ExportRecord.Progress(frames: 77)))
            .replacing("77", with: "'$$'") + "exec sleep 3600"
        let task = Task { try await Self.export(report) { began.yield($0.frames) } }
        var process: Int64?
        for await number in begun {
            process = number
            break
        }
        let worker = try #require(process)
        #expect(kill(pid_t(worker), 0) == 0)
        task.cancel()
        let error = await #expect(throws: EarshotError.self) { _ = try await task.value }
        #expect(error?.code == .cancelled)
        #expect(kill(pid_t(worker), 0) == -1)
    }

    @Test("a waveform comes through unchanged")
    func waveform() async throws {
        let url = TestMedia.fixtures.appendingPathComponent("surround.wav")
        var maker: WaveformMaker?
        for try await block in try await AssetReader(url) {
            let format = block.buffer.format
            if maker == nil { maker = WaveformMaker(sampleRate: format.sampleRate, channelCount: format.channelCount) }
            maker?.append(block.buffer)
        }
        let data = try await InProcessFileDecoder().run(.waveform(framesPerBucket: 256), on: url)
        #expect(try WaveformFile.waveform(data) == maker?.waveform)
        for count in 0..<40 {
            #expect(throws: EarshotError.self) { try WaveformFile.waveform(Data(data.prefix(count))) }
        }
    }

    @Test("making a waveform is canceled when nobody waits for it any more")
    func cancelling() async throws {
        let cache = WaveformCache()
        let key = WaveformCache.Key(path: "/a", stamp: "1", frames: 256)
        let (begun, began) = AsyncStream.makeStream(of: Void.self)
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        let wait: @Sendable () async throws(EarshotError) -> Waveform = { () async throws(EarshotError) in
            began.yield()
            // It goes on until it is canceled.
            let (never, source) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            source.finish()
            ended.yield()
            throw EarshotError(.cancelled, "It was canceled.")
        }
        let (first, second) = (
            Task { try await cache.waveform(key, wait) }, Task { try await cache.waveform(key, wait) }
        )
        for await _ in begun { break }
        first.cancel()
        second.cancel()
        for await _ in ends { break }
        await #expect(throws: EarshotError.self) { try await first.value }
        await #expect(throws: EarshotError.self) { try await second.value }
    }
}
