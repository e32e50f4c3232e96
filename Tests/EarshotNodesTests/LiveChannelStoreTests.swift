import EarshotNodes
import TestSupport
import Testing

@Suite("Live channels that nodes share", .timeLimit(.minutes(1)))
struct LiveChannelStoreTests {
    @Test("a store in memory keeps every rule of live channels", arguments: LiveChannelStoreRule.all)
    func rules(rule: LiveChannelStoreRule) async throws { try await rule.check(MemoryLiveChannelStore()) }
}
