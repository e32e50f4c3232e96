import EarshotAPI
import EarshotAnalysis
import EarshotClient
import EarshotCore
import EarshotLibrary
import EarshotMedia
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Analyses and search of media over HTTP")
struct MediaLibraryRouteTests {
    @Test("a folder is analyzed in the background, bad files are listed with codes, and nothing is done twice")
    func analyses() async throws {
        try await TestMedia.run { (service: TestService, media: TestMedia) async throws in
            let http = try await TestMedia.client(service)
            let request = AnalysisRequest(folder: "music", analyzers: ["silence", "loudness"])
            let run = try await http.analyze(request)
            #expect(run.state == .waiting)
            #expect(run.analyzers == ["loudness", "silence"])
            var last: AnalysisRun?
            let interval = MediaTime(value: 1, timescale: 100)
            for try await update in http.analysisUpdates(run.id, every: interval) { last = update }
            let done = try #require(last)
            #expect(done.state == .done)
            #expect(done.total == 8)
            #expect(done.done == 8)
            #expect(done.analyzed == 8)
            #expect(done.failures.contains { $0.asset == "music/damaged.mp3" && $0.code == "assetUnreadable" })
            #expect(done.failureCounts["assetUnreadable"] == 2)
            #expect(!done.failures.contains { $0.message.contains(media.folder.path) })
            let results = try await http.analyses(of: "music/Album/long.flac")
            #expect(results.analyses.map(\.analyzer) == ["loudness", "silence"])
            #expect(results.analyses.first?.result?["integrated"]?.number != nil)
            let bad = try await http.analyses(of: "music/damaged.mp3")
            #expect(bad.analyses.allSatisfy { $0.error?.code == "assetUnreadable" && $0.result == nil })

            let second = try await http.analyze(request)
            for try await update in http.analysisUpdates(second.id, every: interval) { last = update }
            #expect(last?.unchanged == 8)
            #expect(last?.analyzed == 0)
            try await http.removeAnalysisRun(second.id)
            await #expect { try await http.analysisRun(second.id) } throws: {
                ($0 as? EarshotError)?.code == .entityNotFound
            }
            for (folder, analyzers, code) in [
                ("music/../x", nil, EarshotError.Code.accessDenied), ("music/out", nil, .accessDenied),
                ("music/none", nil, .entityNotFound), ("music/surround.wav", nil, .entityNotFound),
                ("music", ["magic"], .requestInvalid), ("music", [], .requestInvalid),
            ] as [(String, [String]?, EarshotError.Code)] {
                await #expect {
                    try await http.analyze(AnalysisRequest(folder: folder, analyzers: analyzers))
                } throws: {
                    ($0 as? EarshotError)?.code == code
                }
            }
        }
    }

    @Test("an analysis that is canceled ends, and one that waits is never begun")
    func cancelledAnalyses() async throws {
        try await TestMedia.run {
            $0.analysisWorkers = 1
        } _: { (service: TestService, media: TestMedia) async throws in
            try media.addLongFile("Album/noise.wav")
            let http = try await TestMedia.client(service)
            let first = try await http.analyze(AnalysisRequest(folder: "music/Album"))
            let second = try await http.analyze(AnalysisRequest(folder: "music"))
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
            let http = try await TestMedia.client(service)
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
            let store = MemoryFolderStore()
            let scan = FolderIndex(roots, store: store, logger: TestService.silentLogger)
            #expect(await scan.state().index.count == 0)
            await scan.scan()
            // The link to a file inside is that file, and those that lead out are nothing.
            #expect(await scan.state().index.count == 6)
            #expect(await scan.state().isComplete)
            #expect(await store.known().allSatisfy { $0.path.hasPrefix(media.music.path) && !$0.path.contains("/out") })
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
