import EarshotAPI
import EarshotAlbums
import EarshotCatalogs
import EarshotClient
import EarshotCore
import EarshotRecognition
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Albums over HTTP")
struct AlbumRouteTests {
    private func files() throws -> [FileAttributes] {
        var words = FileAttributes(id: "1")
        (words.title, words.artist, words.album) = ("Lantern", "The Tin Foxes", "Morning Rail")
        var sound = FileAttributes(id: "2")
        sound.signature = try TestMusic.query(1)
        sound.duration = MediaTime(seconds: 40)
        var foreign = FileAttributes(id: "3")
        (foreign.title, foreign.artist) = ("Kettle Drum Parade", "Someone Else")
        return [words, sound, foreign]
    }

    @Test("each file has one match or none, whatever is asked for besides", .requirements("R-MC-107"))
    func single() async throws {
        try await TestService.run { service in
            let token = try await service.token()
            let request = AlbumRequest(AlbumQuery(try files()))
            let path = "/v1/albums/identifications"
            for setting in ["", "?preferredSource=shop", "?single=1", "?single=0"] {
                let reply = try await service.ask(.POST, path + setting, token: token, json: request)
                #expect(reply.status == 200)
                let decisions = try reply.decoded(AlbumDecisions.self).files
                #expect(decisions.map(\.file) == ["1", "2", "3"])
                #expect(decisions[0].match?.track.title == "Lantern")
                #expect(decisions[2].match == nil)
                #expect(decisions[0].reasons.contains { $0.text == "the title is the same" })
            }
        }
    }

    @Test("the client and the service in this process answer alike")
    func client() async throws {
        try await TestService.run { service in
            let client = try await service.client(ClientChange())
            let http = HTTPRecognitionService(
                try #require(URL(string: service.base)),
                configuration: try ClientConfiguration(clientIdentifier: client.identifier ?? "")
            )
            let remote = try await http.identify(AlbumQuery(try files()), ContentPreferences())
            let reply = try await service.ask(
                .POST,
                "/v1/albums/identifications",
                token: try await service.token(),
                json: AlbumRequest(AlbumQuery(try files()))
            )
            #expect(try reply.decoded(AlbumDecisions.self).files.map(\.confidence) == remote.map(\.confidence))
            #expect(http.albumQueryLimit == AlbumDecisions.fileLimit)
            // What may not be used is not sent.
            let silent = try await http.identify(AlbumQuery(try files(), evidence: [.sound]), ContentPreferences())
            #expect(silent.map { $0.match == nil } == [true, remote[1].match == nil, true])
        }
    }

    @Test("files that are searched for by their sound are counted, and words once")
    func quota() async throws {
        try await TestService.run { service in
            var change = ClientChange()
            change.quota = 5
            let token = try await service.token(try await service.client(change))
            let path = "/v1/albums/identifications"
            func status(_ files: [FileAttributes]) async throws -> Int {
                try await service.ask(.POST, path, token: token, json: AlbumRequest(AlbumQuery(files))).status
            }
            let sound = try (1...4).map { (number: Int) in
                var file = FileAttributes(id: "\(number)")
                file.signature = try TestMusic.query(1)
                return file
            }
            #expect(try await status(sound) == 200)
            #expect(try await status([FileAttributes(id: "1"), FileAttributes(id: "2")]) == 200)
            #expect(try await status([FileAttributes(id: "1")]) == 429)
        }
    }

    @Test("a number that no album has is passed over")
    func extremes() async throws {
        try await TestService.run { service in
            let names = #""title":"Lantern","artist":"The Tin Foxes""#
            let body = #"{"files":[{"id":"1",\#(names),"trackNumber":9223372036854775807}]}"#
            let reply = try await service.ask(
                .POST,
                "/v1/albums/identifications",
                token: try await service.token(),
                type: "application/json",
                body: Data(body.utf8)
            )
            #expect(reply.status == 200)
            #expect(try reply.decoded(AlbumDecisions.self).files[0].match?.track.title == "Lantern")
        }
    }

    @Test("what cannot be understood is refused, and says so")
    func refused() async throws {
        try await TestService.run { service in
            let token = try await service.token()
            let path = "/v1/albums/identifications"
            let many = AlbumRequest(AlbumQuery((0...AlbumDecisions.fileLimit).map { FileAttributes(id: "\($0)") }))
            #expect(try await service.ask(.POST, path, token: token, json: many).code == "requestInvalid")
            var odd = AlbumRequest(AlbumQuery([FileAttributes(id: "1")]))
            odd.evidence = ["smell"]
            #expect(try await service.ask(.POST, path, token: token, json: odd).code == "requestInvalid")
            let damaged = Data(#"{"files":[{"id":"1","signature":"AAAA"}]}"#.utf8)
            let reply = try await service.ask(.POST, path, token: token, type: "application/json", body: damaged)
            #expect(reply.status == 400)
            let text = try await service.ask(.POST, path, token: token, type: "text/plain", body: damaged)
            #expect(text.status == 415)
            let huge = try await service.ask(
                .POST,
                path,
                token: token,
                type: "application/json",
                body: Data(repeating: 32, count: (4 << 20) + 1)
            )
            #expect(huge.status == 413)
            #expect(try await service.ask(.POST, path, json: many).status == 401)
        }
    }
}
