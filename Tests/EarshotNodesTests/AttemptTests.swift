import EarshotNodes
import TestSupport
import Testing

@Suite("Attempts to log in, in memory")
struct AttemptTests {
    @Test("a store in memory keeps every rule of attempts", arguments: AttemptStoreRule.all)
    func rules(rule: AttemptStoreRule) async throws { try await rule.check(MemoryAttemptStore()) }
}
