import EarshotBroadcast
import TestSupport
import Testing

@Suite("Log of plays in memory")
struct MemoryPlaylogStoreTests {
    @Test("A store in memory keeps every rule of logs", arguments: PlaylogStoreRule.all)
    func rules(rule: PlaylogStoreRule) async throws {
        try await rule.check(MemoryPlaylogStore())
    }
}
