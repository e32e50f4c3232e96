import EarshotNodes
import TestSupport
import Testing

@Suite("Publications", .timeLimit(.minutes(1)))
struct PublicationTests {
    @Test("a store in memory keeps every rule of publications", arguments: PublicationStoreRule.all)
    func rules(rule: PublicationStoreRule) async throws { try await rule.check(MemoryPublicationStore()) }
}
