package import EarshotCore
package import EarshotNodes
package import Foundation

/// An object store that times and counts the requests to another one.
package struct MeasuredObjectStore: ObjectStore {
    private let store: any ObjectStore
    private let metrics: MetricRegistry
    private let clock: MediaClock

    package var name: String { store.name }
    package var largest: Int { store.largest }

    /// Creates a store that forwards all requests to another one.
    package init(_ store: any ObjectStore, metrics: MetricRegistry, clock: MediaClock = .system) {
        (self.store, self.metrics, self.clock) = (store, metrics, clock)
    }

    package func keep(_ file: URL, size: Int, sha256: String, as key: String) async throws(EarshotError) {
        try await measure("put", bytes: { size }) { () async throws(EarshotError) in
            try await store.keep(file, size: size, sha256: sha256, as: key)
        }
    }

    package func fetch(_ key: String, to file: URL) async throws(EarshotError) {
        try await measure("get", bytes: { Self.size(of: file) }) { () async throws(EarshotError) in
            try await store.fetch(key, to: file)
        }
    }

    package func remove(_ key: String) async throws(EarshotError) {
        try await measure("delete", bytes: { 0 }) { () async throws(EarshotError) in try await store.remove(key) }
    }

    package func list(_ prefix: String, after token: String?) async throws(EarshotError) -> ObjectPage {
        try await measure("list", bytes: { 0 }) { () async throws(EarshotError) in
            try await store.list(prefix, after: token)
        }
    }

    package func check() async throws(EarshotError) { try await store.check() }

    private static func size(of file: URL) -> Int {
        let size = try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
        return size ?? 0
    }

    private func measure<Value>(
        _ operation: String,
        bytes: () -> Int,
        _ work: () async throws(EarshotError) -> Value
    ) async throws(EarshotError) -> Value {
        let begin = clock.now.seconds
        let value: Value
        do throws(EarshotError) {
            value = try await work()
        } catch {
            // A canceled request says nothing about the bucket, and is not counted.
            if error.code != .cancelled {
                metrics.countBucketRequest(
                    operation,
                    seconds: clock.now.seconds - begin,
                    bytes: 0,
                    failure: error.code
                )
            }
            throw error
        }
        metrics.countBucketRequest(operation, seconds: clock.now.seconds - begin, bytes: bytes(), failure: nil)
        return value
    }
}
