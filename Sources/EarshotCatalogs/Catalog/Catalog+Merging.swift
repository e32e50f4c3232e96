public import EarshotCore

extension Catalog {
    /// The result of adding one catalog to another.
    public struct MergeResult: Hashable, Sendable {
        /// The number of references that were added.
        public var added = 0
        /// The number of references that were skipped: this catalog has one with equal signature and items.
        public var skipped = 0
    }

    /// Up to this size the other catalog's references are loaded before the first is added: bytes of its segments plus
    /// landmarks of its pending references.
    private static let loadedSize = 16 << 20

    /// Adds every reference of another catalog that this one does not have.
    ///
    /// A reference with equal signature and items is skipped, whatever its name. A reference whose name is taken by
    /// other content is added under that name with a number appended.
    ///
    /// - Throws: `catalogInvalid` if one of the two catalogs is damaged, `internalError` if merging fails otherwise.
    ///   This catalog is then unchanged.
    @discardableResult
    public mutating func add(_ other: Catalog) throws(EarshotError) -> MergeResult {
        if knownContent == nil { knownContent = try content() }
        do {
            guard other.byteCount + other.pendingLandmarkCount <= Self.loadedSize else {
                var merged = self
                var result = MergeResult()
                try other.forEachReference { try merged.merge($0, &result) }
                self = merged
                return result
            }
            // No step between the first change and the last can fail, so no backup is needed. A backup would copy this
            // whole catalog for each small one that is added.
            var references: [Reference] = []
            try other.forEachReference { references.append($0) }
            for reference in references { try verifyTwins(of: reference) }
            var result = MergeResult()
            for reference in references { try merge(reference, &result) }
            return result
        } catch let error as EarshotError {
            throw error
        } catch {
            throw EarshotError(.internalError, "The catalogs could not be merged: please report this.", cause: error)
        }
    }

    private mutating func merge(_ reference: Reference, _ result: inout MergeResult) throws(EarshotError) {
        for id in knownContent?[reference.contentDigest] ?? [] {
            guard let twin = try self.reference(id), twin.hasSameContent(as: reference) else { continue }
            result.skipped += 1
            return
        }
        let id = freeName(reference.id.rawValue)
        append(Reference(id: id, signature: reference.signature, items: reference.items))
        result.added += 1
    }

    /// Loads every reference of this catalog that `reference` will be compared with, so that damage is found before the
    /// first change.
    private func verifyTwins(of reference: Reference) throws(EarshotError) {
        for id in knownContent?[reference.contentDigest] ?? [] { _ = try self.reference(id) }
    }

    private func content() throws(EarshotError) -> KnownContent {
        var content = KnownContent()
        for target in targets {
            for number in 0..<target.segment.referenceCount where !target.removed.contains(number) {
                guard let id = target.segment.id(number) else {
                    throw EarshotError(.catalogInvalid, "\(name) is damaged: a name cannot be read. Make it again.")
                }
                content.add(id, digest: target.segment.records[number].contentDigest)
            }
        }
        for reference in pending { content.add(reference.id, digest: reference.contentDigest) }
        return content
    }
}
