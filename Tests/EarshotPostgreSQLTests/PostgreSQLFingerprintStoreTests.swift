import EarshotCore
import EarshotFingerprints
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotPostgreSQL

@Suite("Fingerprints in PostgreSQL", .enabled(if: TestDatabase.address != nil), .timeLimit(.minutes(5)))
struct PostgreSQLFingerprintStoreTests {
    private typealias Rule = FingerprintTrackStoreRule

    @Test("a store keeps every rule of fingerprints", arguments: FingerprintTrackStoreRule.all)
    func rules(rule: FingerprintTrackStoreRule) async throws {
        try await TestDatabase.run { options in
            try await rule.check(try await PostgreSQLFingerprintStore(PostgreSQLPool(options)))
        }
    }

    @Test("a store keeps every rule though transactions lose races", arguments: FingerprintTrackStoreRule.all)
    func conflicts(rule: FingerprintTrackStoreRule) async throws {
        try await TestDatabase.run { options in
            _ = try await PostgreSQLFingerprintStore(PostgreSQLPool(options))
            let pool = PostgreSQLPool.losingRaces(options)
            // Each rule begins at another statement.
            for _ in 0..<rule.testDescription.utf8.count % 23 { _ = try await pool.read { try $0.rows("SELECT 1") } }
            try await rule.check(try await PostgreSQLFingerprintStore(pool))
        }
    }

    @Test("a change is whole or absent when its connection is cut before any of its statements", arguments: 0..<19)
    func cuts(statement: Int) async throws {
        try await TestDatabase.run { options in
            let whole = try await PostgreSQLFingerprintStore(PostgreSQLPool(options))
            try await Rule.fill(whole)
            var sent = Rule.submission("d", "eve", Rule.song)
            sent.metadata = SubmittedMetadata()
            sent.metadata?.track = "Lantern"
            sent.foreignID = "vendor:8"
            let number = try #require(try await whole.submit([sent]).first)
            // Statements are counted from the first one after the connection is made.
            let (pool, isCut) = PostgreSQLPool.cut(options, before: statement)
            let store = PostgreSQLFingerprintStore(opened: pool)
            let isKept: Bool
            do throws(EarshotError) {
                let decision = FingerprintDecision.join(Rule.three, same: nil, absorbing: [Rule.one, Rule.two])
                isKept = try await store.complete(submission: number, decision) != nil
            } catch {
                #expect(error.code == .storeUnavailable)
                isKept = false
            }
            // BEGIN, sixteen statements and COMMIT: the last of the arguments cuts nothing.
            #expect(isCut() || statement == 18)
            #expect(isKept == (statement == 18))
            let counts = try await whole.counts()
            let seen = try await [
                counts.tracks, counts.fingerprints, counts.links, counts.pending,
                whole.foreignIDs(of: Rule.three).count,
                whole.metadata(of: [Rule.three], limit: 9)[Rule.three]?.count ?? 0,
                whole.fingerprints(of: [Rule.three], limit: 9).count,
            ]
            let (before, after) = ([3, 3, 3, 1, 0, 0, 1], [1, 4, 2, 0, 3, 2, 4])
            // Cut while it was kept, it may have been.
            #expect(statement == 17 ? [before, after].contains(seen) : seen == (isKept ? after : before))
            // The pool has a connection again, and the change is made once.
            _ = try await store.complete(
                submission: number,
                .join(Rule.three, same: nil, absorbing: [Rule.one, Rule.two])
            )
            #expect(try await store.fingerprints(after: 0, limit: 9, byteLimit: 1 << 20).map(\.number) == [1, 2, 3, 4])
            #expect(try await store.counts().tracks == 1)
        }
    }

    @Test("two nodes write at once: nothing is lost, and an index of a third misses nothing")
    func nodes() async throws {
        try await TestDatabase.run { options in
            let nodes = [
                try await PostgreSQLFingerprintStore(PostgreSQLPool(options)),
                try await PostgreSQLFingerprintStore(PostgreSQLPool(options)),
            ]
            let third = try await PostgreSQLFingerprintStore(PostgreSQLPool(options))
            try await Rule.fill(third)
            let isDone = Mutex(false)
            async let followed = {
                var seen: [UInt64] = []
                while true {
                    let isLast = isDone.withLock { $0 }
                    let part = try await third.fingerprints(after: seen.last ?? 0, limit: 5, byteLimit: 1 << 20)
                    seen += part.map(\.number)
                    if part.isEmpty, isLast { return seen }
                }
            }()
            let result = await Result {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (place, node) in nodes.enumerated() {
                        group.addTask {
                            for round in 0..<40 {
                                let sent = Rule.submission("\(place) \(round)", "user \(place) \(round)", Rule.song)
                                let numbers = try await node.submit([sent])
                                let target = round % 2 == 0 ? Rule.one : Rule.two
                                let other = round % 2 == 0 ? Rule.two : Rule.one
                                let decision: FingerprintDecision =
                                    round % 4 == 0 ? .begin(UUID()) : .join(target, same: nil, absorbing: [other])
                                _ = try await node.complete(submission: numbers[0], decision)
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            isDone.withLock { $0 = true }
            #expect(try await followed == Array(1...83))
            try result.get()
            let counts = try await third.counts()
            // Twenty begun, and two of the three that were there; a link of each.
            #expect((counts.tracks, counts.fingerprints, counts.links, counts.pending) == (22, 83, 22, 0))
            #expect(try await third.links(of: [Rule.one], limit: 9)[Rule.one]?.map(\.sources) == [61])
        }
    }

    @Test("names of senders and foreign ids may have a character U+0000, which `text` refuses")
    func nulls() async throws {
        try await TestDatabase.run { options in
            let store = try await PostgreSQLFingerprintStore(PostgreSQLPool(options))
            var sent = Rule.submission("a", "ann \u{0}", nil)
            sent.foreignID = "vendor:\u{0}"
            let number = try #require(try await store.submit([sent]).first)
            #expect(try await store.complete(submission: number, .begin(Rule.one))?.submitter == "ann \u{0}")
            #expect(try await store.foreignIDs(of: Rule.one) == ["vendor:\u{0}"])
            // No fingerprint has one: it is refused by name, and the submission can still be refused.
            let other = try #require(try await store.submit([Rule.submission("\u{0}", "ann", nil)]).first)
            let error = await #expect(throws: EarshotError.self) {
                try await store.complete(submission: other, .begin(Rule.two))
            }
            #expect(error?.code == .requestInvalid)
            _ = try await store.complete(submission: other, .refuse)
            #expect(try await store.states(ofSubmissions: [other], indexedThrough: 9) == [other: .refused])
        }
    }

    @Test("nodes see one id, until a store that was put back from a backup gets another")
    func id() async throws {
        try await TestDatabase.run { options in
            let first = try await PostgreSQLFingerprintStore(PostgreSQLPool(options))
            let second = try await PostgreSQLFingerprintStore(PostgreSQLPool(options))
            let id = try await first.id()
            #expect(try await second.id() == id)
            try await first.renewID()
            #expect(try await second.id() != id)
            #expect(try await second.id() == first.id())
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
