import EarshotCore
package import EarshotNodes
import Testing

/// A rule that every store of leases keeps: the suite of each store runs all of them.
package struct LeaseStoreRule: Sendable, CustomTestStringConvertible {
    private let name: String
    private let body: @Sendable (any LeaseStore) async throws -> Void

    /// The rule in words.
    package var testDescription: String { name }

    init(name: String, _ body: @escaping @Sendable (any LeaseStore) async throws -> Void) {
        (self.name, self.body) = (name, body)
    }

    /// Holds an empty store against the rule.
    package func check(_ store: any LeaseStore) async throws { try await body(store) }

    private static let a = NodeID(rawValue: "node-a")
    private static let b = NodeID(rawValue: "node-b")

    /// All rules.
    package static let all: [LeaseStoreRule] = [
        .init(name: "one node holds a lease, and may prolong it") { store in
            let first = try #require(try await store.take("merge", for: a, seconds: 60))
            #expect(first == Lease(name: "merge", holder: a, fence: 1, seconds: 60))
            #expect(try await store.take("merge", for: b, seconds: 60) == nil)
            #expect(try await store.take("merge", for: a, seconds: 90)?.fence == 1)
            #expect(try await store.take("other", for: b, seconds: 60)?.fence == 1)
            let leases = try await store.leases()
            #expect(leases.map(\.name) == ["merge", "other"])
            #expect(leases.map(\.holder) == [a, b])
            #expect((80...90).contains(leases[0].seconds))
        },
        .init(name: "a lease that is given back is free at once, and its number grows") { store in
            let first = try #require(try await store.take("merge", for: a, seconds: 60))
            try await store.release(first)
            #expect(try await store.leases().isEmpty)
            let second = try #require(try await store.take("merge", for: b, seconds: 60))
            #expect(second.fence == 2)
            // The former holder comes late.
            try await store.release(first)
            #expect(try await store.take("merge", for: a, seconds: 60) == nil)
            try await store.release(second)
            #expect(try await store.take("merge", for: b, seconds: 60)?.fence == 3)
        },
        .init(name: "a lease ends by itself") { store in
            _ = try await store.take("merge", for: a, seconds: 0.02)
            var taken: Lease?
            while taken == nil { taken = try await store.take("merge", for: b, seconds: 60) }
            #expect(taken?.fence == 2)
            #expect(try await store.take("merge", for: a, seconds: 60) == nil)
        },
        .init(name: "of many that want a lease at once one gets it") { store in
            let nodes = (0..<24).map { NodeID(rawValue: "node-\($0)") }
            let taken = try await withThrowingTaskGroup(of: Lease?.self) { group in
                for node in nodes { group.addTask { try await store.take("merge", for: node, seconds: 60) } }
                return try await group.reduce(into: [Lease]()) { if let lease = $1 { $0.append(lease) } }
            }
            #expect(taken.count == 1)
            #expect(try await store.leases().map(\.holder) == taken.map(\.holder))
        },
    ]
}
