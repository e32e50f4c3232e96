import EarshotCore
import EarshotNodes
import TestSupport
import Testing

@testable import EarshotPostgreSQL

@Suite("Nodes in PostgreSQL", .enabled(if: TestDatabase.address != nil), .timeLimit(.minutes(5)))
struct PostgreSQLNodeStoreTests {
    @Test("a store keeps every rule of leases", arguments: LeaseStoreRule.all)
    func rules(rule: LeaseStoreRule) async throws {
        try await TestDatabase.run { options in
            try await rule.check(try await PostgreSQLNodeStore(PostgreSQLPool(options)))
        }
    }

    @Test("a store keeps every rule though transactions lose races", arguments: LeaseStoreRule.all)
    func conflicts(rule: LeaseStoreRule) async throws {
        try await TestDatabase.run { options in
            _ = try await PostgreSQLNodeStore(PostgreSQLPool(options))
            try await rule.check(PostgreSQLNodeStore(opened: PostgreSQLPool.losingRaces(options)))
        }
    }

    @Test("nodes are known while they say that they live")
    func register() async throws {
        try await TestDatabase.run { options in
            let store = try await PostgreSQLNodeStore(PostgreSQLPool(options))
            let other = try await PostgreSQLNodeStore(PostgreSQLPool(options))
            var a = NodeRecord(id: NodeID(rawValue: "a"), name: "one")
            let b = NodeRecord(id: NodeID(rawValue: "b"), name: "two", generation: 3)
            _ = try await store.announce(b, seconds: 60)
            _ = try await store.announce(a, seconds: 60)
            #expect(try await other.nodes() == [a, b])
            a.generation = 7
            _ = try await store.announce(a, seconds: 60)
            #expect(try await other.nodes() == [a, b])
            try await other.leave(b.id)
            #expect(try await store.nodes() == [a])
            _ = try await store.announce(a, seconds: 0)
            #expect(try await store.nodes().isEmpty)
        }
    }

    @Test("a store that is only read is not made")
    func reading() async throws {
        try await TestDatabase.run { options in
            let pool = PostgreSQLPool(options)
            #expect(try await PostgreSQLNodeStore.existing(in: pool) == nil)
            #expect(try await PostgreSQLManifestStore.existing(in: pool) == nil)
            let tables = try await pool.read { connection in
                try connection.row("SELECT count(*) AS count FROM pg_tables WHERE schemaname = current_schema()")?
                    .integer("count")
            }
            #expect(tables == 0)
            _ = try await PostgreSQLNodeStore(pool)
            #expect(try await PostgreSQLNodeStore.existing(in: pool)?.nodes() == [])
        }
    }

    @Test("the folders of nodes are known for a day after these have left or died")
    func places() async throws {
        try await TestDatabase.run { options in
            let pool = PostgreSQLPool(options)
            let store = try await PostgreSQLNodeStore(pool)
            #expect(try await store.places() == [])
            let (here, there) = (PlaceID(rawValue: "here"), PlaceID(rawValue: "there"))
            _ = try await store.announce(NodeRecord(id: NodeID(rawValue: "a"), name: "one", place: here), seconds: 0)
            _ = try await store.announce(NodeRecord(id: NodeID(rawValue: "b"), name: "two", place: there), seconds: 60)
            try await store.leave(NodeID(rawValue: "b"))
            #expect(try await store.nodes().isEmpty)
            #expect(try await store.places() == [here, there])
            _ = try await pool.write { connection in
                try connection.change("UPDATE node SET until = until - interval '25 hours' WHERE id = 'a'")
            }
            #expect(try await store.places() == [there])
            // One of an earlier version may have any folder.
            _ = try await store.announce(NodeRecord(id: NodeID(rawValue: "c"), name: "three"), seconds: 60)
            #expect(try await store.places() == nil)
        }
    }

    @Test("a node learns that it is to be drained, and that it is not, and only one that lives can be asked")
    func draining() async throws {
        try await TestDatabase.run { options in
            let store = try await PostgreSQLNodeStore(PostgreSQLPool(options))
            let other = try await PostgreSQLNodeStore(PostgreSQLPool(options))
            let record = NodeRecord(id: NodeID(rawValue: "a"), name: "one", isDraining: true, work: 3)
            #expect(try await !other.setDraining(true, of: record.id))
            #expect(try await !store.announce(record, seconds: 60))
            #expect(try await other.setDraining(true, of: record.id))
            #expect(try await store.announce(record, seconds: 60))
            #expect(try await other.nodes() == [record])
            #expect(try await other.setDraining(false, of: record.id))
            #expect(try await !store.announce(record, seconds: 0))
            #expect(try await !other.setDraining(true, of: record.id))
        }
    }

    @Test("a node of a version that does not tell its work is read")
    func earlier() async throws {
        try await TestDatabase.run { options in
            let pool = PostgreSQLPool(options)
            let store = try await PostgreSQLNodeStore(pool)
            let json = #"{"generation":1,"id":"a","isDraining":true,"name":"one"}"#
            _ = try await pool.write { connection in
                try connection.change("INSERT INTO node VALUES ('a', clock_timestamp() + interval '1 hour', $1)", json)
            }
            let node = try #require(try await store.nodes().first)
            #expect(node.work == nil && !node.isDrained)
        }
    }
}
