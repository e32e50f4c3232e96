public import EarshotCore
import EarshotSegments
public import EarshotSignatures
import Foundation
import Synchronization

extension CatalogStore {
    /// Makes several changes as one. If one fails or the process ends, none of them is made.
    ///
    /// Added references are kept in memory until the end of the change: add about 64 references or 64 MB in one change.
    ///
    /// - Parameter body: Changes the catalog, and may search it. Other changes of the store wait until it returns.
    /// - Returns: The result of `body`, after the change is on the disk.
    /// - Throws: The errors of `body`; `writeFailed`; `catalogInvalid` if a limit of the format is exceeded. The store
    ///   is then unchanged.
    @discardableResult
    public func change<Result: Sendable>(_ body: (inout Catalog) throws -> Result) throws -> Result {
        try state.withLock { snapshot in
            var catalog = snapshot.catalog
            let result = try body(&catalog)
            if let changed = try save(catalog, over: snapshot) {
                snapshot = changed
                // The change is committed. If a merge fails, the next change tries again, and `merge()` reports the
                // error.
                while let merged = try? mergeOnce(snapshot) { snapshot = merged }
            }
            return result
        }
    }

    /// Adds references in one change.
    ///
    /// - Throws: The errors of `Catalog.add(_:representing:id:)` and ``change(_:)``.
    public func add(_ additions: [Catalog.Addition]) throws {
        try change { catalog in
            for addition in additions {
                try catalog.add(addition.signature, representing: addition.items, id: addition.id)
            }
        }
    }

    /// Removes references by their names in one change.
    ///
    /// - Throws: `referenceNotFound` if a name does not exist, and the errors of ``change(_:)``.
    public func remove(_ ids: [ReferenceID]) throws {
        try change { catalog in
            for id in ids { try catalog.remove(id) }
        }
    }

    /// Replaces the signature and the media items of a reference in one change.
    ///
    /// - Throws: `referenceNotFound` if the name does not exist, and the errors of ``change(_:)``.
    public func replace(_ id: ReferenceID, with signature: Signature, representing items: [MediaItem]) throws {
        try change { catalog in try catalog.replace(id, with: signature, representing: items) }
    }

    /// Merges the segments that are due. Changes do so too, but ignore errors of merging.
    ///
    /// - Throws: `catalogInvalid` if a segment is damaged; `writeFailed`. The store has the same references as before.
    public func merge() throws(EarshotError) {
        try settle { snapshot throws(EarshotError) in try self.mergeOnce(snapshot) }
    }

    /// Merges all segments into as few as the size limit of a segment allows, and drops removed references.
    ///
    /// - Throws: `catalogInvalid` if a segment is damaged; `writeFailed`. The store has the same references as before.
    public func compact() throws(EarshotError) {
        try settle { snapshot throws(EarshotError) in
            guard let range = self.policy.compaction(Self.sizes(snapshot)) else { return nil }
            return try self.merge(range, of: snapshot)
        }
    }

    private func settle(
        _ step: (StoreSnapshot) throws(EarshotError) -> StoreSnapshot?
    ) throws(EarshotError) {
        do {
            try state.withLock { snapshot in
                while let merged = try step(snapshot) { snapshot = merged }
            }
        } catch let error as EarshotError {
            throw error
        } catch {
            throw EarshotError(
                .internalError,
                "The segments of the store could not be merged: please report this.",
                cause: error
            )
        }
    }
}

// MARK: - Writing

extension CatalogStore {
    /// The size, in bytes, from which a new segment is written as a file of its own: 1 MiB.
    private static let copiedSize = 1 << 20

    /// Writes the difference between a changed catalog and the store.
    ///
    /// - Returns: The changed store; `nil` if there is no difference.
    private func save(_ catalog: Catalog, over before: StoreSnapshot) throws(EarshotError) -> StoreSnapshot? {
        var entries: [ObjectIdentifier: StoreManifest.Entry] = [:]
        for (segment, entry) in zip(before.segments, before.manifest.entries) {
            entries[ObjectIdentifier(segment)] = entry
        }
        var after = StoreDraft(before)
        after.manifest.limits = catalog.queryLimits
        var fresh: [SegmentMerger.Source] = []
        func flush() throws(EarshotError) {
            guard !fresh.isEmpty else { return }
            try write(fresh, to: &after)
            fresh = []
        }
        for target in try catalog.matchTargets() where target.removed.count < target.segment.referenceCount {
            if var entry = entries[ObjectIdentifier(target.segment)] {
                try flush()
                entry.removed = target.removed
                after.append(target.segment, entry)
            } else {
                let source = SegmentMerger.Source(target: target, name: "The catalog")
                if target.segment.bytes.count >= Self.copiedSize {
                    try flush()
                    try write([source], to: &after)
                } else {
                    fresh.append(source)
                }
            }
        }
        try flush()
        guard after.differs(from: before) else { return nil }
        return try commit(after, over: before)
    }

    private func mergeOnce(_ snapshot: StoreSnapshot) throws(EarshotError) -> StoreSnapshot? {
        guard let range = policy.plan(Self.sizes(snapshot)) else { return nil }
        return try merge(range, of: snapshot)
    }

    private static func sizes(_ snapshot: StoreSnapshot) -> [MergePolicy.Size] {
        snapshot.manifest.entries.map {
            MergePolicy.Size(
                size: Int(clamping: $0.size),
                entryCount: $0.referenceCount,
                removedCount: $0.removed.count
            )
        }
    }

    private func merge(_ range: Range<Int>, of before: StoreSnapshot) throws(EarshotError) -> StoreSnapshot {
        var after = StoreDraft(before)
        for index in before.segments.indices {
            let entry = before.manifest.entries[index]
            if !range.contains(index) {
                after.append(before.segments[index], entry)
            } else if index == range.lowerBound {
                let sources = range.map { index in
                    SegmentMerger.Source(
                        target: MaskedSegment(
                            segment: before.segments[index],
                            removed: before.manifest.entries[index].removed
                        ),
                        name: before.url(before.manifest.entries[index]).path
                    )
                }
                try write(sources, to: &after)
            }
        }
        return try commit(after, over: before)
    }

    /// Writes one segment file, opens it, and appends it to the draft unless it has no references.
    private func write(_ sources: [SegmentMerger.Source], to draft: inout StoreDraft) throws(EarshotError) {
        // Numbers of failed attempts are not used again, because their files may still exist.
        let number = max(draft.manifest.nextNumber, attempts.withLock { $0 })
        attempts.withLock { $0 = number + 1 }
        draft.manifest.nextNumber = number + 1
        let name = StoreManifest.Entry.fileName(number)
        let target = url.appendingPathComponent(name)
        let limits = draft.manifest.limits
        try files.put(name) { place throws(EarshotError) in
            if sources.count == 1, sources[0].target.removed.isEmpty {
                try SegmentMerger.copy(sources[0].target.segment, to: place)
            } else {
                try SegmentMerger.merge(sources, limits: limits, to: place)
            }
        }
        let bytes = try MappedBytes(catalog: target)
        let segment = try Segment(bytes, name: target.path)
        guard segment.referenceCount > 0 else { return }
        draft.append(
            segment,
            StoreManifest.Entry(
                number: number,
                size: UInt64(bytes.count),
                checksum: bytes.checksum(of: 0..<bytes.count),
                referenceCount: segment.referenceCount
            )
        )
    }

    /// Commits a draft and deletes unreferenced files.
    private func commit(_ draft: StoreDraft, over before: StoreSnapshot) throws(EarshotError) -> StoreSnapshot {
        var manifest = draft.manifest
        manifest.generation = before.manifest.generation + 1
        guard max(manifest.generation, manifest.nextNumber) <= StoreManifest.maximumNumber else {
            throw EarshotError(
                .catalogInvalid,
                "\(url.path) has reached the largest number of changes of a store: export it and import it into a new one."
            )
        }
        guard manifest.entries.count <= StoreManifest.maximumSegments else {
            throw EarshotError(
                .catalogInvalid,
                "\(url.path) has as many segments as a store may have: merge them with `earshot catalog compact`."
            )
        }
        try files.commit(manifest.bytes, referencing: manifest.fileNames)
        var after = before
        after.manifest = manifest
        after.segments = draft.segments
        return after
    }
}

/// The state of a store before it is committed.
private struct StoreDraft {
    var manifest: StoreManifest
    var segments: [Segment] = []

    init(_ before: StoreSnapshot) {
        manifest = before.manifest
        manifest.entries = []
    }

    mutating func append(_ segment: Segment, _ entry: StoreManifest.Entry) {
        manifest.entries.append(entry)
        segments.append(segment)
    }

    func differs(from before: StoreSnapshot) -> Bool {
        manifest.entries != before.manifest.entries || manifest.limits != before.manifest.limits
    }
}
