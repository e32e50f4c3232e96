import EarshotCore

/// The names of references by the digests of their content.
struct KnownContent: Sendable {
    private var ids: [UInt64: [ReferenceID]] = [:]

    /// The names of references with this digest, which may have the same content.
    subscript(digest: UInt64) -> [ReferenceID] { ids[digest] ?? [] }

    mutating func add(_ id: ReferenceID, digest: UInt64) { ids[digest, default: []].append(id) }

    mutating func remove(_ id: ReferenceID, digest: UInt64) {
        ids[digest]?.removeAll { $0 == id }
        if ids[digest]?.isEmpty == true { ids[digest] = nil }
    }
}
