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
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func client(_ id: String) -> ServiceClient {
        var client = ServiceClient(id: id, tagDigest: Data([1, 2, 3]), name: "App \(id)", created: Self.now)
        client.entitlements = [.mood, .links]
        client.quota = 7
        return client
    }

    private func user(_ id: String, of client: String = "1") -> ServiceUser {
        ServiceUser(id: id, client: client, secretDigest: Data([4]), created: Self.now)
    }

    private var match: MusicMatch {
        var match = MusicMatch()
        match.track.title = "Lantern"
        match.track.genres = [Descriptor(id: "a", name: "A")]
        return match
    }

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

    @Test("with a client go its users and their histories")
    func removal() async throws {
        let store = try SQLiteAccountStore.inMemory()
        try await store.put(client("1"))
        try await store.put(user("a"))
        try await store.addHistory(of: "a", date: Self.now, kind: "stream", match: match, limit: 10)
        #expect(try await store.removeClient("1"))
        #expect(try await store.removeClient("1") == false)
        #expect(try await store.user("a") == nil)
        #expect(try await store.historyCount(of: "a") == 0)
        await #expect(throws: EarshotError.self) { try await store.put(user("b")) }
    }

    @Test("numbers of a user's history are not given again, and the oldest make room")
    func history() async throws {
        let store = try SQLiteAccountStore.inMemory()
        try await store.put(client("1"))
        try await store.put(user("a"))
        try await store.put(user("b"))
        for number in 1...5 {
            let entry = try await store.addHistory(of: "a", date: Self.now, kind: "stream", match: match, limit: 3)
            #expect(entry.id == number)
        }
        #expect(try await store.history(of: "a", offset: 0, limit: 10).map(\.id) == [5, 4, 3])
        #expect(try await store.history(of: "a", offset: 1, limit: 1).map(\.id) == [4])
        try await store.removeHistory(of: "a", entry: 5)
        #expect(try await store.addHistory(of: "a", date: Self.now, kind: "file", match: match, limit: 3).id == 6)
        let last = try #require(try await store.history(of: "a", offset: 0, limit: 1).first)
        #expect(last.match == match && last.kind == "file" && last.date == Self.now)
        try await store.removeHistory(of: "a", entry: nil)
        #expect(try await store.historyCount(of: "a") == 0)
        #expect(try await store.addHistory(of: "b", date: Self.now, kind: "file", match: match, limit: 3).id == 1)
        await #expect(throws: EarshotError.self) {
            try await store.addHistory(of: "nobody", date: Self.now, kind: "file", match: match, limit: 3)
        }
    }

    private func match(_ title: String, by artist: String, on album: String? = nil) -> MusicMatch {
        var match = MusicMatch()
        match.track.title = title
        match.artist.name = artist
        match.album.title = album
        return match
    }

    @Test("entries are found by parts of words, whatever the case and the accents")
    func words() async throws {
        let store = try SQLiteAccountStore.inMemory()
        try await store.put(client("1"))
        try await store.put(user("a"))
        try await store.put(user("b"))
        for found in [
            match("Café del Mar", by: "Energy 52"), match("Lantern", by: "The Tin Foxes", on: "Morning Rail"),
            match("朝の線路", by: "錫の狐"), match("100% _Pure_", by: "x' OR 1=1 --"), MusicMatch(),
        ] {
            try await store.addHistory(of: "a", date: Self.now, kind: "stream", match: found, limit: 10)
        }
        func ids(_ words: String?) async throws -> [Int] {
            let ids = try await store.history(of: "a", matching: words, offset: 0, limit: 10).map(\.id)
            #expect(try await store.historyCount(of: "a", matching: words) == ids.count)
            return ids
        }
        #expect(try await ids(nil) == [5, 4, 3, 2, 1])
        #expect(try await ids("CAFE mar") == [1])
        #expect(try await ids("foxes rail lanter") == [2])
        #expect(try await ids("foxes cafe").isEmpty)
        #expect(try await ids("線路") == [3])
        #expect(try await ids("pure") == [4])
        #expect(try await ids("or 1=1") == [4])
        #expect(try await store.history(of: "a", matching: "a", offset: 1, limit: 1).count == 1)
        #expect(try await store.history(of: "b", matching: "cafe", offset: 0, limit: 10).isEmpty)
    }

    @Test(
        "a place is kept with an entry, replaced and forgotten, of its own user only",
        .requirements("R-MC-227", "R-MC-235")
    )
    func places() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.sqlite")
            let store = try SQLiteAccountStore(url: url)
            try await store.put(client("1"))
            try await store.put(user("a"))
            try await store.put(user("b"))
            for _ in 0..<2 {
                try await store.addHistory(of: "a", date: Self.now, kind: "stream", match: match, limit: 10)
            }
            let vienna = try #require(HistoryPlace(latitude: 48.2, longitude: 16.37, accuracy: 30))
            let null = try #require(HistoryPlace(latitude: 0, longitude: 0))
            #expect(try await store.setHistoryPlace(null, of: "a", entry: 1))
            #expect(try await store.setHistoryPlace(vienna, of: "a", entry: 2))
            #expect(try await store.setHistoryPlace(vienna, of: "a", entry: 3) == false)
            #expect(try await store.setHistoryPlace(vienna, of: "b", entry: 1) == false)
            let again = try SQLiteAccountStore(url: url)
            #expect(try await again.history(of: "a", offset: 0, limit: 10).map(\.place) == [vienna, null])
            #expect(try await store.setHistoryPlace(nil, of: "a", entry: 2))
            #expect(try await again.history(of: "a", offset: 0, limit: 10).map(\.place) == [nil, null])
        }
    }

    @Test("a history of before can be searched, also with an entry that cannot be read")
    func oldHistory() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.sqlite")
            let old = try DatabaseQueue(path: url.path)
            try SQLiteAccountStore.migrator.migrate(old, upTo: "2")
            let text = try SQLiteAccountStore.text(match("Lantern", by: "Tin Foxes"))
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

    @Test("a hundred entries at once get a hundred numbers")
    func concurrency() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteAccountStore(url: folder.appendingPathComponent("a.sqlite"))
            try await store.put(client("1"))
            try await store.put(user("a"))
            let ids = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        try await store.addHistory(
                            of: "a",
                            date: Self.now,
                            kind: "file",
                            match: MusicMatch(),
                            limit: 1_000
                        ).id
                    }
                }
                return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
            }
            #expect(ids == Set(1...100))
        }
    }

    @Test("what is used is added up by days, and old days are forgotten")
    func usage() async throws {
        let store = try SQLiteAccountStore.inMemory()
        try await store.addUsage(["client/1": 2, "user/a": 1], on: "2026-01-01", forgettingBefore: "2025-12-01")
        try await store.addUsage(["client/1": 3], on: "2026-01-01", forgettingBefore: "2025-12-01")
        #expect(try await store.usage(of: "client/1", on: "2026-01-01") == 5)
        #expect(try await store.usage(of: "user/a", on: "2026-01-01") == 1)
        #expect(try await store.usage(of: "client/1", on: "2026-01-02") == 0)
        try await store.addUsage(["client/2": 4], on: "2026-01-02", forgettingBefore: "2025-12-01")
        #expect(
            try await store.usage(beginning: "client/", since: "2026-01-01") == [
                UsageCount(subject: "client/1", day: "2026-01-01", count: 5),
                UsageCount(subject: "client/2", day: "2026-01-02", count: 4),
            ]
        )
        #expect(try await store.usage(beginning: "client/", since: "2026-01-02").map(\.count) == [4])
        try await store.addUsage(["client/1": 1], on: "2026-03-01", forgettingBefore: "2026-02-01")
        #expect(try await store.usage(of: "client/1", on: "2026-01-01") == 0)
    }

    @Test("values are kept and forgotten by name")
    func values() async throws {
        let store = try SQLiteAccountStore.inMemory()
        for name in ["key/2", "key/1", "keys", "k%y/3"] { try await store.setValue(Data(name.utf8), for: name) }
        #expect(try await store.valueNames(beginning: "key/") == ["key/1", "key/2"])
        #expect(try await store.value("keys") == Data("keys".utf8))
        try await store.setValue(nil, for: "keys")
        #expect(try await store.value("keys") == nil)
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

    @Test("a resource belongs to a client until it is given away or the client is removed")
    func owners() async throws {
        let store = try SQLiteAccountStore.inMemory()
        for id in ["1", "2"] { try await store.put(client(id)) }
        for kind in OwnedResource.Kind.allCases {
            let resource = OwnedResource(kind, "x")
            #expect(try await store.owner(of: resource) == nil)
            try await store.setOwner("1", of: resource)
            #expect(try await store.owner(of: resource) == "1")
            #expect(try await store.owner(of: OwnedResource(kind, "X")) == nil)
            try await store.setOwner("2", of: resource)
            #expect(try await store.owner(of: resource) == "2")
            try await store.setOwner(nil, of: resource)
            #expect(try await store.owner(of: resource) == nil)
            // There is no such client.
            try await store.setOwner("3", of: resource)
            #expect(try await store.owner(of: resource) == nil)
            try await store.setOwner("1", of: resource)
        }
        try await store.removeClient("1")
        for kind in OwnedResource.Kind.allCases {
            #expect(try await store.owner(of: OwnedResource(kind, "x")) == nil)
        }
    }

    @Test("users are registered up to a limit, also by many at once")
    func registering() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteAccountStore(url: folder.appendingPathComponent("a.sqlite"))
            try await store.put(client("1"))
            try await store.put(client("2"))
            #expect(try await store.register(user("x", of: "2"), limit: nil) == 1)
            let counts = try await withThrowingTaskGroup(of: Int?.self) { group in
                for number in 0..<20 {
                    group.addTask { try await store.register(user("u\(number)"), limit: 7) }
                }
                return try await group.reduce(into: [Int?]()) { $0.append($1) }
            }
            #expect(counts.compactMap(\.self).sorted() == Array(1...7))
            #expect(try await store.userCount(of: "1") == 7)
            #expect(try await store.userCount(of: "2") == 1)
            await #expect(throws: EarshotError.self) { try await store.register(user("y", of: "3"), limit: nil) }
        }
    }
}
