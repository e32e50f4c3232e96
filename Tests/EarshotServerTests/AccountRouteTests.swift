import EarshotAPI
import EarshotCore
import EarshotMusic
@testable import EarshotRecognition
import EarshotSQLite
import EarshotSignatures
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Accounts over HTTP")
struct AccountRouteTests {
    @Test("who has no token, a wrong one or an expired one is refused")
    func tokens() async throws {
        try await TestService.run { (service: TestService) async throws in
            #expect(try await service.ask(.GET, "/v1/search?q=a").code == "tokenRejected")
            #expect(try await service.ask(.GET, "/v1/search?q=a", token: "nonsense").status == 401)
            let token = try await service.token()
            #expect(try await service.ask(.GET, "/v1/search?q=lantern", token: token).status == 200)
            service.time.advance(3599)
            #expect(try await service.ask(.GET, "/v1/search?q=lantern", token: token).status == 200)
            service.time.advance(2)
            let late = try await service.ask(.GET, "/v1/search?q=lantern", token: token)
            #expect(late.code == "tokenRejected")
            #expect(late.headers.first(name: "WWW-Authenticate") == "Bearer")
        }
    }

    @Test(
        "a client that is not known, has the wrong tag or is no longer served is refused",
        .requirements("R-MC-004", "R-ACR-006")
    )
    func clients() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.client()
            let identifier = try #require(client.identifier)
            #expect(identifier.wholeMatch(of: /[0-9]{8}-[A-Z0-5]{32}/) != nil)
            let token = try await service.token(client)
            for wrong in ["99999999-ABC", String(identifier.dropLast()) + "x"] {
                let reply = try await service.ask(.POST, "/v1/tokens", json: TokenRequest(client: wrong))
                #expect(reply.code == "clientIdentifierRejected")
                #expect(reply.status == 401)
            }
            #expect(try await service.ask(.POST, "/v1/tokens", json: TokenRequest(client: "nothing")).status == 400)
            var change = ClientChange()
            change.isEnabled = false
            #expect(
                try await service.ask(.PATCH, "/v1/admin/clients/\(client.id)", token: service.admin, json: change)
                    .status == 200
            )
            #expect(try await service.ask(.GET, "/v1/search?q=a", token: token).code == "clientIdentifierRejected")
            #expect(
                try await service.ask(.POST, "/v1/tokens", json: TokenRequest(client: identifier)).code
                    == "clientIdentifierRejected"
            )
        }
    }

    @Test("a renewed tag makes the old identifier worthless")
    func renewal() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.client()
            let token = try await service.token(client)
            service.time.advance(1)
            let reply = try await service.ask(.POST, "/v1/admin/clients/\(client.id)/tag", token: service.admin)
            let renewed = try reply.decoded(ClientRecord.self)
            #expect(
                try await service.ask(.POST, "/v1/tokens", json: TokenRequest(client: client.identifier ?? "")).status
                    == 401
            )
            // Tokens of before are worth nothing either.
            #expect(try await service.ask(.GET, "/v1/search?q=a", token: token).status == 401)
            #expect(
                try await service.ask(.GET, "/v1/search?q=a", token: try await service.token(renewed)).status == 200
            )
        }
    }

    @Test("tokens outlive a new key until they expire, and a restart")
    func keys() async throws {
        let accounts = try SQLiteAccountStore.inMemory()
        var kept: (client: ClientRecord, token: String)?
        try await TestService.run(accounts: accounts) { (service: TestService) async throws in
            let client = try await service.client()
            let token = try await service.token(client)
            #expect(try await service.ask(.POST, "/v1/admin/keys?keep=1", token: service.admin).status == 204)
            #expect(try await service.ask(.GET, "/v1/search?q=a", token: token).status == 200)
            #expect(try await service.ask(.GET, "/v1/search?q=a", token: try await service.token(client)).status == 200)
            kept = (client, token)
        }
        try await TestService.run(accounts: accounts) { (service: TestService) async throws in
            #expect(try await service.ask(.GET, "/v1/search?q=a", token: kept?.token).status == 200)
            service.time.advance(3_602)
            // The next key retires the ones before, and a token of a retired key is nobody's.
            #expect(try await service.ask(.POST, "/v1/admin/keys?keep=1", token: service.admin).status == 204)
            #expect(try await service.ask(.GET, "/v1/search?q=a", token: kept?.token).status == 401)
        }
        #expect(try await accounts.valueNames(beginning: "key/").count <= 2)
    }

    @Test("a new key ends tokens and addresses of content at once")
    func revocation() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.client()
            let token = try await service.token(client)
            let match = try #require(try await service.recognize(1, token: token, "coverArt=1").matches.first)
            let url = try #require(match.album.coverArt?.url)
            #expect(try await service.ask(.GET, url).status == 200)
            #expect(try await service.ask(.POST, "/v1/admin/keys", token: service.admin).status == 204)
            #expect(try await service.ask(.GET, "/v1/search?q=a", token: token).status == 401)
            #expect(try await service.ask(.GET, url).status == 404)
            #expect(try await service.ask(.GET, "/v1/search?q=a", token: try await service.token(client)).status == 200)
        }
    }

    @Test("a user has a history of what was recognized, the latest first")
    func history() async throws {
        var settings = ServiceSettings()
        settings.historyLimit = 3
        try await TestService.run(settings) { (service: TestService) async throws in
            let client = try await service.client()
            let token = try await service.userToken(client)
            for seed in [1, 2, 4, 3] as [UInt64] {
                #expect(try await service.recognize(seed, token: token).matches.count == 1)
            }
            // Nothing found, another user, and the client itself add nothing.
            _ = try await service.recognize(999, token: token)
            _ = try await service.recognize(1, token: try await service.userToken(client))
            _ = try await service.recognize(1, token: try await service.token(client))
            let page = try await service.ask(.GET, "/v1/history", token: token).decoded(HistoryPage.self)
            #expect(page.total == 3)
            #expect(page.entries.map(\.id) == [4, 3, 2])
            #expect(page.entries.map(\.match.track.title) == ["Shared", "Only an item", "Plain"])
            let part = try await service.ask(.GET, "/v1/history?offset=1&limit=1", token: token).decoded(
                HistoryPage.self
            )
            #expect(part.entries.map(\.id) == [3])
            #expect(try await service.ask(.DELETE, "/v1/history/3", token: token).status == 204)
            #expect(
                try await service.ask(.GET, "/v1/history", token: token).decoded(HistoryPage.self).entries.map(\.id)
                    == [4, 2]
            )
            #expect(try await service.ask(.DELETE, "/v1/history", token: token).status == 204)
            #expect(try await service.ask(.GET, "/v1/history", token: token).decoded(HistoryPage.self).total == 0)
            #expect(try await service.ask(.GET, "/v1/history", token: try await service.token(client)).status == 403)
        }
    }

    @Test("a forgotten user's token is worth nothing")
    func forgetting() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.userToken(try await service.client())
            #expect(try await service.ask(.GET, "/v1/users/me", token: token).status == 200)
            #expect(try await service.ask(.DELETE, "/v1/users/me", token: token).status == 204)
            #expect(try await service.ask(.GET, "/v1/users/me", token: token).code == "tokenRejected")
        }
    }

    /// Finds what it is given too hard.
    private struct FailingDecoder: UploadDecoder {
        let code: EarshotError.Code

        func signature(reading input: FileHandle, limit: MediaTime?) async throws(EarshotError) -> Signature {
            throw EarshotError(code, "on purpose")
        }
    }

    @Test(
        "sound that took time and came to nothing counts, and what was refused before does not",
        arguments: [EarshotError.Code.timedOut, .assetUnreadable, .noAudioStream]
    )
    func failures(_ code: EarshotError.Code) async throws {
        try await TestService.run(decoder: FailingDecoder(code: code)) { (service: TestService) async throws in
            var change = ClientChange()
            change.quota = 2
            let token = try await service.token(try await service.client(change))
            func send(_ type: String) async throws -> TestService.Reply {
                let body = Data("sound".utf8)
                return try await service.ask(.POST, "/v1/recognitions", token: token, type: type, body: body)
            }
            for _ in 0..<3 { #expect(try await send("text/plain").status == 415) }
            for _ in 0..<2 { #expect(try await send("audio/wav").code == code.rawValue) }
            #expect(try await send("audio/wav").code == "quotaExceeded")
        }
    }

    @Test("quotas of a client and of its users are kept, and begin anew at midnight")
    func quotas() async throws {
        try await TestService.run { (service: TestService) async throws in
            var change = ClientChange()
            change.userQuota = 2
            change.quota = 3
            let client = try await service.client(change)
            let (one, other) = (try await service.userToken(client), try await service.userToken(client))
            #expect(try await service.recognize(1, token: one).status == 200)
            #expect(try await service.recognize(1, token: one).status == 200)
            let refused = try await service.recognize(1, token: one)
            #expect(refused.status == 429)
            #expect(refused.code == "quotaExceeded")
            let wait = try #require(refused.headers.first(name: "Retry-After").flatMap { Int($0) })
            #expect((1...86_400).contains(wait))
            let me = try await service.ask(.GET, "/v1/users/me", token: one).decoded(UserRecord.self)
            #expect(me.quota.limit == 2 && me.quota.used == 2)
            // What was refused is not counted against the client.
            #expect(try await service.recognize(1, token: other).status == 200)
            #expect(try await service.recognize(1, token: other).code == "quotaExceeded")
            service.time.advance(Double(wait))
            #expect(try await service.recognize(1, token: try await service.userToken(client)).status == 200)
        }
    }

    @Test("a use that came to nothing is given back", arguments: [false, true])
    func givingBack(isShared: Bool) async throws {
        let meter = QuotaMeter(try SQLiteAccountStore.inMemory(), isShared: isShared)
        let share = QuotaMeter.Share(subject: "user/a", limit: 1)
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        try await meter.use([share], at: now)
        await #expect(throws: EarshotError.self) { try await meter.use([share], at: now) }
        meter.giveBack([share], at: now)
        try await meter.use([share], at: now)
        #expect(try await meter.used("user/a", at: now) == 1)
    }

    @Test("only the operator sees and changes clients")
    func operatorOnly() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            #expect(try await service.ask(.GET, "/v1/admin/clients", token: token).status == 403)
            #expect(
                try await service.ask(.GET, "/v1/admin/clients", token: Authenticator.adminTokenPrefix + "x").status
                    == 401
            )
            let list = try await service.ask(.GET, "/v1/admin/clients", token: service.admin)
            #expect(try list.decoded([ClientRecord].self).count == 1)
            #expect(!String(decoding: list.bytes, as: UTF8.self).contains("identifier"))
            #expect(try await service.ask(.GET, "/v1/references", token: token).status == 403)
        }
    }

    @Test("secrets are kept as digests only")
    func digests() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.client()
            let identifier = try #require(client.identifier)
            let kept = try #require(try await service.accounts.client(client.id))
            let tag = String(identifier.dropFirst(9))
            #expect(kept.tagDigest == Secrets.digest(tag))
            #expect(!String(describing: kept).contains(tag))
            #expect(try await service.accounts.value(Authenticator.adminName) == Secrets.digest(service.admin))
        }
    }
}
