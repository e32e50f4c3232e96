import EarshotCore
import EarshotSharedCatalogs

extension RecognitionServer {
    /// Creates the search over nodes; `nil` without an address for other nodes, or a shared catalog.
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
            // A short queue: a node that waits for seconds has asked another one long before.
            queue: WorkQueue(width: settings.workers, limit: 4 * settings.workers)
        )
    }

    /// Returns the parts with a catalog that is searched over nodes, if there is such a search.
    static func joined(_ parts: Parts, to cluster: ClusterSearch?) -> Parts {
        var parts = parts
        parts.catalog.search = cluster?.search
        return parts
    }
}
