import EarshotCore
import EarshotSharedCatalogs

extension RecognitionServer {
    /// The search of a node together with others; `nil` for a node that has no address for them.
    static func clusterSearch(
        _ settings: ServiceSettings,
        _ parts: Parts
    ) async throws(EarshotError) -> ClusterSearch? {
        guard let address = settings.clusterAddress, let catalog = parts.catalog.shared else { return nil }
        return ClusterSearch(
            catalog,
            node: parts.node,
            address: address,
            cacheBytes: settings.cacheBytes ?? 0,
            seal: try await NodeSecret.seal(in: parts.accounts, wrapping: parts.keyWrapping),
            // Whoever is not answered in some seconds has asked another node.
            queue: WorkQueue(width: settings.workers, limit: 4 * settings.workers)
        )
    }

    /// Parts whose catalog is searched together with other nodes, where it is.
    static func joined(_ parts: Parts, to cluster: ClusterSearch?) -> Parts {
        var parts = parts
        parts.catalog.search = cluster?.search
        return parts
    }
}
