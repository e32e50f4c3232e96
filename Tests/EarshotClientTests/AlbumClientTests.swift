import EarshotAPI
import EarshotAlbums
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition
import Foundation
import TestSupport
import Testing

@testable import EarshotClient

@Suite("Albums over a network")
struct AlbumClientTests {
    /// Answers every file with a track of an album that is named after its folder, with a cover to be loaded.
    private static let handler: StubServer.Handler = { request in
        if request.path == "/v1/tokens" { return ServiceServer.tokens(request) }
        if request.path.hasPrefix("/cover/") {
            return StubServer.Response(status: 200, headers: [("content-type", "image/png")], body: Data([1, 2, 3]))
        }
        guard let asked = try? ServiceAPI.decoder().decode(AlbumRequest.self, from: request.body) else {
            return ServiceServer.failure(.requestInvalid, "No.", status: 400)
        }
        let decisions = asked.files.map { file in
            var match = MusicMatch()
            (match.track.id, match.album.id) = (EntityID(file.id), EntityID(file.album ?? ""))
            let address = "/cover/" + (file.album ?? "").lowercased()
            match.album.coverArt = ContentImage(url: address, size: .small, mimeType: "image/png")
            return FileDecision(file: file.id, match: match, confidence: 1)
        }
        return ServiceServer.json(AlbumDecisions(decisions))
    }

    private static let files = ["One", "Two"].flatMap { (album: String) in
        (1...6).map { (number: Int) in
            var file = FileAttributes(id: "Foxes/\(album)/\(number).mp3")
            file.path = ["Foxes", album, "\(number).mp3"]
            (file.artist, file.album, file.title, file.trackNumber) = ("Foxes", album, "T\(number)", number)
            return file
        }
    }

    @Test(
        "two albums are two questions, and their covers two more; no cover is loaded before it is asked for",
        .requirements("R-MC-101", "R-MC-108", "R-MC-109", "R-MC-156")
    )
    func load() async throws {
        try await StubServer.with(Self.handler) { server in
            let configuration = try ClientConfiguration(clientIdentifier: ServiceServer.identifier)
            let service = HTTPRecognitionService(
                server.url,
                configuration: configuration,
                options: ServiceServer.patient
            )
            func queries() -> [String] { server.requests.map(\.path).filter { $0 != "/v1/tokens" } }
            let result = try await AlbumIdentifier(service).identify(Self.files).value
            #expect(result.matched.count == 12)
            #expect(queries() == Array(repeating: "/v1/albums/identifications", count: 2))
            let loader = ContentLoader(service: service, configuration: configuration)
            for album in ["One", "Two"] {
                let match = try #require(result.matched.first { $0.match?.album.id?.rawValue == album }?.match)
                #expect(try await loader.coverArt(of: match)?.data == Data([1, 2, 3]))
            }
            #expect(queries().count == 4)
            // The other files of the albums have theirs already.
            for decision in result.matched { _ = try await loader.coverArt(of: try #require(decision.match)) }
            #expect(queries().count == 4)
        }
    }

    @Test(
        "the three settings leave kinds of evidence out",
        .requirements("R-MC-095", "R-MC-096", "R-MC-097", "R-MC-098")
    )
    func settings() throws {
        var configuration = try ClientConfiguration(clientIdentifier: ServiceServer.identifier)
        #expect(configuration.albumEvidence == .all)
        let keys: [(ConfigurationKey, AlbumEvidence)] = [
            (.useTagData, .tags), (.useCatalogID, .identifiers), (.useFingerprint, [.sound, .fingerprints]),
        ]
        for (key, evidence) in keys {
            try configuration.setValue("false", forKey: key.rawValue)
            #expect(configuration.albumEvidence == AlbumEvidence.all.subtracting(evidence))
            try configuration.setValue("true", forKey: key.rawValue)
        }
    }

    @Test("an identification that takes longer than any query may is not cut off", .requirements("R-MC-115"))
    func noLimit() async throws {
        let (clock, barrier) = (ManualClock(), Barrier())
        try await StubServer.with { request in
            // A token is asked for once, however late it is by then.
            guard request.path != "/v1/tokens" else { return ServiceServer.tokens(request, expiresIn: 1_000_000) }
            await barrier.pass()
            return await Self.handler(request)
        } _: { server in
            var options = HTTPRecognitionService.Options()
            options.clock = clock.clock
            // By the clock of the machine, too, silence of ten seconds would be the end of any other request.
            options.requestLimit = MediaTime(value: 10, timescale: 1)
            let configuration = try ClientConfiguration(clientIdentifier: ServiceServer.identifier)
            let service = HTTPRecognitionService(server.url, configuration: configuration, options: options)
            let operation = AlbumIdentifier(service).identify(Self.files)
            await barrier.arrivals(1)
            let queryLimit = try #require(RecognitionClient.Policy().queryLimit)
            clock.advance(by: 60 * max(queryLimit, options.requestLimit).seconds)
            try await Task.sleep(for: .seconds(11))
            // Nobody waits for a time to come: there is no timer at all.
            #expect(clock.sleeperCount == 0)
            barrier.open()
            #expect(try await operation.value.matched.count == 12)
            #expect(server.requests.filter { $0.path == "/v1/albums/identifications" }.count == 2)
        }
    }

    @Test("what may not be used of a file does not leave the machine", .requirements("R-MC-095", "R-MC-096"))
    func sending() async throws {
        try await StubServer.with(Self.handler) { server in
            let configuration = try ClientConfiguration(clientIdentifier: ServiceServer.identifier)
            let service = HTTPRecognitionService(
                server.url,
                configuration: configuration,
                options: ServiceServer.patient
            )
            _ = try await service.identify(
                AlbumQuery(Self.files, evidence: [.sound, .identifiers]),
                ContentPreferences()
            )
            let body = try #require(server.requests.last?.body)
            let sent = try ServiceAPI.decoder().decode(AlbumRequest.self, from: body)
            #expect(sent.evidence == ["sound", "identifiers"])
            #expect(sent.files.allSatisfy { $0.title == nil && $0.path.isEmpty })
            // A file's name is its path: a number stands for it on the way.
            #expect(sent.files.map(\.id) == (1...12).map(String.init))
            // By the names of the settings: no text of tags at all, and no identifier at all.
            var file = Self.files[2]
            (file.fingerprint, file.trackID, file.albumID) = ("AQAA", "t", "a")
            (file.albumArtist, file.genre, file.trackCount) = ("Various", "Folk", 6)
            file.identifiers = Set([MusicIdentifier(.isrc, "GBAYE0601498")].compactMap(\.self))
            func fields(without key: String) async throws -> [String: Any] {
                var configuration = configuration
                try configuration.setValue("false", forKey: "content.albumIdentification.queryPreference." + key)
                var options = AlbumIdentifier.Options()
                options.evidence = configuration.albumEvidence
                _ = try await AlbumIdentifier(service, options: options).identify([file]).value
                let body = try #require(server.requests.last?.body)
                let object = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
                return try #require((object["files"] as? [[String: Any]])?.first)
            }
            let tags = ["title", "artist", "album", "albumArtist", "genre", "trackNumber", "trackCount"]
            let identifiers = ["trackID", "albumID", "identifiers"]
            let plain = try await fields(without: "useTagData")
            #expect(plain.keys.allSatisfy { !tags.contains($0) }, "\(plain)")
            #expect(plain["trackID"] as? String == "t" && plain["fingerprint"] as? String == "AQAA")
            let unnamed = try await fields(without: "useCatalogueId")
            #expect(unnamed["trackID"] == nil && unnamed["albumID"] == nil, "\(unnamed)")
            #expect(!String(describing: unnamed).contains("GBAYE0601498"))
            #expect(tags.allSatisfy { unnamed[$0] != nil } && unnamed["fingerprint"] as? String == "AQAA")
            let silent = try await fields(without: "useFingerprint")
            #expect(silent["fingerprint"] == nil && silent["signature"] == nil)
            #expect((tags + identifiers).allSatisfy { silent[$0] != nil }, "\(silent)")
        }
    }

    @Test("a fingerprint of a file, kept as text, identifies its track by itself", .requirements("R-MC-083"))
    func keptFingerprint() async throws {
        let service = try await TestMusic.shared.value.service
        let client = RecognitionClient(service: service, files: OperationTests.files)
        let configuration = try ClientConfiguration(clientIdentifier: ServiceServer.identifier)
        let requests: [(FingerprintRequest, EntityID<Track>)] = [
            (.file(URL(fileURLWithPath: "/music/lantern.wav")), "t1"),
            (.samples(try TestMusic.samples(2, seconds: 25), .file), "t2"),
        ]
        for (request, track) in requests {
            let kept = try Fingerprint(text: try await client.fingerprint(of: request, configuration).text)
            #expect(kept.kind == .file)
            var file = FileAttributes(id: "somewhere")
            file.signature = kept.signature
            let result = try await AlbumIdentifier(AlbumDecider(service)).identify([file]).value
            #expect(result.matched.map(\.file) == ["somewhere"])
            #expect(result.matched.first?.match?.track.id == track)
        }
    }

    @Test("every field that is known of a file is in the request", .requirements("R-MC-091"))
    func fields() async throws {
        try await StubServer.with(Self.handler) { server in
            let configuration = try ClientConfiguration(clientIdentifier: ServiceServer.identifier)
            let service = HTTPRecognitionService(
                server.url,
                configuration: configuration,
                options: ServiceServer.patient
            )
            var file = Self.files[2]
            (file.fingerprint, file.trackID, file.albumID) = ("AQAA", "t", "a")
            file.identifiers = Set([MusicIdentifier(.isrc, "GBAYE0601498")].compactMap(\.self))
            _ = try await service.identify(AlbumQuery([file]), ContentPreferences())
            let body = try #require(server.requests.last?.body)
            let sent = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
            let fields = try #require((sent["files"] as? [[String: Any]])?.first)
            for (name, value) in [
                ("fingerprint", "AQAA"), ("artist", "Foxes"), ("album", "One"), ("title", "T3"), ("trackID", "t"),
                ("albumID", "a"),
            ] {
                #expect(fields[name] as? String == value, "\(name)")
            }
            #expect(fields["trackNumber"] as? Int == 3)
            #expect(fields["path"] as? [String] == ["Foxes", "One", "3.mp3"])
            let identifiers = String(describing: try #require(fields["identifiers"]))
            #expect(identifiers.contains("GBAYE0601498"), "\(identifiers)")
        }
    }

    @Test("an answer that cannot be is refused, whatever it holds", arguments: Impossible.allCases)
    func impossible(kind: Impossible) async throws {
        let handler: StubServer.Handler = { request in
            guard request.path != "/v1/tokens" else { return ServiceServer.tokens(request) }
            var decisions = (1...2).map { FileDecision(file: "\($0)", match: MusicMatch(), confidence: 0.9) }
            switch kind {
            case .others: decisions[1].file = "3"
            case .fewer: decisions.removeLast()
            case .unsure: decisions[0].confidence = 1e300
            case .strangeCopy: decisions[0].duplicateOf = "7"
            case .ownCopy: decisions[0].duplicateOf = "1"
            case .tracks: decisions[0].match?.album.trackCount = .max
            case .reasons:
                decisions[0].reasons = Array(repeating: MatchReason(.title, weight: 1, text: "so"), count: 1_000)
            case .none: decisions[1].duplicateOf = "1"
            }
            return ServiceServer.json(AlbumDecisions(decisions, searched: SearchedPart(references: 3, of: 4)))
        }
        try await StubServer.with(handler) { server in
            let service = HTTPRecognitionService(
                server.url,
                configuration: try ClientConfiguration(clientIdentifier: ServiceServer.identifier),
                options: ServiceServer.patient
            )
            let query = AlbumQuery(["a", "b"].map { FileAttributes(id: $0) })
            do throws(EarshotError) {
                let answer = try await service.answer(to: query, ContentPreferences())
                let decisions = answer.decisions
                #expect(kind == .none && answer.searched == SearchedPart(references: 3, of: 4))
                #expect(decisions.map(\.file) == ["a", "b"] && decisions[1].duplicateOf == "a")
            } catch {
                #expect(kind != .none && error.code == .malformedResponse, "\(error.message)")
            }
        }
    }

    enum Impossible: CaseIterable {
        case others, fewer, unsure, strangeCopy, ownCopy, tracks, reasons, none
    }
}
