import EarshotAPI
import EarshotCatalogs
import EarshotClient
import EarshotCore
import EarshotMusic
import EarshotRecognition
import Foundation
import TestSupport
import Testing

@testable import EarshotServer

@Suite("The client and the service")
struct ClientTests {
    /// A configuration of a new client that wants covers.
    private func configuration(_ service: TestService) async throws -> ClientConfiguration {
        let client = try await service.client()
        var configuration = try ClientConfiguration(clientIdentifier: client.identifier ?? "")
        configuration.preferences.coverArt = true
        return configuration
    }

    private func url(_ service: TestService) throws -> URL { try #require(URL(string: service.base)) }

    @Test("an address that has ended is renewed, however long it was valid", .requirements("R-MC-185"))
    func renewal() async throws {
        var settings = ServiceSettings()
        settings.contentLifetime = .seconds(600)
        try await TestService.run(settings) { (service: TestService) async throws in
            let configuration = try await configuration(service)
            let http = HTTPRecognitionService(try url(service), configuration: configuration)
            let query = RecognitionQuery(try TestMusic.query(1))
            let match = try #require(try await http.recognize(query, configuration.preferences).first)
            service.time.advance(700)
            let address = try #require(match.album.coverArt?.url)
            #expect(try await http.content(at: address).status == 412)
            let loader = ContentLoader(service: http, configuration: configuration)
            let cover = try #require(try await loader.coverArt(of: match))
            #expect(cover.data.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        }
    }

    @Test("over HTTP the answer is that of the same service in process")
    func sameAnswer() async throws {
        try await TestService.run { (service: TestService) async throws in
            var configuration = try await configuration(service)
            configuration.preferences.coverArt = false
            configuration.preferences.mood = true
            configuration.preferences.levels[.genre] = .extended
            let http = HTTPRecognitionService(try url(service), configuration: configuration)
            let store = try Catalog(contentsOf: service.folder.appendingPathComponent("catalog.earstore"))
            let local = LocalRecognitionService(music: service.music) { signature throws(EarshotError) in
                try store.match(signature)
            }
            for seed in [1, 2, 3, 4, 999] as [UInt64] {
                let query = RecognitionQuery(try TestMusic.query(seed))
                var one = try await http.recognize(query, configuration.preferences)
                var other = try await local.recognize(query, configuration.preferences)
                // Addresses are each service's own.
                for index in one.indices {
                    (one[index].album.reviewURL, one[index].artist.biographyURL) = (nil, nil)
                }
                for index in other.indices {
                    (other[index].album.reviewURL, other[index].artist.biographyURL) = (nil, nil)
                }
                #expect(one == other, "piece \(seed)")
            }
        }
    }

    @Test("results can go from one thread to another", .requirements("R-MC-200"))
    func results() async throws {
        // That this compiles is the proof.
        func isValue<Value: Sendable & Hashable>(_: Value.Type) -> Bool { !(Value.self is AnyClass) }
        #expect(isValue(MusicMatch.self))
        #expect(isValue(ContentImage.self))
        #expect(isValue(Descriptor.self))
        #expect(isValue(ExternalLink.self))
        #expect(isValue(SearchResult.self))
        #expect(isValue(FingerprintResult.self))
    }
}
