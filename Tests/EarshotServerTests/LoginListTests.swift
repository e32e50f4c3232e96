import EarshotAPI
import EarshotCore
import EarshotPieces
import EarshotRecognition
import EarshotSQLite
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Listing and ending log-ins")
struct LoginListTests {
    private static let password = "correct horse"

    /// Logs in, and gives what the app keeps.
    private func logIn(
        _ service: TestService,
        _ client: ClientRecord,
        _ action: String = "login",
        password: String = Self.password,
        former: String? = nil
    ) async throws -> String {
        let browser = TestBrowser(service: service)
        let fields = try await browser.fields("/authorize?application=sketcher&state=x")
        let entry = [("name", "Ada"), ("password", password), ("action", action)]
        let code = try TestBrowser.code(try await browser.send("/authorize", fields + entry).location)
        let request = AuthorizationRequest(code: code, user: former)
        let token = try await service.token(client)
        return try await service.ask(.POST, "/v1/authorizations", token: token, json: request)
            .decoded(AuthorizationAnswer.self).user
    }

    private func logins(_ service: TestService, _ token: String) async throws -> [LoginRecord] {
        try await service.ask(.GET, "/v1/author/logins", token: token).decoded([LoginRecord].self)
    }

    @Test("an author who signs in at several nodes at the same moment has one user there")
    func atOnce() async throws {
        let (accounts, pieces) = (try SQLiteAccountStore.inMemory(), try SQLitePieceStore.inMemory())
        try await accounts.put(AccountStoreRule.client("1"))
        let author = PieceAuthor(id: "a", name: try AuthorName("Ada"), created: AccountStoreRule.now)
        #expect(try await pieces.put(author))
        let logins = LoginRegister(
            store: pieces,
            accounts: accounts,
            users: UserRegistry(accounts: accounts, now: { AccountStoreRule.now })
        )
        let users = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<12 {
                group.addTask { try await logins.resume("a", of: "1", at: AccountStoreRule.now) }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(users.count == 1)
        #expect(try await pieces.users(ofAuthor: "a") == users.sorted())
        #expect(try await accounts.userCount(of: "1") == 1)
    }

    @Test("a log-in that fails after the user was registered leaves no user", arguments: [false, true])
    func halfMade(isResumed: Bool) async throws {
        let (accounts, pieces) = (try SQLiteAccountStore.inMemory(), try SQLitePieceStore.inMemory())
        let client = AccountStoreRule.client("1")
        try await accounts.put(client)
        let logins = LoginRegister(
            store: pieces,
            accounts: accounts,
            users: UserRegistry(accounts: accounts, now: { AccountStoreRule.now })
        )
        // There is no author of either name, and the store refuses to give one a user.
        await #expect(throws: EarshotError.self) {
            if isResumed {
                _ = try await logins.resume("a", of: "1", at: AccountStoreRule.now)
            } else {
                _ = try await logins.begin("a\u{0}", in: client, inPlaceOf: nil, at: AccountStoreRule.now)
            }
        }
        #expect(try await accounts.userCount(of: "1") == 0)
    }

    @Test("an author sees the log-ins, ends one, and ends the others")
    func ending() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.app()
            let first = try await service.token(client, user: try await logIn(service, client, "create"))
            service.time.advance(5)
            let phone = try await logIn(service, client)
            let stolen = try await service.token(client, user: phone)
            service.time.advance(5)
            let third = try await service.token(client, user: try await logIn(service, client))
            let records = try await logins(service, first)
            #expect(records.count == 3 && records.map(\.isCurrent) == [false, false, true])
            #expect(records.allSatisfy { $0.client == client.id && $0.name == client.name })

            #expect(try await service.ask(.DELETE, "/v1/author/logins/\(records[1].id)", token: first).status == 204)
            let refused = try await service.ask(.GET, "/v1/users/me", token: stolen)
            #expect(refused.status == 401 && refused.code == "tokenRejected")
            let again = try await service.ask(
                .POST,
                "/v1/tokens",
                json: TokenRequest(client: client.identifier ?? "", user: phone)
            )
            #expect(again.status == 401)
            #expect(try await logins(service, first).count == 2)
            #expect(try await service.ask(.DELETE, "/v1/author/logins/\(records[1].id)", token: first).status == 404)

            #expect(try await service.ask(.DELETE, "/v1/author/logins", token: first).status == 204)
            #expect(try await service.ask(.GET, "/v1/users/me", token: third).status == 401)
            #expect(try await logins(service, first).map(\.isCurrent) == [true])
        }
    }

    @Test("nobody ends the log-in of another author, or sees it")
    func others() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.app()
            let ada = try await service.token(client, user: try await logIn(service, client, "create"))
            let record = try #require(try await logins(service, ada).first)
            let nobody = try await service.userToken(client)
            #expect(try await service.ask(.GET, "/v1/author/logins", token: nobody).status == 404)
            #expect(try await service.ask(.DELETE, "/v1/author/logins", token: nobody).status == 404)
            let change = AuthorChange(name: "Grace")
            #expect(try await service.ask(.PUT, "/v1/author", token: nobody, json: change).status == 200)
            #expect(try await service.ask(.DELETE, "/v1/author/logins/\(record.id)", token: nobody).status == 404)
            #expect(try await logins(service, nobody).count == 1)
            #expect(try await logins(service, ada).count == 1)
            #expect(
                try await service.ask(.GET, "/v1/author/logins", token: try await service.token(client)).status == 403
            )
        }
    }

    @Test("another password ends all log-ins but the one that changed it")
    func newPassword() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.app()
            let owner = try await service.token(client, user: try await logIn(service, client, "create"))
            let thief = try await service.token(client, user: try await logIn(service, client))
            let change = AuthorChange(name: "Ada", password: "battery staple", currentPassword: Self.password)
            #expect(try await service.ask(.PUT, "/v1/author", token: owner, json: change).status == 200)
            #expect(try await service.ask(.GET, "/v1/users/me", token: owner).status == 200)
            #expect(try await service.ask(.GET, "/v1/users/me", token: thief).status == 401)
            // Another name alone ends nothing.
            let second = try await service.token(
                client,
                user: try await logIn(service, client, password: "battery staple")
            )
            let renamed = try await service.ask(.PUT, "/v1/author", token: owner, json: AuthorChange(name: "ADA"))
            #expect(renamed.status == 200)
            #expect(try await service.ask(.GET, "/v1/users/me", token: second).status == 200)
        }
    }

    @Test("a code that was given before is worth nothing once log-ins are ended", arguments: [true, false])
    func waitingCodes(byPassword: Bool) async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.app()
            let owner = try await service.token(client, user: try await logIn(service, client, "create"))
            let browser = TestBrowser(service: service)
            let token = try await service.token(client)
            // Whoever knows the password has logged in, and waits with what the app and the device are given.
            let fields = try await browser.fields("/authorize?application=sketcher&state=x")
            let code = try TestBrowser.code(try await browser.logIn(fields, "Ada", Self.password).location)
            let device = try await service.ask(.POST, "/v1/device-authorizations", token: token)
                .decoded(DeviceAuthorization.self)
            #expect(try await browser.answer(device.userCode, "login", "Ada", Self.password).status == 200)
            if byPassword {
                let change = AuthorChange(name: "Ada", password: "battery staple", currentPassword: Self.password)
                #expect(try await service.ask(.PUT, "/v1/author", token: owner, json: change).status == 200)
            } else {
                #expect(try await service.ask(.DELETE, "/v1/author/logins", token: owner).status == 204)
            }
            let shown = AuthorizationRequest(code: code, user: nil)
            #expect(try await service.ask(.POST, "/v1/authorizations", token: token, json: shown).status == 403)
            let question = DeviceQuestion(deviceCode: device.deviceCode)
            let path = "/v1/device-authorizations/answer"
            #expect(try await service.ask(.POST, path, token: token, json: question).status == 403)
            #expect(try await logins(service, owner).count == 1)
        }
    }

    @Test("a password that was replaced while it was compared lets nobody in")
    func replacedPassword() async throws {
        let store = MemoryPieceStore()
        let accounts = try SQLiteAccountStore.inMemory()
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let login = LoginService(
            store: store,
            logins: LoginGuard(now: { now }),
            queue: WorkQueue(width: 1, limit: 1),
            keyring: try await Keyring(accounts, memory: 1, keyLifetime: 1, at: now),
            now: { now }
        )
        let author = PieceAuthor(id: "one", name: try AuthorName("Ada"), password: Data([1]), created: now)
        #expect(try await store.put(author))
        let (device, shown) = try await login.deviceCodes("c")
        _ = try await store.updateAuthor("one") { $0.password = Data([2]) }
        await #expect(throws: EarshotError.self) { try await login.approve(LoginService.userCode(shown), author) }
        #expect(try await store.takeCode(Secrets.digest(device), client: "c", at: now) == nil)
    }

    @Test("an app whose log-in was ended logs in again as the user that it had, with its history")
    func again() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.app()
            let owner = try await service.token(client, user: try await logIn(service, client, "create"))
            let before = try await logIn(service, client)
            let token = try await service.token(client, user: before)
            _ = try await service.recognize(1, token: token)
            service.time.advance(1)
            #expect(try await service.ask(.DELETE, "/v1/author/logins", token: owner).status == 204)
            service.time.advance(1)
            let after = try await logIn(service, client, former: before)
            #expect(after != before && after.prefix(16) == before.prefix(16))
            let renewed = try await service.token(client, user: after)
            #expect(try await service.ask(.GET, "/v1/history", token: renewed).decoded(HistoryPage.self).total == 1)
            // Neither the old token nor the old secret is worth anything.
            #expect(try await service.ask(.GET, "/v1/history", token: token).status == 401)
            let old = TokenRequest(client: client.identifier ?? "", user: before)
            #expect(try await service.ask(.POST, "/v1/tokens", json: old).status == 401)
            // A user of nobody, or of another author, does not become Ada's.
            let stranger = try await service.ask(.POST, "/v1/users", token: try await service.token(client))
                .decoded(UserRecord.self)
            let fresh = try await logIn(service, client, former: stranger.serialised)
            #expect(!fresh.hasPrefix(stranger.id))
        }
    }
}
