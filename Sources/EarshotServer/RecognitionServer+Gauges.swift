import CoreMetrics
import EarshotCatalogs
import EarshotCore
import EarshotNodes
import EarshotSharedCatalogs

extension RecognitionServer {
    /// Returns the number of recognitions, exports, analyses and other media work that run or wait.
    static func load(_ queue: WorkQueue, _ media: MediaService?) async -> Int {
        let own = queue.load.running + queue.load.waiting
        guard let media else { return own }
        let (exports, analyses) = (await media.exports?.load, await media.analyses.load)
        return own + (exports?.running ?? 0) + (exports?.waiting ?? 0) + analyses.running + analyses.waiting
            + media.queue.load.running + media.queue.load.waiting
    }

    /// Returns a function that updates the gauges: metrics that are read when they are asked for.
    static func gauges(
        _ parts: Parts,
        _ queue: WorkQueue,
        _ media: MediaService?,
        _ work: NodeWork
    ) -> @Sendable () async -> Void {
        { [metrics = parts.metrics, catalog = parts.catalog, databaseLoad = parts.databaseLoad] in
            func set(_ name: String, _ value: Int) { metrics.makeMeter(label: name, dimensions: []).set(Int64(value)) }
            let load = queue.load
            set("earshot_work_running", load.running)
            set("earshot_work_waiting", load.waiting)
            set("earshot_leases_held", work.leaseCount)
            if let load = databaseLoad?() {
                set("earshot_database_connections_used", load.used)
                set("earshot_database_connections_waiting", load.waiting)
            }
            set("earshot_catalog_references", catalog.referenceCount)
            if let shared = catalog.shared {
                let status = shared.status
                set("earshot_catalog_generation", status.generation)
                set("earshot_catalog_lag", status.lag)
                set("earshot_catalog_segments", status.segmentCount)
                set("earshot_catalog_segments_held", status.heldSegmentCount)
                set("earshot_catalog_segments_missing", status.missing.count)
                set("earshot_catalog_segments_elsewhere", status.elsewhereCount)
                set("earshot_catalog_bytes", status.size)
                set("earshot_catalog_silence_seconds", Int(status.silence))
                // Fails only if the task is canceled.
                if let size = try? await shared.cacheSize() { set("earshot_catalog_cache_bytes", size) }
            }
            guard let media else { return }
            let (exports, analyses) = (await media.exports?.load, await media.analyses.load)
            set("earshot_exports_running", exports?.running ?? 0)
            set("earshot_exports_waiting", exports?.waiting ?? 0)
            set("earshot_analyses_running", analyses.running)
            set("earshot_analyses_waiting", analyses.waiting)
            set("earshot_media_work_running", media.queue.load.running)
            set("earshot_media_work_waiting", media.queue.load.waiting)
            set("earshot_media_streams", media.places.count)
        }
    }
}
