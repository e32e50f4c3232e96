import EarshotCore
package import EarshotNodes
import Testing

/// A rule that every store of attempts keeps: the suite of each store runs all of them.
package struct AttemptStoreRule: Sendable, CustomTestStringConvertible {
    private let name: String
    private let body: @Sendable (any AttemptStore) async throws -> Void

    /// The rule in words.
    package var testDescription: String { name }

    init(name: String, _ body: @escaping @Sendable (any AttemptStore) async throws -> Void) {
        (self.name, self.body) = (name, body)
    }

    /// Holds an empty store against the rule.
    package func check(_ store: any AttemptStore) async throws { try await body(store) }

    private static func limit(
        _ key: String,
        _ most: Int,
        window: Double = 900,
        pause: Double = .infinity,
        unless exemption: AttemptMark? = nil
    ) -> AttemptLimit {
        AttemptLimit(key: key, most: most, window: window, pause: pause, exemption: exemption)
    }

    private static func takeBack(_ store: any AttemptStore, _ keys: String...) async throws {
        try await store.takeBack(keys, forgetting: nil, noting: nil, for: 0)
    }

    /// All rules.
    package static let all: [AttemptStoreRule] = [
        .init(name: "attempts are counted up to each limit, and one too many by none") {
            (store: any AttemptStore) async throws in
            let both = [limit("name/b", 5), limit("from/a", 3)]
            for _ in 0..<3 { #expect(try await store.count(both) == ["name/b", "from/a"]) }
            for _ in 0..<5 { #expect(try await store.count(both) == nil) }
            // Of the refused ones none is counted.
            for _ in 0..<2 { #expect(try await store.count([limit("name/b", 5)]) == ["name/b"]) }
            #expect(try await store.count([limit("name/b", 5)]) == nil)
            #expect(try await store.count([limit("name/b", 6)]) == ["name/b"])
            #expect(try await store.count([limit("x", 0)]) == nil)
            #expect(try await store.count([]) == [])
        },
        .init(name: "an attempt that is taken back is counted no longer, and a key is forgotten") {
            (store: any AttemptStore) async throws in
            for _ in 0..<3 { _ = try await store.count([limit("a", 3), limit("b", 10)]) }
            #expect(try await store.count([limit("a", 3)]) == nil)
            try await takeBack(store, "a", "b", "c")
            #expect(try await store.count([limit("a", 3)]) == ["a"])
            #expect(try await store.count([limit("a", 3)]) == nil)
            try await store.takeBack(["a", "b"], forgetting: "a", noting: nil, for: 0)
            for _ in 0..<3 { #expect(try await store.count([limit("a", 3)]) == ["a"]) }
            #expect(try await store.count([limit("a", 3)]) == nil)
            // What is taken back too often is no credit.
            for _ in 0..<9 { try await takeBack(store, "a") }
            for _ in 0..<3 { #expect(try await store.count([limit("a", 3)]) == ["a"]) }
            #expect(try await store.count([limit("a", 3)]) == nil)
        },
        .init(name: "a limit does not hold for whoever has a mark, until it ends or eight others are noted") {
            (store: any AttemptStore) async throws in
            func mark(_ name: String) -> AttemptMark { AttemptMark(subject: "ada", name: name) }
            func limits(_ name: String) -> [AttemptLimit] { [limit("ada", 1, unless: mark(name)), limit("z", 99)] }
            #expect(try await store.count(limits("home")) == ["ada", "z"])
            #expect(try await store.count(limits("home")) == nil)
            try await store.takeBack([], forgetting: nil, noting: mark("home"), for: 900)
            #expect(try await store.count(limits("home")) == ["z"])
            #expect(try await store.count(limits("away")) == nil)
            #expect(try await store.count([limit("ada", 1, unless: AttemptMark(subject: "bob", name: "home"))]) == nil)
            for number in 0..<7 {
                try await store.takeBack([], forgetting: nil, noting: mark("\(number)"), for: 900 + Double(number))
            }
            #expect(try await store.count(limits("home")) == ["z"])
            try await store.takeBack([], forgetting: nil, noting: mark("7"), for: 907)
            #expect(try await store.count(limits("home")) == nil)
            #expect(try await store.count(limits("0")) == ["z"])
            try await store.takeBack([], forgetting: nil, noting: mark("0"), for: 0)
            #expect(try await store.count(limits("0")) == nil)
        },
        .init(name: "of many attempts at once as many are counted as the limit says") {
            (store: any AttemptStore) async throws in
            let counted = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<60 {
                    let limits = [limit("all", 20), limit("own/\(number % 3)", 50)]
                    group.addTask { try await store.count(number % 2 == 0 ? limits : limits.reversed()) != nil }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(counted == 20)
        },
        .init(name: "a window ends by itself, and beyond a limit one attempt passes after each pause") {
            (store: any AttemptStore) async throws in
            #expect(try await store.count([limit("a", 1, window: 0.02)]) == ["a"])
            while try await store.count([limit("a", 1, window: 60)]) == nil {}
            #expect(try await store.count([limit("a", 1)]) == nil)
            #expect(try await store.count([limit("b", 1)]) == ["b"])
            while try await store.count([limit("b", 1, pause: 0.02)]) == nil {}
            #expect(try await store.count([limit("b", 1, pause: 60)]) == nil)
        },
    ]
}
