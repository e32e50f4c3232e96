import EarshotCore
import EarshotMusic
package import EarshotRecognition
package import Foundation
import Testing

/// A rule that every store of accounts keeps: the suite of each store runs all of them.
package struct AccountStoreRule: Sendable, CustomTestStringConvertible {
    private let name: String
    private let body: @Sendable (any AccountStore) async throws -> Void

    /// The rule in words.
    package var testDescription: String { name }

    init(name: String, _ body: @escaping @Sendable (any AccountStore) async throws -> Void) {
        (self.name, self.body) = (name, body)
    }

    /// Holds an empty store against the rule.
    package func check(_ store: any AccountStore) async throws { try await body(store) }

    /// All rules.
    package static let all = clients + users + histories + counts + values

    /// The time at which everything is made.
    package static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// A client with some settings.
    package static func client(_ id: String) -> ServiceClient {
        var client = ServiceClient(id: id, tagDigest: Data([1, 2, 3]), name: "App \(id) \u{0}", created: now)
        client.entitlements = [.mood, .links]
        client.quota = 7
        return client
    }

    /// A user of a client.
    package static func user(_ id: String, of client: String = "1") -> ServiceUser {
        ServiceUser(id: id, client: client, secretDigest: Data([4]), created: now)
    }

    /// Music with a descriptor.
    package static var match: MusicMatch {
        var match = match("Lantern")
        match.track.genres = [Descriptor(id: "a", name: "A")]
        return match
    }

    /// Music with names.
    package static func match(_ title: String, by artist: String? = nil, on album: String? = nil) -> MusicMatch {
        var match = MusicMatch()
        match.track.title = title
        match.artist.name = artist
        match.album.title = album
        return match
    }

    static func refused(_ body: () async throws -> Void) async {
        let error = await #expect(throws: EarshotError.self) { try await body() }
        #expect(error?.code == .entityNotFound)
    }

    // MARK: - Clients

    private static let clients: [AccountStoreRule] = [
        .init(name: "of many who keep a new client under one identifier one does, and its client stays") {
            (store: any AccountStore) async throws in
            let kept = try await withThrowingTaskGroup(of: Int?.self) { group in
                for number in 0..<12 {
                    group.addTask {
                        var client = client("1")
                        client.name = "\(number)"
                        return try await store.add(client) ? number : nil
                    }
                }
                return try await group.reduce(into: [Int]()) { if let number = $1 { $0.append(number) } }
            }
            #expect(kept.count == 1)
            #expect(try await store.client("1")?.name == kept.first.map { "\($0)" })
            #expect(try await store.add(client("2")))
            #expect(try await store.clients().map(\.id) == ["1", "2"])
        },
        .init(name: "a store that was never used is empty") { (store: any AccountStore) async throws in
            #expect(try await store.clients().isEmpty)
            #expect(try await store.client("1") == nil)
            #expect(try await store.user("a") == nil)
            #expect(try await store.userCount(of: "1") == 0)
            #expect(try await store.history(of: "a", offset: 0, limit: 10).isEmpty)
            #expect(try await store.value("x") == nil)
            #expect(try await store.removeUser("a") == false)
            #expect(
                try await store.updateClient("1") { (client: inout ServiceClient) throws(EarshotError) in
                    client.quota = 1
                } == nil
            )
        },
        .init(name: "clients and users come back as they were kept, in order of identifiers") {
            (store: any AccountStore) async throws in
            for id in ["b", "2", "1", "B", "ä", "10"] { try await store.put(client(id)) }
            for id in ["c", "a", "b"] { try await store.put(user(id)) }
            #expect(try await store.clients() == ["1", "10", "2", "B", "b", "ä"].map(client))
            #expect(try await store.client("2") == client("2"))
            #expect(try await store.client("3") == nil)
            #expect(try await store.user("a") == user("a"))
            #expect(try await store.users(of: "1", offset: 0, limit: 10) == ["a", "b", "c"].map { user($0) })
            #expect(try await store.users(of: "1", offset: 1, limit: 1) == [user("b")])
            #expect(try await store.users(of: "2", offset: 0, limit: 10).isEmpty)
        },
        .init(name: "a client is replaced, with its users kept") { (store: any AccountStore) async throws in
            try await store.put(client("1"))
            try await store.put(user("a"))
            var changed = client("1")
            changed.isEnabled = false
            try await store.put(changed)
            #expect(try await store.clients() == [changed])
            #expect(try await store.user("a") != nil)
        },
        .init(name: "a change that throws leaves a client as it was") { (store: any AccountStore) async throws in
            try await store.put(client("1"))
            await refused {
                _ = try await store.updateClient("1") { (client: inout ServiceClient) throws(EarshotError) in
                    client.quota = 99
                    throw EarshotError(.entityNotFound, "no")
                }
            }
            #expect(try await store.client("1") == client("1"))
        },
        .init(name: "changes of a client at the same moment are all kept") { (store: any AccountStore) async throws in
            try await store.put(client("1"))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<30 {
                    group.addTask {
                        _ = try await store.updateClient("1") { (client: inout ServiceClient) throws(EarshotError) in
                            client.quota = (client.quota ?? 0) + 1
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.client("1")?.quota == 37)
        },
        .init(name: "with a client go its users, their histories and what it owns") {
            (store: any AccountStore) async throws in
            try await store.put(client("1"))
            try await store.put(user("a"))
            try await store.setOwner("1", of: OwnedResource(.channel, "x"))
            try await store.addHistory(of: "a", date: now, kind: "stream", match: match, limit: 10)
            #expect(try await store.removeClient("1"))
            #expect(try await store.removeClient("1") == false)
            #expect(try await store.user("a") == nil)
            #expect(try await store.historyCount(of: "a") == 0)
            #expect(try await store.owner(of: OwnedResource(.channel, "x")) == nil)
            await refused { try await store.put(user("b")) }
        },
        .init(name: "a resource belongs to a client until it is given away or the client is removed") {
            (store: any AccountStore) async throws in
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
        },
    ]

    // MARK: - Users

    private static let users: [AccountStoreRule] = [
        .init(name: "a user is changed and removed") { (store: any AccountStore) async throws in
            try await store.put(client("1"))
            try await store.put(user("a"))
            let changed = try await store.updateUser("a") { (user: inout ServiceUser) throws(EarshotError) in
                user.appVersion = "2"
            }
            #expect(changed?.appVersion == "2")
            #expect(try await store.user("a") == changed)
            try await store.addHistory(of: "a", date: now, kind: "stream", match: match, limit: 10)
            #expect(try await store.removeUser("a"))
            #expect(try await store.userCount(of: "1") == 0)
            #expect(try await store.historyCount(of: "a") == 0)
            #expect(try await store.updateUser("a") { (_: inout ServiceUser) throws(EarshotError) in } == nil)
        },
        .init(name: "users are registered up to a limit, also by many at once") {
            (store: any AccountStore) async throws in
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
            await refused { _ = try await store.register(user("y", of: "3"), limit: nil) }
        },
    ]
}
