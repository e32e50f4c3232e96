import EarshotAnalysis
import EarshotCore
import EarshotLibrary
import EarshotSQLite
import Testing

@Suite("Stores of analyses")
struct AnalysisStoreTests {
    enum Kind: CaseIterable {
        case memory, sqlite

        func make() throws -> any AnalysisStore {
            switch self {
            case .memory: MemoryAnalysisStore()
            case .sqlite: try SQLiteAnalysisStore.inMemory()
            }
        }
    }

    private func record(_ item: String, _ analyzer: String, _ outcome: AnalysisRecord.Outcome) -> AnalysisRecord {
        AnalysisRecord(item: item, analyzer: analyzer, version: 3, stamp: "stamp of \(item)", outcome: outcome)
    }

    @Test("records come back, the newest of each, until their item is forgotten", arguments: Kind.allCases)
    func records(_ kind: Kind) async throws {
        let store = try kind.make()
        let loud = record("a", "loudness", .result(Array(#"{"integrated":-9.5}"#.utf8)))
        let bad = record("b/曲", "loudness", .failure(code: "readFailed", message: "It ended early."))
        let quiet = record("a", "silence", .result([]))
        try await store.keep([loud, bad, quiet])
        #expect(try await store.record(of: "a", by: "loudness") == loud)
        #expect(try await store.record(of: "b/曲", by: "loudness") == bad)
        #expect(try await store.record(of: "b/曲", by: "silence") == nil)
        #expect(Set(try await store.records(of: ["a", "b/曲", "none"])) == [loud, bad, quiet])
        #expect(try await store.records(of: []) == [])
        #expect(try await store.items() == ["a", "b/曲"])
        let newer = record("a", "loudness", .failure(code: "assetNotFound", message: "gone"))
        try await store.keep([newer])
        #expect(try await store.record(of: "a", by: "loudness") == newer)
        try await store.forget(["a", "nothing"])
        #expect(try await store.items() == ["b/曲"])
    }
}
