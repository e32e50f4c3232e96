import EarshotSharedCatalogs
import TestSupport
import Testing

@Suite("Manifests in memory")
struct MemoryManifestStoreTests {
    @Test("a store keeps every rule of manifests", arguments: ManifestStoreRule.all)
    func rules(rule: ManifestStoreRule) async throws { try await rule.check(MemoryManifestStore()) }

    @Test("a store keeps every rule of files", arguments: IngestStoreRule.all)
    func files(rule: IngestStoreRule) async throws { try await rule.check(MemoryManifestStore()) }
}
