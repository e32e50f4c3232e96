import EarshotCore
import EarshotFingerprints
import EarshotSQLite
import Foundation
import TestSupport
import Testing

@Suite("Fingerprints in SQLite")
struct SQLiteFingerprintStoreTests {
    private typealias Rule = FingerprintTrackStoreRule

    @Test("a store keeps every rule of fingerprints", arguments: FingerprintTrackStoreRule.all)
    func rules(rule: FingerprintTrackStoreRule) async throws {
        try await rule.check(try SQLiteFingerprintStore.inMemory())
    }

    @Test("a store in a file keeps every rule of fingerprints", arguments: FingerprintTrackStoreRule.all)
    func fileRules(rule: FingerprintTrackStoreRule) async throws {
        try await withTemporaryFolder { folder in
            try await rule.check(
                try SQLiteFingerprintStore(url: folder.appendingPathComponent("fingerprints.sqlite"))
            )
        }
    }

    @Test("another database is not taken for a store of fingerprints, and what was kept is there again")
    func files() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("fingerprints.sqlite")
            try await Rule.fill(try SQLiteFingerprintStore(url: url))
            let store = try SQLiteFingerprintStore(url: url)
            #expect(try await store.counts().fingerprints == 3)
            #expect(try await store.check().isEmpty)
            try await store.backup(to: folder.appendingPathComponent("copy.sqlite"))
            #expect(
                try await SQLiteFingerprintStore(url: folder.appendingPathComponent("copy.sqlite")).counts().links == 3
            )
            let other = folder.appendingPathComponent("guide.sqlite")
            _ = try SQLiteGuideStore(url: other)
            let error = #expect(throws: EarshotError.self) { try SQLiteFingerprintStore(url: other) }
            #expect(error?.code == .storeDamaged)
        }
    }

    @Test("a fingerprint stands once, whatever it was said to be, and not with its submission when that is done")
    func size() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("fingerprints.sqlite")
            let store = try SQLiteFingerprintStore(url: url)
            let text = String(repeating: "A", count: 1 << 20)
            for round in 0..<8 {
                var sent = Rule.submission(text, "ann", nil)
                sent.recordings = (0..<20).map { _ in UUID() } + [Rule.song, Rule.song]
                let number = try #require(try await store.submit([sent]).first)
                // What is refused leaves its room to the next one.
                let decision = round == 0 ? FingerprintDecision.begin(Rule.one) : .refuse
                _ = try await store.complete(submission: number, decision)
            }
            #expect(try await store.counts().links == 21)
            let copy = folder.appendingPathComponent("copy.sqlite")
            try await store.backup(to: copy)
            let bytes = try #require(try FileManager.default.attributesOfItem(atPath: copy.path)[.size] as? Int)
            #expect(bytes < 3 << 20)
        }
    }

    @Test("a store keeps its id until it is put back from a backup")
    func id() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("fingerprints.sqlite")
            let id = try await SQLiteFingerprintStore(url: url).id()
            #expect(try await SQLiteFingerprintStore(url: url).id() == id)
            #expect(try await SQLiteFingerprintStore.inMemory().id() != id)
            let copy = folder.appendingPathComponent("copy.sqlite")
            try await SQLiteFingerprintStore(url: url).backup(to: copy)
            try await SQLiteFingerprintStore.restore(copy, to: url)
            #expect(try await SQLiteFingerprintStore(url: url).id() != id)
        }
    }
}
