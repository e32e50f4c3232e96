public import EarshotCore

extension Catalog {
    /// The result of adding one catalog to another.
    public struct MergeResult: Hashable, Sendable {
        /// References that were added.
        public var added = 0
        /// References that were there already, with equal signature and items.
        public var skipped = 0
    }

    /// Bytes of the other catalog, and landmarks of it that are not laid out, up to which its references are loaded first.
    private static let loadedSize = 16 << 20

    /// Adds every reference of another catalog that is not there yet.
    ///
    /// A reference with equal signature and items counts as there, whatever its name. One whose name is taken by other
    /// content gets the name with a number behind it.
    ///
    /// - Throws: `catalogInvalid` if the other catalog is damaged; this one is unchanged then.
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
            // Nothing can fail between the first change and the last, so no copy has to be kept, which would cost what this
            // catalog has for each of many small ones.
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

    /// Loads what will be compared with a reference, for what is damaged in this catalog.
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
