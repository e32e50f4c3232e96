import EarshotCore
import EarshotRecognition
import Foundation
import Testing

extension AccountStoreRule {
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

    static let counts: [AccountStoreRule] = [
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

    static let values: [AccountStoreRule] = [
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
