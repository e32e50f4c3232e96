import EarshotAPI
import EarshotClient
import EarshotCore
import EarshotLibrary
import EarshotMedia
import EarshotMetadata
import EarshotSQLite
import Foundation
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Media over HTTP")
struct MediaRouteTests {
    private func client(_ service: TestService) async throws -> HTTPRecognitionService {
        var change = ClientChange()
        change.mayChangeReferences = true
        let configuration = try ClientConfiguration(
            clientIdentifier: try await service.client(change).identifier ?? ""
        )
        var options = HTTPRecognitionService.Options()
        options.requestLimit = MediaTime(value: 600, timescale: 1)
        return HTTPRecognitionService(
            try #require(URL(string: service.base)),
            configuration: configuration,
            options: options
        )
    }

    /// The samples of a file, as an own reader gives them.
    private func decoded(_ url: URL, _ options: AssetReader.Options = .init()) async throws -> [Float] {
        var samples: [Float] = []
        for try await block in try await AssetReader(url, options: options) {
            if case .float32(let part) = block.buffer.samples { samples += part }
        }
        return samples
    }

    private func floats(_ bytes: Data) -> [Float] {
        bytes.withUnsafeBytes { raw in
            (0..<raw.count / 4).map {
                Float(bitPattern: UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self)))
            }
        }
    }

    // MARK: - Exports

    @Test("an export is started, watched to its end, fetched and removed", .requirements("R-MR-136"))
    func exporting() async throws {
        try await TestMedia.run { (service: TestService, media: TestMedia) async throws in
            let http = try await client(service)
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

    @Test("an export that is cancelled ends cancelled, and nothing of it is left", .requirements("R-MR-136"))
    func cancelling() async throws {
        try await TestMedia.run {
            $0.exportWorkers = 1
        } _: { (service: TestService, media: TestMedia) async throws in
            let http = try await client(service)
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

    @Test("a client sees its own exports only, and others' files are fetched by nobody")
    func ownership() async throws {
        try await TestMedia.run { (service: TestService, media: TestMedia) async throws in
            let (one, other) = (try await client(service), try await client(service))
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
            let http = try await client(service)
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
            func center() -> ExportCenter {
                ExportCenter(
                    folder: media.exports,
                    store: store,
                    width: 1,
                    kept: 10,
                    now: { Date() },
                    logger: TestService.silentLogger
                )
            }
            let roots = try MediaRoots([try MediaRoot(name: "music", folder: media.music)])
            let first = center()
            try await first.start()
            var settings = ExportSettings()
            settings.sampleRate = 44_100
            let destination = media.exports.appendingPathComponent("x.flac")
            let plan = try await ExportSession(long, settings: settings, to: destination).plan()
            let record = try await first.submit(
                try roots.place("music/noise.wav"),
                settings,
                name: "x.flac",
                type: .flac,
                plan: plan,
                owner: "operator"
            )
            for await update in await first.events(record.id) where update.progress.frames > 0 { break }
            await first.stop()
            #expect(media.exported.isEmpty)
            // What a killed process leaves behind.
            let left = media.exports.appendingPathComponent(".earshot-\(UUID().uuidString).tags.partial")
            try Data("half".utf8).write(to: left)
            // What was whole when a process was killed, and not told of yet.
            var whole = record
            (whole.id, whole.name) = ("whole", "whole.flac")
            try await store.setValue(
                try ServiceAPI.encoder().encode(ExportCenter.Order(record: whole, owner: "operator")),
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

    // MARK: - Samples

    @Test(
        "a run of samples is the same run of the whole decoded file",
        .requirements("R-MR-137"),
        arguments: ["Album/tagged.mp3", "Album/tagged.m4a", "Album/tagged.ogg", "Album/long.flac", "surround.wav"]
    )
    func samples(file: String) async throws {
        try await TestMedia.run { (service: TestService, media: TestMedia) async throws in
            let http = try await client(service)
            let url = media.music.appendingPathComponent(file)
            let whole = try await decoded(url)
            let channels = try await AssetReader(url).format.channelCount
            let frames = whole.count / channels
            var random = SeededGenerator(seed: UInt64.random(in: 0...UInt64.max))
            for round in 0..<6 {
                let start = round == 0 ? 0 : Int.random(in: 0..<frames, using: &random)
                let length = round == 1 ? 1 : Int.random(in: 1...30_000, using: &random)
                let buffer = try await http.samples(of: "music/\(file)", from: Int64(start), length: length)
                let wanted = whole.dropFirst(start * channels).prefix(length * channels)
                #expect(buffer.samples == .float32(Array(wanted)), "from \(start), \(length) frames")
            }
        }
    }

    @Test("samples come in the rate, channels and format that were asked for", .requirements("R-MR-137"))
    func formats() async throws {
        try await TestMedia.run { (service: TestService, media: TestMedia) async throws in
            let url = media.music.appendingPathComponent("Album/long.flac")
            let path = "/v1/assets/\(TestMedia.escaped("music/Album/long.flac"))/samples"
            let reply = try await service.ask(
                .GET,
                "\(path)?start=8000&length=4000&rate=16000&channels=1",
                token: service.admin
            )
            #expect(reply.status == 200)
            #expect(reply.headers.first(name: "Content-Type") == ServiceAPI.samplesType)
            #expect(reply.headers.first(name: "X-Sample-Rate") == "16000")
            #expect(reply.headers.first(name: "X-Channels") == "1")
            #expect(reply.headers.first(name: "X-Sample-Format") == "float32")
            let whole = try await decoded(url, AssetReader.Options(sampleRate: 16_000, channels: .mono))
            #expect(floats(reply.bytes) == Array(whole[8_000..<12_000]))
            let http = try await client(service)
            let integers = try await http.samples(of: "music/Album/long.flac", from: 10, length: 5, as: .int16)
            guard case .int16(let values) = integers.samples else {
                Issue.record("they are no integers")
                return
            }
            #expect(values.count == 10)
            #expect(integers.sampleRate == 44_100)
            // What begins late begins with silence.
            let late = try await http.samples(of: "music/late.mkv", from: 0, length: 8_000)
            guard case .float32(let heard) = late.samples else { return }
            #expect(heard.prefix(4_000 * 2).allSatisfy { $0 == 0 })
            #expect(heard.dropFirst(4_000 * 2).contains { $0 != 0 })
        }
    }

    @Test("a run behind the end is 416, and one that is longer than may be is refused")
    func bounds() async throws {
        try await TestMedia.run { (service: TestService, media: TestMedia) async throws in
            let path = "/v1/assets/\(TestMedia.escaped("music/Album/long.flac"))/samples"
            func status(_ query: String) async throws -> Int {
                try await service.ask(.GET, path + query, token: service.admin).status
            }
            let behind = try await service.ask(.GET, path + "?start=200214&length=10", token: service.admin)
            #expect(behind.status == 416)
            #expect(behind.code == "requestInvalid")
            #expect(try await status("?start=99999999999&length=10") == 416)
            let last = try await service.ask(.GET, path + "?start=200213&length=10", token: service.admin)
            #expect(last.status == 200)
            #expect(last.bytes.count == 8)
            #expect(try await status("") == 400)
            #expect(try await status("?length=0") == 400)
            #expect(try await status("?start=-1&length=1") == 400)
            #expect(try await status("?length=\(ServiceAPI.samplesLimit + 1)") == 400)
            #expect(try await status("?length=1&format=mp3") == 400)
            #expect(try await status("?length=1&channels=9") == 400)
            #expect(try await status("?length=1&rate=1") == 400)
            #expect(try await service.ask(.GET, "/metrics").bytes.count > 0)
        }
    }

    @Test(
        "a path that leads out of the media folders is refused with 403",
        .requirements("R-MR-138"),
        arguments: [
            "music%2F..%2Fsecret.wav", "..%2Fsecret.wav", "music%2F%2E%2E%2Fsecret.wav", "%2Fetc%2Fpasswd",
            "music%2F%2Fetc%2Fpasswd", "music%2F%252e%252e%252fsecret.wav", "music%2Fin.flac%00.wav",
            "music%2Fout%2Finside.wav", "music%2Fout.wav", "music%2Flost", "music%2F..", "..", "%2e%2e",
        ]
    )
    func refused(id: String) async throws {
        try await TestMedia.run { (service: TestService, media: TestMedia) async throws in
            for part in ["", "/samples?length=10", "/waveform", "/analyses"] {
                let reply = try await service.ask(.GET, "/v1/assets/\(id)\(part)", token: service.admin)
                #expect(reply.status == 403, "\(part)")
                #expect(reply.code == "accessDenied")
                let message = try reply.decoded(Failure.self).error.message
                #expect(message.contains("refused because"))
                #expect(!message.contains(media.folder.path))
            }
        }
    }

    // MARK: - Facts, waveforms

    @Test("a file's duration is told as value and timescale, with its tracks and tags")
    func facts() async throws {
        try await TestMedia.run { (service: TestService, media: TestMedia) async throws in
            let http = try await client(service)
            let record = try await http.asset("music/Album/tagged.m4a")
            #expect(record.id == "music/Album/tagged.m4a")
            #expect(record.duration?.timescale == 44_100)
            #expect(record.duration?.value == 88_200)
            #expect(record.duration?.seconds == 2)
            #expect(record.tracks.map(\.codec) == ["aac"])
            #expect(record.tracks.first?.channels == 2)
            #expect(record.tags["title"] == "夜の音 “Earshot”")
            #expect(record.hasPicture)
            #expect(record.size == 18_428)
            for (id, status, code) in [
                ("music/damaged.mp3", 422, "assetUnreadable"), ("music/none.wav", 404, "entityNotFound"),
                ("other/none.wav", 404, "entityNotFound"),
            ] {
                let reply = try await service.ask(
                    .GET,
                    "/v1/assets/\(TestMedia.escaped(id))",
                    token: service.admin
                )
                #expect(reply.status == status)
                #expect(reply.code == code)
                #expect(!String(decoding: reply.bytes, as: UTF8.self).contains(media.folder.path))
            }
        }
    }

    @Test("a waveform comes as JSON or as a data file, and anew when the file has changed")
    func waveforms() async throws {
        try await TestMedia.run { (service: TestService, media: TestMedia) async throws in
            let http = try await client(service)
            let url = media.music.appendingPathComponent("Album/long.flac")
            let path = "/v1/assets/\(TestMedia.escaped("music/Album/long.flac"))/waveform"
            let reader = try await AssetReader(url)
            var maker = WaveformMaker(sampleRate: 44_100, channelCount: 2)
            for try await block in reader { maker.append(block.buffer) }
            let wanted = maker.waveform
            let record = try await http.waveform(of: "music/Album/long.flac", buckets: 100)
            #expect(record.length <= 100 && record.length > 50)
            #expect(record.channels == 1)
            #expect(record.data.count == record.length * 2)
            let data = try await service.ask(
                .GET,
                path + "?samplesPerPixel=512&channels=1&bits=16",
                token: service.admin,
                headers: [("Accept", ServiceAPI.waveformType)]
            )
            #expect(data.headers.first(name: "Content-Type") == ServiceAPI.waveformType)
            #expect(Array(data.bytes) == wanted.coarser(by: 2).dataFile(.bits16))
            let json = try await service.ask(.GET, path, token: service.admin)
            #expect(String(decoding: json.bytes, as: UTF8.self) == (try wanted.mono.json()))
            let odd = try await service.ask(.GET, path + "?samplesPerPixel=100", token: service.admin)
            #expect(try odd.decoded(WaveformRecord.self).samplesPerPixel == 100)
            let tag = try #require(json.headers.first(name: "ETag"))
            let again = try await service.ask(.GET, path, token: service.admin, headers: [("If-None-Match", tag)])
            #expect(again.status == 304)
            #expect(
                try await service.ask(.GET, path + "?buckets=5&samplesPerPixel=5", token: service.admin).status == 400
            )
            #expect(try await service.ask(.GET, path + "?bits=9", token: service.admin).status == 400)

            try FileManager.default.removeItem(at: url)
            try FileManager.default.copyItem(at: TestMedia.fixtures.appendingPathComponent("chirp.flac"), to: url)
            let other = try await service.ask(.GET, path, token: service.admin, headers: [("If-None-Match", tag)])
            #expect(other.status == 200)
            #expect(other.bytes != json.bytes)
        }
    }

    @Test("a waveform that is kept is made once for all who ask at a time, and gives way to newer ones")
    func caching() async throws {
        let cache = WaveformCache(limit: 1)
        @Sendable func waveform() -> Waveform {
            var maker = WaveformMaker(sampleRate: 1_000, channelCount: 1, framesPerBucket: 1)
            maker.append(AudioBuffer([Float](repeating: 0.5, count: 100), sampleRate: 1_000))
            return maker.waveform
        }
        let made = Counter()
        @Sendable func ask(_ path: String, _ stamp: String = "1") async throws -> Waveform {
            let key = WaveformCache.Key(path: path, stamp: stamp, frames: 1)
            return try await cache.waveform(key) { () async throws(EarshotError) in
                made.add()
                await Task.yield()
                return waveform()
            }
        }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<10 { group.addTask { try await ask("a").length } }
            for try await length in group { #expect(length == 100) }
        }
        #expect(made.count == 1)
        _ = try await ask("b")
        _ = try await ask("b")
        #expect(made.count == 2)
        // It was too much for two.
        _ = try await ask("a")
        #expect(made.count == 3)
        _ = try await ask("a", "2")
        #expect(made.count == 4)
    }

    // MARK: - Library

    @Test("a folder is analysed in the background, bad files are listed with codes, and nothing is done twice")
    func analyses() async throws {
        try await TestMedia.run { (service: TestService, media: TestMedia) async throws in
            let http = try await client(service)
            let request = AnalysisRequest(folder: "music", analysers: ["silence", "loudness"])
            let run = try await http.analyse(request)
            #expect(run.state == .waiting)
            #expect(run.analysers == ["loudness", "silence"])
            var last: AnalysisRun?
            let interval = MediaTime(value: 1, timescale: 100)
            for try await update in http.analysisUpdates(run.id, every: interval) { last = update }
            let done = try #require(last)
            #expect(done.state == .done)
            #expect(done.total == 8)
            #expect(done.done == 8)
            #expect(done.analysed == 8)
            #expect(done.failures.contains { $0.asset == "music/damaged.mp3" && $0.code == "assetUnreadable" })
            #expect(done.failureCounts["assetUnreadable"] == 2)
            #expect(!done.failures.contains { $0.message.contains(media.folder.path) })
            let results = try await http.analyses(of: "music/Album/long.flac")
            #expect(results.analyses.map(\.analyser) == ["loudness", "silence"])
            #expect(results.analyses.first?.result?["integrated"]?.number != nil)
            let bad = try await http.analyses(of: "music/damaged.mp3")
            #expect(bad.analyses.allSatisfy { $0.error?.code == "assetUnreadable" && $0.result == nil })

            let second = try await http.analyse(request)
            for try await update in http.analysisUpdates(second.id, every: interval) { last = update }
            #expect(last?.unchanged == 8)
            #expect(last?.analysed == 0)
            try await http.removeAnalysisRun(second.id)
            await #expect { try await http.analysisRun(second.id) } throws: {
                ($0 as? EarshotError)?.code == .entityNotFound
            }
            for (folder, analysers, code) in [
                ("music/../x", nil, EarshotError.Code.accessDenied), ("music/out", nil, .accessDenied),
                ("music/none", nil, .entityNotFound), ("music/surround.wav", nil, .entityNotFound),
                ("music", ["magic"], .requestInvalid), ("music", [], .requestInvalid),
            ] as [(String, [String]?, EarshotError.Code)] {
                await #expect {
                    try await http.analyse(AnalysisRequest(folder: folder, analysers: analysers))
                } throws: {
                    ($0 as? EarshotError)?.code == code
                }
            }
        }
    }

    @Test("an analysis that is cancelled ends, and one that waits is never begun")
    func cancelledAnalyses() async throws {
        try await TestMedia.run {
            $0.analysisWorkers = 1
        } _: { (service: TestService, media: TestMedia) async throws in
            try media.addLongFile("Album/noise.wav")
            let http = try await client(service)
            let first = try await http.analyse(AnalysisRequest(folder: "music/Album"))
            let second = try await http.analyse(AnalysisRequest(folder: "music"))
            try await http.removeAnalysisRun(second.id)
            #expect(try await http.analysisRun(second.id).state == .cancelled)
            #expect(try await http.analysisRun(second.id).total == nil)
            try await http.removeAnalysisRun(first.id)
            #expect(try await http.analysisRun(first.id).state == .cancelled)
            #expect(try await http.analysisRun(second.id).state == .cancelled)
        }
    }

    @Test("commands and names are looked for in the media folders, and every candidate is told")
    func searching() async throws {
        try await TestMedia.run { (service: TestService, media: TestMedia) async throws in
            let http = try await client(service)
            var answer = try await http.searchLibrary("play album テストの歌")
            while !answer.isComplete {
                try await Task.sleep(for: .milliseconds(10))
                answer = try await http.searchLibrary("play album テストの歌")
            }
            #expect(answer.command == "playAlbum")
            #expect(answer.choice == 0)
            #expect(answer.candidates.map(\.kind) == [.album])
            #expect(
                answer.candidates.first?.assets.sorted() == [
                    "music/Album/tagged.m4a", "music/Album/tagged.mp3", "music/Album/tagged.ogg",
                ]
            )
            #expect(answer.candidates.first?.reason == "exact")
            // Three files of one title: somebody has to choose.
            let tracks = try await http.searchLibrary("夜の音 earshot")
            #expect(tracks.command == "play")
            #expect(tracks.candidates.count == 3)
            #expect(tracks.choice == nil)
            #expect(tracks.candidates.allSatisfy { $0.artist == "音楽家" && $0.assetCount == 1 })
            #expect(try await http.searchLibrary("surround").candidates.first?.assets == ["music/surround.wav"])
            #expect(try await http.searchLibrary("夜の音 earshot", limit: 1).candidates.count == 1)
            #expect(try await http.searchLibrary("nothing like it at all").candidates.isEmpty)
            let source = try await http.searchLibrary("line in")
            #expect(source.command == "source" && source.name == "lineIn")
            let reply = try await service.ask(.GET, "/v1/library/search", token: service.admin)
            #expect(reply.status == 400)
        }
    }

    @Test("what is known of the folders can come from elsewhere")
    func injectedIndex() async throws {
        try await withTemporaryFolder { folder in
            let media = try TestMedia(in: folder)
            let roots = try MediaRoots([try MediaRoot(name: "music", folder: media.music)])
            let scan = FolderScan(roots, logger: TestService.silentLogger)
            #expect(await scan.state().index.count == 0)
            await scan.scan()
            #expect(await scan.state().index.count == 7)
            #expect(await scan.state().isComplete)
            try FileManager.default.removeItem(at: media.music.appendingPathComponent("Album/long.flac"))
            try FileManager.default.copyItem(
                at: TestMedia.fixtures.appendingPathComponent("chirp.flac"),
                to: media.music.appendingPathComponent("surround.wav.flac")
            )
            await scan.scan()
            // The file is gone and the link to it with it; another one has come.
            #expect(await scan.state().index.count == 6)
        }
    }

    @Test("without media folders the routes say so")
    func unconfigured() async throws {
        try await TestService.run { (service: TestService) async throws in
            for path in ["assets/music%2Fx", "assets/music%2Fx/samples?length=1", "exports", "library/search?q=x"] {
                let reply = try await service.ask(.GET, "/v1/\(path)", token: service.admin)
                #expect(reply.status == 404)
                #expect(reply.code == "entityNotFound")
                #expect(try reply.decoded(Failure.self).error.message.contains("--media-root"))
            }
        }
        try await TestMedia.run {
            $0.exportFolder = nil
        } _: { (service: TestService, _: TestMedia) async throws in
            let reply = try await service.ask(.GET, "/v1/exports", token: service.admin)
            #expect(reply.status == 404)
            #expect(try reply.decoded(Failure.self).error.message.contains("--export-folder"))
        }
    }

    @Test("the examples of the description are what the client reads")
    func examples() throws {
        func example<Value: Decodable>(_ name: String, _ type: Value.Type) throws {
            guard case .array(let examples)? = Schemas.all[name]?["examples"], let first = examples.first else {
                Issue.record("\(name) has no example")
                return
            }
            _ = try ServiceAPI.decoder().decode(type, from: try JSONEncoder().encode(first))
        }
        try example("AssetTime", AssetRecord.Time.self)
        try example("AssetRecord", AssetRecord.self)
        try example("Waveform", WaveformRecord.self)
        try example("ExportRequest", ExportRequest.self)
        try example("ExportRecord", ExportRecord.self)
        try example("AnalysisRequest", AnalysisRequest.self)
        try example("AnalysisRun", AnalysisRun.self)
        try example("AssetAnalyses", AssetAnalyses.self)
        try example("LibraryAnswer", LibraryAnswer.self)
    }
}

/// Counts from any thread.
private final class Counter: Sendable {
    private let state = Mutex(0)
    var count: Int { state.withLock { $0 } }
    func add() { state.withLock { $0 += 1 } }
}
