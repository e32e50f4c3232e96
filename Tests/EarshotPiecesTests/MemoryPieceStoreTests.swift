import EarshotPieces
import TestSupport
import Testing

@Suite("Pieces in memory")
struct MemoryPieceStoreTests {
    @Test("The store keeps every rule", arguments: PieceStoreRule.all)
    func rules(rule: PieceStoreRule) async throws {
        try await rule.check(MemoryPieceStore())
    }
}
