/// A segment of a catalog that nodes share, as the manifest names it. The file is in the bucket and never changes.
package struct SharedSegment: Hashable, Sendable {
    /// A segment that this one took the place of when it was written.
    package struct Source: Hashable, Sendable {
        /// The name of its file, as ``SharedSegment/object``.
        package var object: String
        /// The numbers of its references that were removed before the merge. All others follow each other, in order, in the merged segment.
        package var removed: Set<Int>

        package init(object: String, removed: Set<Int>) { (self.object, self.removed) = (object, removed) }
    }

    /// The number of the segment, which no other segment of the catalog has or had.
    package var number: Int
    /// The name of its file, which no other file has or had: the SHA-256 digest as hexadecimal digits, and some that are random. The
    /// bucket has it as ``key(_:in:)``.
    package var object: String
    /// Bytes of the file.
    package var size: Int
    /// References in it, removed ones too.
    package var referenceCount: Int
    /// Frames on its timeline.
    package var frameCount: Int
    package var postingCount: Int
    /// The sort key among the segments: references are searched and listed in the order in which they were added, also after merges.
    package var position: Int
    /// Numbers of the references that were removed.
    package var removed: Set<Int>
    /// The segments that were merged into it, in order. A node that still has them need not wait for this one.
    package var sources: [Source]

    package init(
        number: Int,
        object: String,
        size: Int,
        referenceCount: Int,
        frameCount: Int,
        postingCount: Int,
        position: Int,
        removed: Set<Int> = [],
        sources: [Source] = []
    ) {
        (self.number, self.object, self.size, self.referenceCount) = (number, object, size, referenceCount)
        (self.frameCount, self.postingCount, self.position) = (frameCount, postingCount, position)
        (self.removed, self.sources) = (removed, sources)
    }

    /// Returns a new name for a file. No other file has it, not even one of the same content, so that a late removal never hits an object
    /// that is needed again.
    ///
    /// - Parameter digest: The SHA-256 digest of the file, as hexadecimal digits.
    static func object(digest: String) -> String { "\(digest)-\(String(UInt64.random(in: 0...UInt64.max), radix: 36))" }

    /// Returns the SHA-256 digest in the name of an object, as hexadecimal digits.
    static func digest(of object: String) -> String { String(object.prefix { $0 != "-" }) }

    /// The number of references that count.
    package var count: Int { referenceCount - removed.count }

    /// Returns the name of an object in the bucket.
    package static func key(_ object: String, in catalog: String) -> String {
        "\(prefix(of: catalog))\(object)\(suffix)"
    }

    /// Returns the prefix of the keys of a catalog's objects in the bucket.
    static func prefix(of catalog: String) -> String { "catalogs/\(catalog)/" }

    private static let suffix = ".earcat"

    /// Returns the object of a key in the bucket; `nil` for a key that ``key(_:in:)`` does not make.
    static func object(ofKey key: String, in catalog: String) -> String? {
        let prefix = prefix(of: catalog)
        guard key.hasPrefix(prefix), key.hasSuffix(suffix) else { return nil }
        let object = key.dropFirst(prefix.count).dropLast(suffix.count)
        let parts = object.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 64, parts[0].allSatisfy({ $0.isHexDigit }),
            UInt64(parts[1], radix: 36) != nil
        else { return nil }
        return String(object)
    }
}
