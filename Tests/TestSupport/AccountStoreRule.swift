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

    private static func refused(_ body: () async throws -> Void) async {
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

    // MARK: - Histories

    private static let histories: [AccountStoreRule] = [
        .init(name: "numbers of a user's history are not given again, and the oldest make room") {
            (store: any AccountStore) async throws in
            try await store.put(client("1"))
            try await store.put(user("a"))
            try await store.put(user("b"))
            for number in 1...5 {
                let entry = try await store.addHistory(of: "a", date: now, kind: "stream", match: match, limit: 3)
                #expect(entry.id == number)
            }
            #expect(try await store.history(of: "a", offset: 0, limit: 10).map(\.id) == [5, 4, 3])
            #expect(try await store.history(of: "a", offset: 1, limit: 1).map(\.id) == [4])
            try await store.removeHistory(of: "a", entry: 5)
            let time = now.addingTimeInterval(0.1234567)
            #expect(try await store.addHistory(of: "a", date: time, kind: "file", match: match, limit: 3).id == 6)
            let last = try #require(try await store.history(of: "a", offset: 0, limit: 1).first)
            // A date comes back to the bit: it is compared for equality.
            #expect(last.match == match && last.kind == "file" && last.date == time)
            try await store.removeHistory(of: "a", entry: nil)
            #expect(try await store.historyCount(of: "a") == 0)
            #expect(try await store.addHistory(of: "b", date: now, kind: "file", match: match, limit: 3).id == 1)
            await refused {
                try await store.addHistory(of: "nobody", date: now, kind: "file", match: match, limit: 3)
            }
        },
        .init(name: "a character U+0000 is kept in the texts of a history, and is not searched for") {
            (store: any AccountStore) async throws in
            try await store.put(client("1"))
            try await store.put(user("a"))
            let found = [match("Lan\u{0}tern \u{0} Light", by: "\u{0}"), match("!\u{0}?", by: "The\u{0}Foxes")]
            for match in found {
                try await store.addHistory(of: "a", date: now, kind: "stream", match: match, limit: 10)
            }
            #expect(try await store.history(of: "a", offset: 0, limit: 10).map(\.match) == found.reversed())
            for (words, id) in [("light", 1), ("tern \u{0} li", 1), ("foxes", 2), ("\u{0}foxes\u{0}", 2)] {
                #expect(try await store.history(of: "a", matching: words, offset: 0, limit: 10).map(\.id) == [id])
            }
            #expect(try await store.historyCount(of: "a", matching: "\u{0}") == 2)
        },
        .init(name: "entries are found by parts of words, whatever the case and the accents") {
            (store: any AccountStore) async throws in
            try await store.put(client("1"))
            try await store.put(user("a"))
            try await store.put(user("b"))
            for found in [
                match("Café del Mar", by: "Energy 52"), match("Lantern", by: "The Tin Foxes", on: "Morning Rail"),
                match("朝の線路", by: "錫の狐"), match("100% _Pure_", by: "x' OR 1=1 --"), MusicMatch(),
            ] {
                try await store.addHistory(of: "a", date: now, kind: "stream", match: found, limit: 10)
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
        },
        .init(name: "a place is kept with an entry, replaced and removed, of its own user only") {
            (store: any AccountStore) async throws in
            try await store.put(client("1"))
            try await store.put(user("a"))
            try await store.put(user("b"))
            for _ in 0..<2 { try await store.addHistory(of: "a", date: now, kind: "stream", match: match, limit: 10) }
            let vienna = try #require(HistoryPlace(latitude: 48.2, longitude: 16.37, accuracy: 30))
            let null = try #require(HistoryPlace(latitude: 0, longitude: 0))
            #expect(try await store.setHistoryPlace(null, of: "a", entry: 1))
            #expect(try await store.setHistoryPlace(vienna, of: "a", entry: 2))
            #expect(try await store.setHistoryPlace(vienna, of: "a", entry: 3) == false)
            #expect(try await store.setHistoryPlace(vienna, of: "b", entry: 1) == false)
            #expect(try await store.history(of: "a", offset: 0, limit: 10).map(\.place) == [vienna, null])
            #expect(try await store.setHistoryPlace(nil, of: "a", entry: 2))
            #expect(try await store.history(of: "a", offset: 0, limit: 10).map(\.place) == [nil, null])
        },
        .init(name: "a hundred entries at once get a hundred numbers") { (store: any AccountStore) async throws in
            try await store.put(client("1"))
            try await store.put(user("a"))
            let ids = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        try await store.addHistory(of: "a", date: now, kind: "file", match: MusicMatch(), limit: 1_000)
                            .id
                    }
                }
                return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
            }
            #expect(ids == Set(1...100))
        },
    ]

    // MARK: - Usage and values

    /// Adds uses in a batch of their own.
    private static func add(
        _ uses: [String: Int],
        on day: String,
        forgettingBefore first: String,
        to store: any AccountStore
    ) async throws {
        let batch = UsageBatch(writer: UUID().uuidString, number: 1, day: day, uses: uses)
        try await store.addUsage(batch, forgettingBefore: first)
    }

    private static let counts: [AccountStoreRule] = [
        .init(name: "a batch of uses is added once, and one that comes after a later one not at all") {
            (store: any AccountStore) async throws in
            func add(_ number: Int, _ count: Int, of writer: String = "node-a", on day: String = "2026-01-01")
                async throws
            {
                let batch = UsageBatch(writer: writer, number: number, day: day, uses: ["client/1": count])
                try await store.addUsage(batch, forgettingBefore: "2025-12-01")
            }
            for _ in 0..<3 { try await add(1, 2) }
            #expect(try await store.usage(of: "client/1", on: "2026-01-01") == 2)
            try await add(1, 10, of: "node-b")
            for number in [3, 2, 3] { try await add(number, 100) }
            #expect(try await store.usage(of: "client/1", on: "2026-01-01") == 112)
            // The numbers go on from day to day.
            try await add(3, 1, on: "2026-01-02")
            #expect(try await store.usage(of: "client/1", on: "2026-01-02") == 0)
            try await add(4, 1, on: "2026-01-02")
            #expect(try await store.usage(of: "client/1", on: "2026-01-02") == 1)
        },
        .init(name: "uses are added up by days, and old days are removed") { (store: any AccountStore) async throws in
            try await add(["client/1": 2, "user/a": 1], on: "2026-01-01", forgettingBefore: "2025-12-01", to: store)
            try await add(["client/1": 3], on: "2026-01-01", forgettingBefore: "2025-12-01", to: store)
            try await add([:], on: "2026-01-01", forgettingBefore: "2025-12-01", to: store)
            #expect(try await store.usage(of: "client/1", on: "2026-01-01") == 5)
            #expect(try await store.usage(of: "user/a", on: "2026-01-01") == 1)
            #expect(try await store.usage(of: "client/1", on: "2026-01-02") == 0)
            try await add(["client/2": 4], on: "2026-01-02", forgettingBefore: "2025-12-01", to: store)
            #expect(
                try await store.usage(beginning: "client/", since: "2026-01-01") == [
                    UsageCount(subject: "client/1", day: "2026-01-01", count: 5),
                    UsageCount(subject: "client/2", day: "2026-01-02", count: 4),
                ]
            )
            #expect(try await store.usage(beginning: "client/", since: "2026-01-02").map(\.count) == [4])
            try await add(["client/1": 1], on: "2026-03-01", forgettingBefore: "2026-02-01", to: store)
            #expect(try await store.usage(of: "client/1", on: "2026-01-01") == 0)
        },
        .init(name: "uses are taken up to a limit: what is wanted, or a part of what is left") {
            (store: any AccountStore) async throws in
            func take(
                _ wanted: ClosedRange<Int>,
                limit: Int,
                of subject: String = "client/1"
            ) async throws -> [Int] {
                let request = UsageRequest(
                    subject: subject,
                    day: "2026-01-01",
                    limit: limit,
                    least: wanted.lowerBound,
                    most: wanted.upperBound
                )
                let used = try await store.usage(of: subject, on: "2026-01-01")
                let (taken, now) = try await store.takeUsage(request)
                #expect(taken == request.taken(after: used) && now == used + taken)
                #expect(try await store.usage(of: subject, on: "2026-01-01") == now)
                return [taken, now]
            }
            #expect(try await take(1...1, limit: 0) == [0, 0])
            #expect(try await take(3...3, limit: 2) == [0, 0])
            #expect(try await take(1...2, limit: 10) == [2, 2])
            #expect(try await take(4...6, limit: 10) == [6, 8])
            #expect(try await take(3...9, limit: 10) == [0, 8])
            #expect(try await take(1...9, limit: 10) == [2, 10])
            #expect(try await take(1...1, limit: 10) == [0, 10])
            // A limit that was lowered.
            #expect(try await take(1...1, limit: 5) == [0, 10])
            // A part of what is left, also of the first day.
            #expect(try await take(1...1, limit: 2_570) == [10, 20])
            #expect(try await take(1...1, limit: 2_560, of: "client/2") == [10, 10])
            #expect(try await take(1...20, limit: 2_560, of: "client/2") == [20, 30])
            try await add(["client/2": -25], on: "2026-01-01", forgettingBefore: "2025-12-01", to: store)
            #expect(try await take(1...1, limit: 6, of: "client/2") == [1, 6])
        },
        .init(name: "a request for uses that comes again takes nothing, and is answered as before") {
            (store: any AccountStore) async throws in
            func request(_ id: String?, limit: Int = 100) -> UsageRequest {
                UsageRequest(subject: "user/a", day: "2026-01-01", limit: limit, least: 1, most: 5, id: id)
            }
            for _ in 0..<2 { #expect(try await store.takeUsage(request("n/1")) == (5, 5)) }
            try await add(["user/a": 2], on: "2026-01-01", forgettingBefore: "2025-12-01", to: store)
            #expect(try await store.takeUsage(request("n/1")) == (5, 7))
            // Also one that has taken the last ones.
            for _ in 0..<2 { #expect(try await store.takeUsage(request("n/2", limit: 10)) == (3, 10)) }
            #expect(try await store.takeUsage(request("n/3", limit: 10)) == (0, 10))
            for count in [15, 20] { #expect(try await store.takeUsage(request(nil)) == (5, count)) }
        },
        .init(name: "many who take uses at once take as many as there are, and no more") {
            (store: any AccountStore) async throws in
            let request = UsageRequest(subject: "user/a", day: "2026-01-01", limit: 1_000, least: 1, most: 9)
            let taken = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<150 { group.addTask { try await store.takeUsage(request).taken } }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(taken.reduce(0, +) == 1_000)
            #expect(try await store.usage(of: "user/a", on: "2026-01-01") == 1_000)
        },
        .init(name: "uses that many add at the same moment are all counted") { (store: any AccountStore) async throws in
            let subjects = (0..<10).map { "client/\($0)" }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        let uses = Dictionary(uniqueKeysWithValues: subjects.map { ($0, 1) })
                        try await add(uses, on: "2026-01-01", forgettingBefore: "2025-12-01", to: store)
                    }
                }
                try await group.waitForAll()
            }
            #expect(
                try await store.usage(beginning: "client/", since: "2026-01-01").map(\.count)
                    == Array(repeating: 20, count: 10)
            )
        },
    ]

    private static let values: [AccountStoreRule] = [
        .init(name: "an identifier with a character U+0000 is refused, and is not taken for its beginning") {
            (store: any AccountStore) async throws in
            try await store.put(client("1"))
            try await store.put(user("u"))
            try await store.setValue(Data([1]), for: "a")
            let bundle = OwnedResource(.bundle, "b")
            try await store.setOwner("1", of: bundle)
            try await store.addHistory(of: "u", date: now, kind: "stream", match: match("x"), limit: 9)
            let batch = UsageBatch(writer: "w", number: 1, day: "2026-01-01", uses: ["client/1\u{0}": 1])
            let attempts: [() async throws -> Void] = [
                { _ = try await store.client("1\u{0}") }, { try await store.put(client("1\u{0}")) },
                { _ = try await store.add(client("1\u{0}x")) }, { _ = try await store.removeClient("1\u{0}") },
                { _ = try await store.updateClient("1\u{0}") { $0.name = "" } },
                { _ = try await store.user("u\u{0}") }, { _ = try await store.removeUser("u\u{0}x") },
                { _ = try await store.register(user("u\u{0}"), limit: nil) },
                { _ = try await store.value("a\u{0}") }, { try await store.setValue(nil, for: "a\u{0}") },
                { _ = try await store.replaceValue(Data([1]), with: Data([2]), for: "a\u{0}") },
                { _ = try await store.takeValue("a\u{0}") }, { try await store.addUsage(batch, forgettingBefore: "") },
                { _ = try await store.usage(of: "client/1\u{0}", on: "2026-01-01") },
                { _ = try await store.owner(of: OwnedResource(.bundle, "b\u{0}")) },
                { _ = try await store.history(of: "u\u{0}", offset: 0, limit: 1) },
                { _ = try await store.historyCount(of: "u\u{0}") },
                { _ = try await store.historyCount(of: "u\u{0}", matching: "x") },
                { _ = try await store.setHistoryPlace(nil, of: "u\u{0}", entry: 1) },
                { try await store.removeHistory(of: "u\u{0}", entry: nil) },
            ]
            for (number, attempt) in attempts.enumerated() {
                let error = await #expect(throws: EarshotError.self, "\(number)") { try await attempt() }
                #expect(error?.code == .requestInvalid, "\(number)")
            }
            #expect(try await store.client("1") == client("1"))
            #expect(try await store.user("u") != nil)
            #expect(try await store.historyCount(of: "u") == 1)
            #expect(try await store.value("a") == Data([1]))
            #expect(try await store.owner(of: bundle) == "1")
            #expect(try await store.usage(of: "client/1", on: "2026-01-01") == 0)
        },
        .init(name: "values are kept, replaced and removed by name") { (store: any AccountStore) async throws in
            for name in ["key/2", "key/1", "keys", "k%y/3", "K_y"] {
                try await store.setValue(Data(name.utf8), for: name)
            }
            #expect(try await store.valueNames(beginning: "key/") == ["key/1", "key/2"])
            #expect(try await store.valueNames(beginning: "") == ["K_y", "k%y/3", "key/1", "key/2", "keys"])
            #expect(try await store.value("keys") == Data("keys".utf8))
            try await store.setValue(Data([0, 255]), for: "keys")
            #expect(try await store.value("keys") == Data([0, 255]))
            try await store.setValue(Data(), for: "keys")
            #expect(try await store.value("keys") == Data())
            try await store.setValue(nil, for: "keys")
            #expect(try await store.value("keys") == nil)
        },
        .init(name: "a value is replaced only while it is the one that was read") {
            (store: any AccountStore) async throws in
            #expect(try await store.replaceValue(Data([1]), with: Data([2]), for: "x") == nil)
            #expect(try await store.value("x") == nil)
            #expect(try await store.replaceValue(nil, with: Data([1]), for: "x") == Data([1]))
            #expect(try await store.replaceValue(nil, with: Data([2]), for: "x") == Data([1]))
            #expect(try await store.replaceValue(Data([3]), with: Data([2]), for: "x") == Data([1]))
            #expect(try await store.value("x") == Data([1]))
            #expect(try await store.replaceValue(Data([1]), with: Data(), for: "x") == Data())
            #expect(try await store.replaceValue(Data(), with: Data([4]), for: "x") == Data([4]))
            #expect(try await store.value("x") == Data([4]))
            #expect(try await store.value("y") == nil)
        },
        .init(name: "of many who keep a first value at once one does, and all get that one") {
            (store: any AccountStore) async throws in
            let kept = try await withThrowingTaskGroup(of: Data?.self) { group in
                for number in 0..<20 {
                    group.addTask { try await store.replaceValue(nil, with: Data([UInt8(number)]), for: "x") }
                }
                return try await group.reduce(into: Set<Data?>()) { $0.insert($1) }
            }
            #expect(kept == [try await store.value("x")])
            #expect(kept.first.flatMap(\.self)?.count == 1)
        },
        .init(name: "changes of a value that compare what they read are all kept") {
            (store: any AccountStore) async throws in
            _ = try await store.replaceValue(nil, with: Data([0]), for: "x")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        var old = try #require(try await store.value("x"))
                        while true {
                            let new = Data([old[0] + 1, UInt8.random(in: 0...255), UInt8.random(in: 0...255)])
                            let kept = try #require(try await store.replaceValue(old, with: new, for: "x"))
                            if kept == new { return }
                            old = kept
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.value("x")?.first == 10)
        },
        .init(name: "of many who take a value one gets it") { (store: any AccountStore) async throws in
            try await store.setValue(Data([9]), for: "x")
            let taken = try await withThrowingTaskGroup(of: Data?.self) { group in
                for _ in 0..<20 { group.addTask { try await store.takeValue("x") } }
                return try await group.reduce(into: [Data]()) { if let data = $1 { $0.append(data) } }
            }
            #expect(taken == [Data([9])])
            #expect(try await store.takeValue("x") == nil)
        },
    ]
}
