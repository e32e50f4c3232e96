import EarshotCore
import EarshotMusic
import EarshotRecognition
import Foundation
import GRDB
import TestSupport
import Testing

@testable import EarshotSQLite

@Suite("Accounts in SQLite")
struct AccountStoreTests {
    @Test("a store in memory keeps every rule of accounts", arguments: AccountStoreRule.all)
    func rules(rule: AccountStoreRule) async throws {
        try await rule.check(try SQLiteAccountStore.inMemory())
    }

    @Test(
        "a store in a file keeps every rule of accounts",
        .requirements("R-MC-227", "R-MC-235"),
        arguments: AccountStoreRule.all
    )
    func rulesInFile(rule: AccountStoreRule) async throws {
        try await withTemporaryFolder { folder in
            try await rule.check(try SQLiteAccountStore(url: folder.appendingPathComponent("accounts.sqlite")))
        }
    }

    private func client(_ id: String) -> ServiceClient { AccountStoreRule.client(id) }
    private func user(_ id: String) -> ServiceUser { AccountStoreRule.user(id) }

    @Test("clients and users come back as they were kept, after the file is opened again too")
    func keeping() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("accounts.sqlite")
            let store = try SQLiteAccountStore(url: url)
            try await store.put(client("2"))
            try await store.put(client("1"))
            try await store.put(user("a"))
            let again = try SQLiteAccountStore(url: url)
            #expect(try await again.clients() == [client("1"), client("2")])
            #expect(try await again.client("2") == client("2"))
            #expect(try await again.client("3") == nil)
            #expect(try await again.user("a") == user("a"))
            var changed = client("2")
            changed.isEnabled = false
            try await store.put(changed)
            #expect(try await again.client("2")?.isEnabled == false)
            #expect(try await again.users(of: "1", offset: 0, limit: 10) == [user("a")])
            let rights = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
            #expect(rights == 0o600)
        }
    }

    @Test("a history of before can be searched, also with an entry that cannot be read")
    func oldHistory() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.sqlite")
            let old = try DatabaseQueue(path: url.path)
            try SQLiteAccountStore.migrator.migrate(old, upTo: "2")
            let text = try SQLiteAccountStore.text(AccountStoreRule.match("Lantern", by: "Tin Foxes"))
            let (client, user) = (
                try SQLiteAccountStore.text(client("1")), try SQLiteAccountStore.text(user("a"))
            )
            try await old.write { database in
                try database.execute(sql: "INSERT INTO client (id, json) VALUES ('1', ?)", arguments: [client])
                try database.execute(
                    sql: "INSERT INTO user (id, client, lastEntry, json) VALUES ('a', '1', 2, ?)",
                    arguments: [user]
                )
                for (id, match) in [(1, text), (2, "{")] {
                    try database.execute(
                        sql: "INSERT INTO history (user, id, date, kind, match) VALUES ('a', ?, 0, 'file', ?)",
                        arguments: [id, match]
                    )
                }
            }
            try old.close()
            let store = try SQLiteAccountStore(url: url)
            let found = try await store.history(of: "a", matching: "lantern", offset: 0, limit: 10)
            #expect(found.map(\.id) == [1] && found.first?.place == nil)
            #expect(try await store.historyCount(of: "a") == 2)
        }
    }

    @Test("a copy can be put back, and a damaged one is refused")
    func copies() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.sqlite")
            let copy = folder.appendingPathComponent("copy.sqlite")
            do {
                let store = try SQLiteAccountStore(url: url)
                try await store.put(client("1"))
                try await store.backup(to: copy)
                try await store.put(client("2"))
                #expect(try await store.check().isEmpty)
            }
            try await SQLiteAccountStore.restore(copy, to: url)
            #expect(try await SQLiteAccountStore(url: url).clients().map(\.id) == ["1"])
            for file in [copy, url] {
                let rights = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
                #expect(rights == 0o600, "\(file.lastPathComponent) holds keys")
            }
            try Data("no database at all, whatever its name says".utf8).write(to: copy)
            await #expect(throws: EarshotError.self) { try await SQLiteAccountStore.restore(copy, to: url) }
            #expect(try await SQLiteAccountStore(url: url).clients().map(\.id) == ["1"])
        }
    }

    @Test("clients that had the one right of before have all rights, and the others none")
    func oneRight() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.sqlite")
            let old = try DatabaseQueue(path: url.path)
            try SQLiteAccountStore.migrator.migrate(old, upTo: "1")
            try await old.write { database in
                for (id, may) in [("1", true), ("2", false)] {
                    try database.execute(
                        sql: "INSERT INTO client (id, json) VALUES (?, ?)",
                        arguments: [
                            id,
                            """
                            {"created":800000000.5,"entitlements":["mood"],"id":"\(id)","isEnabled":true,\
                            "mayChangeReferences":\(may),"modules":["music"],"name":"App","quota":7,"searchOrder":["music"],\
                            "tagDigest":"AQID"}
                            """,
                        ]
                    )
                }
            }
            try old.close()
            let clients = try await SQLiteAccountStore(url: url).clients()
            #expect(clients.map(\.rights) == [Set(ClientRight.allCases), []])
            for client in clients {
                #expect(client.entitlements == [.mood] && client.quota == 7 && client.tagDigest == Data([1, 2, 3]))
                #expect(client.created == Date(timeIntervalSinceReferenceDate: 800_000_000.5))
            }
        }
    }

}
