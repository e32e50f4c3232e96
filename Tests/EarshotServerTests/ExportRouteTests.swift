import EarshotAPI
import EarshotClient
import EarshotCore
import EarshotMedia
import EarshotSQLite
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Exports over HTTP")
struct ExportRouteTests {
    @Test("an export is started, watched to its end, fetched and removed", .requirements("R-MR-136"))
    func exporting() async throws {
        try await TestMedia.run { (service: TestService, media: TestMedia) async throws in
            let http = try await TestMedia.client(service)
            var request = ExportRequest(asset: "music/Album/tagged.mp3", name: "song.wav", preset: "mono-16000")
            let record = try await http.export(request)
            #expect(record.status == .waiting)
            #expect(record.plan.sampleRate == 16_000)
            #expect(record.plan.channels == 1)
            #expect(Set(record.plan.losses.map(\.kind)).isSuperset(of: [.decoded, .channels, .sampleRate]))
            var updates: [ExportRecord] = []
            for try await update in http.exportUpdates(record.id) { updates.append(update) }
            let last = try #require(updates.last)
            #expect(last.status == .completed)
            #expect(last.progress.fraction == 1)
            #expect(last.name == "song.wav")
            let fractions = updates.map { $0.progress.fraction ?? 0 }
            #expect(fractions == fractions.sorted())
            #expect(updates.dropLast().allSatisfy { ($0.progress.fraction ?? 0) < 1 && !$0.status.isFinal })
            #expect(try await http.exportRecord(record.id) == last)

            var bytes = Data()
            for try await part in http.exportFile(record.id) { bytes += part }
            let file = media.exports.appendingPathComponent("song.wav")
            #expect(bytes == (try Data(contentsOf: file)))
            #expect(last.size == Int64(bytes.count))
            let asset = try await Asset.load(file)
            #expect(asset.streams.first?.sampleRate == 16_000)
            #expect(asset.streams.first?.channelCount == 1)
            #expect(last.duration?.time == asset.duration)
            var rest = Data()
            for try await part in http.exportFile(record.id, from: 1_000) { rest += part }
            #expect(rest == bytes.dropFirst(1_000))
            #expect(media.exported == ["song.wav"])

            await #expect { try await http.export(request) } throws: {
                ($0 as? EarshotError)?.code == .destinationExists
            }
            request.name = nil
            request.type = "flac"
            request.preset = nil
            let second = try await http.export(request)
            #expect(second.name == "tagged.flac")
            for try await _ in http.exportUpdates(second.id) {}
            #expect(Set(try await http.exports().map(\.id)) == [second.id, record.id])
            try await http.removeExport(record.id)
            #expect(media.exported == ["tagged.flac"])
            await #expect { try await http.exportRecord(record.id) } throws: {
                ($0 as? EarshotError)?.code == .entityNotFound
            }
        }
    }

    @Test("settings finer than a preset change just what they name")
    func settings() throws {
        var request = ExportRequest(asset: "music/x.flac", preset: "pcm16-44100-stereo")
        var changes = ExportRequest.Settings()
        changes.bits = 24
        changes.sampleRate = 48_000
        request.settings = changes
        var settings = try request.exportSettings()
        #expect(settings.encoding == .pcm(try PCMLayout(bits: 24)))
        #expect(settings.sampleRate == 48_000)
        #expect(settings.channels == .stereo)
        changes = ExportRequest.Settings()
        changes.isFloat = true
        request.settings = changes
        settings = try request.exportSettings()
        #expect(settings.encoding == .pcm(.float32))
        #expect(settings.sampleRate == 44_100)
        changes = ExportRequest.Settings()
        changes.encoding = "mp3"
        changes.bitRate = 128_000
        changes.start = 1
        changes.end = 2.5
        request.settings = changes
        settings = try request.exportSettings()
        #expect(settings.encoding == .mp3(bitRate: 128_000))
        #expect(settings.range?.lowerBound == MediaTime(seconds: 1))
        for invalid in ["nothing", ""] {
            changes.encoding = invalid
            request.settings = changes
            #expect(throws: EarshotError.self) { try request.exportSettings() }
        }
    }

    @Test(
        "what cannot be exported is refused before anything is written",
        arguments: [
            (ExportRequest(asset: "music/Album/long.flac", name: "../x.wav"), 403, "accessDenied"),
            (ExportRequest(asset: "music/Album/long.flac", name: "a/x.wav"), 403, "accessDenied"),
            (ExportRequest(asset: "music/Album/long.flac", name: ".x.wav"), 403, "accessDenied"),
            (ExportRequest(asset: "music/Album/long.flac", name: "x\0.wav"), 403, "accessDenied"),
            (ExportRequest(asset: "music/../secret.wav", name: "x.wav"), 403, "accessDenied"),
            (ExportRequest(asset: "music/out.wav", name: "x.wav"), 403, "accessDenied"),
            (ExportRequest(asset: "music/none.wav", name: "x.wav"), 404, "entityNotFound"),
            (ExportRequest(asset: "music/damaged.mp3", name: "x.wav"), 422, "assetUnreadable"),
            (ExportRequest(asset: "music/Album/long.flac"), 400, "requestInvalid"),
            (ExportRequest(asset: "music/Album/long.flac", name: ""), 400, "requestInvalid"),
            (ExportRequest(asset: "music/Album/long.flac", name: "x.wav", type: "flac"), 422, "fileTypeUnsupported"),
            (ExportRequest(asset: "music/Album/long.flac", name: "x.xyz"), 422, "fileTypeUnsupported"),
            (ExportRequest(asset: "music/Album/long.flac", name: "x", type: "xyz"), 422, "fileTypeUnsupported"),
            (ExportRequest(asset: "music/Album/long.flac", name: "x.wav", preset: "mp3"), 422, "pipelineRefused"),
            (ExportRequest(asset: "music/Album/long.flac", name: "x.wav", preset: "best"), 400, "requestInvalid"),
        ]
    )
    func refusals(request: ExportRequest, status: Int, code: String) async throws {
        try await TestMedia.run { (service: TestService, media: TestMedia) async throws in
            let reply = try await service.ask(.POST, "/v1/exports", token: service.admin, json: request)
            #expect(reply.status == status)
            #expect(reply.code == code)
            #expect(!String(decoding: reply.bytes, as: UTF8.self).contains(media.folder.path))
            #expect(media.exported.isEmpty)
        }
    }

    /// Settings that no encoder has, and what the answer names.
    private static let impossibleSettings: [(String, Int?, Int?, String)] = [
        ("flac", -5, nil, "bits"), ("flac", 0, nil, "bits"), ("flac", 64, nil, "16 or 24"),
        ("flac", 8, nil, "16 or 24"),
        ("m4a", 12, nil, "bits"), ("wav", 64, nil, "bits"), ("wav", .min, nil, "bits"), ("mp3", nil, 0, "bitRate"),
        ("mp3", nil, -1, "bitRate"), ("opus", nil, .max, "bitRate"), ("ogg", nil, 5_999, "bitRate"),
        ("mp3", nil, 320_001, "320000"), ("flac", nil, -1, "bitRate"),
    ]

    @Test("bits and bit rates that no encoder has are refused with what may be given", arguments: impossibleSettings)
    func impossible(type: String, bits: Int?, bitRate: Int?, named: String) async throws {
        try await TestMedia.run { (service: TestService, media: TestMedia) async throws in
            var request = ExportRequest(asset: "music/Album/long.flac", name: "x", type: type)
            var settings = ExportRequest.Settings()
            (settings.bits, settings.bitRate) = (bits, bitRate)
            request.settings = settings
            let reply = try await service.ask(.POST, "/v1/exports", token: service.admin, json: request)
            #expect(reply.status == 422)
            #expect(reply.code == "audioFormatInvalid")
            #expect(try reply.decoded(Failure.self).error.message.contains(named))
            #expect(media.exported.isEmpty)
        }
    }

    @Test("an export that is cancelled ends cancelled, and nothing of it is left", .requirements("R-MR-136"))
    func cancelling() async throws {
        try await TestMedia.run {
            $0.exportWorkers = 1
        } _: { (service: TestService, media: TestMedia) async throws in
            let http = try await TestMedia.client(service)
            try media.addLongFile("noise.wav")
            var settings = ExportRequest.Settings()
            settings.sampleRate = 44_100
            func begin(_ name: String) async throws -> ExportRecord {
                try await http.export(ExportRequest(asset: "music/noise.wav", name: name, settings: settings))
            }
            let first = try await begin("first.flac")
            let second = try await begin("second.flac")
            // One runs, and the other waits for it.
            #expect(try await http.exportRecord(second.id).status == .waiting)
            let metrics = try await service.ask(.GET, "/metrics")
            #expect(String(decoding: metrics.bytes, as: UTF8.self).contains("earshot_exports_waiting 1"))
            try await http.removeExport(second.id)
            #expect(try await http.exportRecord(second.id).status == .cancelled)
            var seen: [ExportRecord] = []
            var isGivenUp = false
            for try await update in http.exportUpdates(first.id) {
                seen.append(update)
                // Once: of one that is over it would be removed.
                if update.status == .exporting, update.progress.frames > 0, !isGivenUp {
                    isGivenUp = true
                    try await http.removeExport(first.id)
                }
            }
            #expect(seen.contains { $0.status == .exporting })
            #expect(seen.last?.status == .cancelled)
            #expect(media.exported.isEmpty)
            let missing = try await service.ask(.GET, "/v1/exports/\(first.id)/file", token: service.admin)
            #expect(missing.status == 404)
            // What is over is removed for good.
            try await http.removeExport(first.id)
            #expect(try await http.exports().map(\.id) == [second.id])
        }
    }

    /// A decoder of which a worker does something else than it should.
    private struct Odd: FileDecoder {
        /// What it does in place of an export.
        let work: @Sendable (FileExport) async throws(EarshotError) -> Void
        private let decoder = InProcessFileDecoder()

        init(_ work: @escaping @Sendable (FileExport) async throws(EarshotError) -> Void) { self.work = work }

        func run(_ task: FileTask, on file: URL) async throws(EarshotError) -> Data {
            try await decoder.run(task, on: file)
        }

        func run(_ task: FileTask, on file: URL, into output: RawFile, limit: Int) async throws(EarshotError) {
            try await decoder.run(task, on: file, into: output, limit: limit)
        }

        func export(
            _ export: FileExport,
            of file: URL,
            report: @escaping @Sendable (ExportRecord.Progress) -> Void
        ) async throws(EarshotError) -> FileExport.Outcome {
            report(ExportRecord.Progress(fraction: 7, frames: 1))
            try await work(export)
            return FileExport.Outcome(duration: nil, progress: ExportRecord.Progress(fraction: 1))
        }
    }

    @Test("what a worker leaves behind goes with its export", arguments: [false, true])
    func leftovers(isStopped: Bool) async throws {
        let odd = Odd { (export) throws(EarshotError) in
            // A part of a file, and no end until it is killed.
            guard FileManager.default.createFile(atPath: export.destination.path + ".half", contents: Data("x".utf8))
            else { throw EarshotError(.writeFailed, "There is no folder to write in.") }
            let (never, source) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            source.finish()
            throw EarshotError(.cancelled, "It was canceled.")
        }
        try await TestMedia.run(files: odd) { (service: TestService, media: TestMedia) async throws in
            let http = try await TestMedia.client(service)
            let record = try await http.export(ExportRequest(asset: "music/Album/long.flac", name: "x.wav"))
            var isGivenUp = false
            for try await update in http.exportUpdates(record.id) where update.progress.frames > 0 {
                // However much a worker says.
                #expect(update.progress.fraction ?? 0 < 1)
                guard !isGivenUp else { continue }
                isGivenUp = true
                if isStopped { await service.server.media?.stop() } else { try await http.removeExport(record.id) }
            }
            #expect(media.exported.isEmpty)
            #expect(try await http.exportRecord(record.id).status == .cancelled)
        }
    }

    @Test("what is no file does not become a result", arguments: [nil, "../../secret.wav", "/etc/passwd"])
    func noFile(link: String?) async throws {
        let odd = Odd { (export) throws(EarshotError) in
            guard let link else { return }
            try? FileManager.default.createSymbolicLink(
                atPath: export.destination.path,
                withDestinationPath: link
            )
        }
        try await TestMedia.run(files: odd) { (service: TestService, media: TestMedia) async throws in
            let http = try await TestMedia.client(service)
            let record = try await http.export(ExportRequest(asset: "music/Album/long.flac", name: "x.wav"))
            for try await _ in http.exportUpdates(record.id) {}
            let after = try await http.exportRecord(record.id)
            #expect(after.status == .failed)
            #expect(after.error?.code == "writeFailed")
            #expect(media.exported.isEmpty)
        }
    }

    @Test("a name that another file has taken meanwhile is left to it")
    func taken() async throws {
        let odd = Odd { (export) throws(EarshotError) in
            let (workspace, name) = (
                export.destination.deletingLastPathComponent(), export.destination.lastPathComponent
            )
            let other = workspace.deletingLastPathComponent().appendingPathComponent(name)
            for url in [export.destination, other] {
                _ = FileManager.default.createFile(atPath: url.path, contents: Data(url.path.utf8))
            }
        }
        try await TestMedia.run(files: odd) { (service: TestService, media: TestMedia) async throws in
            let http = try await TestMedia.client(service)
            let record = try await http.export(ExportRequest(asset: "music/Album/long.flac", name: "x.wav"))
            for try await _ in http.exportUpdates(record.id) {}
            let error = try #require(try await http.exportRecord(record.id).error)
            #expect(error.code == "destinationExists")
            #expect(!error.message.contains(media.folder.path))
            let file = media.exports.appendingPathComponent("x.wav")
            #expect(media.exported == ["x.wav"])
            #expect(String(decoding: try Data(contentsOf: file), as: UTF8.self).hasSuffix("exports/x.wav"))
        }
    }

    @Test("a client sees its own exports only, and others' files are fetched by nobody")
    func ownership() async throws {
        try await TestMedia.run { (service: TestService, media: TestMedia) async throws in
            let (one, other) = (try await TestMedia.client(service), try await TestMedia.client(service))
            let record = try await one.export(ExportRequest(asset: "music/surround.wav", name: "x.caf"))
            for try await _ in one.exportUpdates(record.id) {}
            await #expect { try await other.exportRecord(record.id) } throws: {
                ($0 as? EarshotError)?.code == .entityNotFound
            }
            await #expect { try await other.removeExport(record.id) } throws: {
                ($0 as? EarshotError)?.code == .entityNotFound
            }
            #expect(try await other.exports().isEmpty)
            let all = try await service.ask(.GET, "/v1/exports", token: service.admin)
            #expect(try all.decoded([ExportRecord].self).map(\.id) == [record.id])
            // Clients that are not trusted with references are not trusted with files.
            let reply = try await service.ask(.GET, "/v1/exports", token: try await service.token())
            #expect(reply.status == 403)
        }
    }

    @Test("of the exports that are over so many are kept, and the files of the oldest go with them")
    func keeping() async throws {
        try await TestMedia.run {
            $0.exportsKept = 2
        } _: { (service: TestService, media: TestMedia) async throws in
            let http = try await TestMedia.client(service)
            for number in 1...4 {
                let record = try await http.export(ExportRequest(asset: "music/surround.wav", name: "\(number).caf"))
                for try await _ in http.exportUpdates(record.id) {}
                service.time.advance(10)
            }
            #expect(try await http.exports().map(\.name) == ["4.caf", "3.caf"])
            #expect(media.exported == ["3.caf", "4.caf"])
        }
    }

    @Test("an export that the end of a service interrupts has failed at the next start, and nothing of it is left")
    func restart() async throws {
        try await withTemporaryFolder { folder in
            let media = try TestMedia(in: folder)
            let long = media.music.appendingPathComponent("noise.wav")
            try media.addLongFile("noise.wav")
            let store = try SQLiteAccountStore.inMemory()
            func center() -> ExportQueue {
                ExportQueue(
                    folder: media.exports,
                    store: store,
                    decoder: InProcessFileDecoder(),
                    width: 1,
                    kept: 10,
                    now: { Date() },
                    logger: TestService.silentLogger
                )
            }
            let roots = try MediaRoots([try MediaRoot(name: "music", folder: media.music)])
            let first = center()
            try await first.start()
            var settings = ExportRequest.Settings()
            settings.sampleRate = 44_100
            let request = ExportRequest(asset: "music/noise.wav", name: "x.flac", settings: settings)
            let destination = media.exports.appendingPathComponent("x.flac")
            let plan = try await FileExport.session(long, request, to: destination).plan()
            let record = try await first.submit(
                try roots.place("music/noise.wav"),
                request,
                name: "x.flac",
                type: .flac,
                plan: ExportRecord.Plan(plan),
                owner: "operator"
            )
            for await update in await first.events(record.id) where update.progress.frames > 0 { break }
            await first.stop()
            #expect(media.exported.isEmpty)
            // What a killed process leaves behind.
            let left = media.exports.appendingPathComponent(".earshot-\(UUID().uuidString).tags.partial")
            try Data("half".utf8).write(to: left)
            let workspace = ExportWorkspace(record.id, in: media.exports)
            try workspace.make()
            try Data("half".utf8).write(to: workspace.file("x.flac"))
            // What was whole when a process was killed, and not told of yet.
            var whole = record
            (whole.id, whole.name) = ("whole", "whole.flac")
            try await store.setValue(
                try ServiceAPI.encoder().encode(ExportQueue.Order(record: whole, owner: "operator")),
                for: "export/whole"
            )
            try Data("all".utf8).write(to: media.exports.appendingPathComponent("whole.flac"))
            let second = center()
            try await second.start()
            #expect(await second.record("whole", for: nil)?.status == .completed)
            #expect(await second.record("whole", for: nil)?.size == 3)
            try await second.remove("whole")
            let after = try #require(await second.record(record.id, for: nil))
            #expect(after.status == .failed)
            #expect(after.error?.code == "cancelled")
            #expect(media.exported.isEmpty)
            await second.stop()
        }
    }
}
