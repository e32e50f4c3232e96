import EarshotAPI
@testable import EarshotBroadcast
import EarshotClient
import EarshotCore
import EarshotMonitor
@testable import EarshotMusic
import EarshotRecognition
import EarshotSQLite
import Foundation
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import EarshotServer

/// A place for a registration in memory.
private final class MemoryRegistrationStore: RegistrationStore {
    private let text = Mutex<String?>(nil)
    func registration() async throws(EarshotError) -> String? { text.withLock { $0 } }
    func keep(_ registration: String) async throws(EarshotError) { text.withLock { $0 = registration } }
}

@Suite("Contexts and registrations")
struct RegistrationRouteTests {
    private func identifier(_ client: ClientRecord) throws -> ClientIdentifier {
        try ClientIdentifier(client.identifier ?? "")
    }

    private func context(_ service: TestService, _ clients: ClientRecord...) throws -> ServiceContext {
        try ServiceContext(license: try service.license(clients), at: service.time.now)
    }

    @Test("a license makes a context, and a damaged or ended one does not", .requirements("R-ACR-001", "R-ACR-002"))
    func licenses() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.client()
            #expect(try context(service, client).license?.clients.map(\.id) == [client.id])
            let text = try service.license([client], expires: service.time.now)
            #expect {
                _ = try ServiceContext(license: text, at: service.time.now)
            } throws: {
                ($0 as? EarshotError)?.code == .licenseInvalid
            }
            #expect(throws: EarshotError.self) {
                _ = try ServiceContext(license: text.replacing(client.id, with: "00000000"), at: service.time.now - 10)
            }
        }
    }

    @Test(
        "a registration takes identifier, tag, version and kind, and is all that later requests need",
        .requirements("R-ACR-003", "R-ACR-008", "R-ACR-011", "R-ACR-014")
    )
    func registers() async throws {
        try await TestService.run { (service: TestService) async throws in
            try await service.add(50, as: "harbour")
            let client = try await service.client()
            let context = try context(service, client)
            let registration = try await context.register(
                try identifier(client),
                appVersion: "2.1",
                modules: [.monitoring]
            )
            // The text is hexadecimal: the tag is in it neither as it is nor so.
            let tag = try identifier(client).tag
            #expect(tag.count == 32)
            for text in [tag, Data(tag.utf8).map { String(format: "%02x", $0) }.joined()] {
                #expect(!registration.serialized.lowercased().contains(text.lowercased()))
            }
            let id = try #require(registration.user?.split(separator: ".").first.map { String($0) })
            let user = try #require(try await service.accounts.user(id))
            #expect(user.client == client.id)
            #expect(user.appVersion == "2.1")
            #expect(user.modules == [.monitoring])
            // Restored in another run, where nobody shows the client's tag.
            let later = try self.context(service, client)
            let restored = try later.restore(registration.serialized)
            let http = try later.service(restored)
            let query = RecognitionQuery(try TestMusic.query(50))
            #expect(try await http.recognizeBroadcast(query, ContentPreferences()).source == .archive)
            #expect(try await http.work("harbour", links: false)?.title.text == "Harbour")
            #expect(try await later.status(restored).id == id)
        }
    }

    @Test("an empty version fails before anything is sent", .requirements("R-ACR-009"))
    func emptyVersion() async throws {
        let client = try ClientIdentifier("12345678-ABC")
        let license = try License(
            service: "http://127.0.0.1:1",
            clients: [License.Client(id: "12345678", modules: [.monitoring])]
        )
        // Nobody listens there: whatever is sent fails with another code.
        let context = try ServiceContext(license: license.text)
        await #expect {
            _ = try await context.register(client, appVersion: "")
        } throws: {
            ($0 as? EarshotError)?.code == .configurationInvalid
        }
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.client()
            let request = RegistrationRequest(client: client.identifier ?? "", appVersion: "")
            #expect(try await service.ask(.POST, "/v1/registrations", json: request).code == "requestInvalid")
        }
    }

    @Test(
        "any version that is not empty is taken",
        .requirements("R-ACR-010"),
        arguments: ["1.0", "🎧", String(repeating: "v", count: 200)]
    )
    func versions(version: String) async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.client()
            let context = try context(service, client)
            let registration = try await context.register(try identifier(client), appVersion: version)
            #expect(try await context.status(registration).appVersion == version)
        }
    }

    @Test("a wrong tag is refused", .requirements("R-ACR-006"))
    func wrongTag() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.client()
            for wrong in ["\(client.id)-ABC", "99999999-ABC"] {
                let request = RegistrationRequest(client: wrong, appVersion: "1")
                let reply = try await service.ask(.POST, "/v1/registrations", json: request)
                #expect(reply.status == 401)
                #expect(reply.code == "clientIdentifierRejected")
            }
            let context = try context(service, client)
            await #expect {
                _ = try await context.register(try ClientIdentifier(id: client.id, tag: "WRONG"), appVersion: "1")
            } throws: {
                ($0 as? EarshotError)?.code == .clientIdentifierRejected
            }
        }
    }

    @Test("two runs of an app register once", .requirements("R-ACR-015"))
    func once() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.client()
            let store = MemoryRegistrationStore()
            var texts: Set<String> = []
            for _ in 0..<2 {
                let registration = try await context(service, client).loadOrRegister(
                    store,
                    client: try identifier(client),
                    appVersion: "1"
                )
                texts.insert(registration.serialized)
            }
            #expect(texts.count == 1)
            #expect(try await service.accounts.userCount(of: client.id) == 1)
            // What is for other queries is of no use.
            _ = try await context(service, client).loadOrRegister(
                store,
                client: try identifier(client),
                appVersion: "1",
                modules: [.music]
            )
            #expect(try await service.accounts.userCount(of: client.id) == 2)
        }
    }

    @Test(
        "a stored registration with one wrong character is told, and none takes its place",
        .requirements("R-ACR-013")
    )
    func damaged() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.client()
            let context = try context(service, client)
            let store = MemoryRegistrationStore()
            let kept = try await context.loadOrRegister(store, client: try identifier(client), appVersion: "1")
            var text = Array(kept.serialized)
            let place = text.count / 2
            text[place] = text[place] == "0" ? "1" : "0"
            try await store.keep(String(text))
            await #expect {
                _ = try await context.loadOrRegister(store, client: try identifier(client), appVersion: "1")
            } throws: {
                ($0 as? EarshotError)?.code == .registrationInvalid
            }
            #expect(try await service.accounts.userCount(of: client.id) == 1)
            #expect(try await store.registration() == String(text))
        }
    }

    @Test("a registration in a file is for its owner alone")
    func file() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("registration")
            let store = FileRegistrationStore(url)
            #expect(try await store.registration() == nil)
            try await store.keep("one")
            try await store.keep("two")
            #expect(try await store.registration() == "two")
            let rights = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
            #expect(rights == 0o600)
        }
    }

    @Test(
        "the fourth registration of three is a conflict, and restored ones count nothing",
        .requirements("R-ACR-016", "R-ACR-017", "R-ACR-018")
    )
    func quota() async throws {
        try await TestService.run { (service: TestService) async throws in
            var change = ClientChange()
            change.userLimit = 3
            let client = try await service.client(change)
            let context = try context(service, client)
            var last: Registration?
            for _ in 0..<3 { last = try await context.register(try identifier(client), appVersion: "1") }
            let request = RegistrationRequest(client: client.identifier ?? "", appVersion: "1")
            let reply = try await service.ask(.POST, "/v1/registrations", json: request)
            #expect(reply.status == 409)
            #expect(reply.code == "quotaExceeded")
            #expect(reply.headers.first(name: "Retry-After") == nil)
            let users = try await service.ask(.POST, "/v1/users", token: try await service.token(client))
            #expect(users.status == 409)
            await #expect {
                _ = try await context.register(try identifier(client), appVersion: "1")
            } throws: {
                ($0 as? EarshotError)?.code == .quotaExceeded
            }
            let registration = try #require(last)
            for _ in 0..<100 {
                let restored = try context.restore(registration.serialized)
                _ = try await context.service(restored).work("harbour", links: false)
            }
            let status = try await context.status(registration)
            #expect(status.registrations == RegistrationRecord.Quota(limit: 3, used: 3))
            #expect(status.registrations.remaining == 0)
        }
    }

    @Test(
        "a client that was granted no number of users may register so many, and as many as it likes where that is granted"
    )
    func standardLimit() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.client()
            #expect(client.userLimit == ClientRegister.standardUserLimit)
            var change = ClientChange()
            change.userLimit = 0
            let path = "/v1/admin/clients/\(client.id)"
            let changed = try await service.ask(.PATCH, path, token: service.admin, json: change)
            #expect(try changed.decoded(ClientRecord.self).userLimit == nil)
            #expect(try await service.client(change).userLimit == nil)
        }
    }

    @Test("fifty users may register with fifty granted, and all are different", .requirements("R-ACR-020"))
    func fifty() async throws {
        try await TestService.run { (service: TestService) async throws in
            var change = ClientChange()
            change.userLimit = 50
            let client = try await service.client(change)
            let context = try context(service, client)
            let identifier = try identifier(client)
            let users = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<50 {
                    group.addTask { try await context.register(identifier, appVersion: "1").user }
                }
                return try await group.reduce(into: Set<String>()) { $0.formUnion([$1].compactMap(\.self)) }
            }
            #expect(users.count == 50)
            #expect(try await service.accounts.userCount(of: client.id) == 50)
        }
    }

    @Test("kinds of queries that are not enabled are refused", .requirements("R-ACR-005"))
    func modules() async throws {
        try await TestService.run { (service: TestService) async throws in
            var change = ClientChange()
            change.modules = [.monitoring]
            let client = try await service.client(change)
            let context = try context(service, client)
            // By the license, before anything is sent.
            await #expect {
                _ = try await context.register(try identifier(client), appVersion: "1", modules: [.music])
            } throws: {
                ($0 as? EarshotError)?.code == .accessDenied
            }
            // By the service, whoever asks.
            let request = RegistrationRequest(client: client.identifier ?? "", appVersion: "1", modules: [.music])
            #expect(try await service.ask(.POST, "/v1/registrations", json: request).status == 403)
            let token = try await service.token(client)
            #expect(try await service.recognize(1, token: token).code == "accessDenied")
            #expect(try await service.ask(.GET, "/v1/search?q=lantern", token: token).code == "accessDenied")
            #expect(try await service.whatIsOn(1, token: token).status == 200)
            // A user of a client that may everything is held to what it was registered for.
            let other = try await service.client()
            let all = try self.context(service, other)
            let music = try await all.register(try identifier(other), appVersion: "1", modules: [.music])
            let http = try all.service(music)
            #expect(try await http.album("rail", ContentPreferences())?.album.id == "rail")
            await #expect(throws: EarshotError.self) { try await http.work("harbour", links: false) }
            #expect(throws: EarshotError.self) { try Monitor(registration: music, store: nil, service: http) }
        }
    }

    @Test("use without a service needs no license and no network", .requirements("R-ACR-004"))
    func local() async throws {
        let context = ServiceContext.local
        #expect(context.license == nil)
        let registration = try context.restore(Registration.local.serialized)
        #expect(throws: EarshotError.self) { try context.service(registration) }
        #expect(try Monitor(registration: registration, store: nil, service: nil).registration == registration)
        let client = try ClientIdentifier("12345678-ABC")
        await #expect {
            _ = try await context.register(client, appVersion: "1")
        } throws: {
            ($0 as? EarshotError)?.code == .licenseInvalid
        }
    }
}
