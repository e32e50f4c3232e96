import EarshotAPI
import EarshotCore
import EarshotSQLite
import EarshotSignatures
import Foundation
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Folders of the service in answers")
struct ConcealedFoldersTests {
    @Test(
        "a path is told from the service's folder on, and in a media folder as an asset",
        arguments: [
            ("/srv/data/accounts.sqlite: disk full", "accounts.sqlite: disk full"),
            ("The folder /srv/data cannot be made", "The folder the service's folder cannot be made"),
            ("/srv/data/a and /srv/data/b", "a and b"),
            ("/srv/data/media/Album/01.flac is damaged", "music/Album/01.flac is damaged"),
            ("/srv/data/media/\u{301}x.wav", "music/\u{301}x.wav"), ("\u{600}/srv/data/x", "\u{600}x"),
            ("file:///srv/data/a, '/srv/data/b' and /srv/data.", "file://a, 'b' and the service's folder."),
            ("/srv/data/srv/data/a", "srv/data/a"), ("/srv/data.partial", "the service's folder.partial"),
            // Paths of others.
            ("music/srv/data/a.wav", "music/srv/data/a.wav"), ("/srv/database", "/srv/database"),
            ("https://music.example/srv/data/a", "https://music.example/srv/data/a"),
            ("/srv/data-2/a and /srv/data_2", "/srv/data-2/a and /srv/data_2"),
            ("register one with POST /v1/users", "register one with POST /v1/users"), ("", ""),
        ]
    )
    func texts(text: String, told: String) throws {
        let root = try MediaRoot(name: "music", folder: URL(fileURLWithPath: "/srv/data/media"))
        let folders = ConcealedFolders([URL(fileURLWithPath: "/srv/data"), URL(fileURLWithPath: "/")], roots: [root])
        #expect(folders.concealed(text).utf8.elementsEqual(told.utf8))
    }

    @Test("what a damaged store says of itself names no folder")
    func store() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("accounts.sqlite")
            try Data(repeating: 7, count: 8_192).write(to: url)
            let error = try #require(throws: EarshotError.self) { try SQLiteAccountStore(url: url) }
            #expect(error.message.contains(folder.path))
            let told = ConcealedFolders([folder]).concealed(error)
            #expect(told.code == error.code && told.message.hasPrefix("accounts.sqlite: "))
        }
    }

    /// Fails in words that name a file of the service.
    private final class TellingDecoder: UploadDecoder {
        let failure = Mutex(EarshotError(.internalError, ""))

        func signature(reading input: FileHandle, limit: MediaTime?) async throws(EarshotError) -> Signature {
            throw failure.withLock { $0 }
        }
    }

    @Test("no failure is told with a path of the service, whatever its code, nor what came of a job")
    func answers() async throws {
        let decoder = TellingDecoder()
        var settings = ServiceSettings()
        settings.mayFetchPrivateAddresses = true
        let web = try LoopbackServer()
        defer { web.stop() }
        let wave = TestMusic.wave(TestMusic.samples(60, from: 0, duration: 4))
        web.publish(wave, at: "/song.wav")
        try await TestService.run(settings, decoder: decoder) { (service: TestService) async throws in
            let token = try await service.token()
            for code in EarshotError.Code.all {
                let message = "\(service.folder.path)/music.sqlite: disk I/O error: check the disk."
                decoder.failure.withLock { $0 = EarshotError(code, message) }
                let reply = try await service.ask(
                    .POST,
                    "/v1/recognitions",
                    token: token,
                    type: "audio/wav",
                    body: wave
                )
                #expect(reply.status >= 400)
                #expect(!String(decoding: reply.bytes, as: UTF8.self).contains(service.folder.path), "\(code)")
            }
            let request = JobRequest(kind: .addReference, url: web.url("/song.wav").absoluteString)
            let job = try await service.ask(.POST, "/v1/jobs", token: service.admin, json: request)
                .decoded(JobRecord.self)
            let events = try await service.ask(.GET, "/v1/jobs/\(job.id)/events", token: service.admin)
            let text = String(decoding: events.bytes, as: UTF8.self)
            #expect(text.contains("music.sqlite") && !text.contains(service.folder.path))
        }
    }

    @Test("folders that cannot be written are not named")
    func unwritable() async throws {
        try await TestService.run { (service: TestService) async throws in
            for name in ["bundle-shelf", "published"] {
                try Data().write(to: service.folder.appendingPathComponent(name))
            }
            let token = service.admin
            for reply in [
                try await service.ask(
                    .PUT,
                    "/v1/bundles/ads",
                    token: token,
                    type: ServiceAPI.bundleType,
                    body: Data([1])
                ),
                try await service.ask(.POST, "/v1/catalogs/radio/versions", token: token),
            ] {
                #expect(reply.status == 507 && reply.code == "writeFailed")
                #expect(!String(decoding: reply.bytes, as: UTF8.self).contains(service.folder.path))
            }
            let missing = service.folder.appendingPathComponent("missing")
            let error = #expect(throws: EarshotError.self) { try UploadFile(in: missing) }
            #expect(error?.code == .writeFailed && error?.message.contains("/") == false)
        }
    }
}
