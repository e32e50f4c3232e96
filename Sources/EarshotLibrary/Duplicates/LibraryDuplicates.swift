import EarshotCatalogs
public import EarshotCore
public import EarshotSignatures

/// Finds recordings that a library has more than once, in whatever encoding, by their signatures.
public enum LibraryDuplicates {
    /// Items that hold the same recording.
    public struct Group: Hashable, Sendable {
        /// The identifiers of the items, in the order in which they were given.
        public let items: [String]
    }

    /// Returns groups of items that hold the same recording.
    ///
    /// Only the same recording counts: versions, excerpts and medleys do not.
    ///
    /// - Parameter signatures: The items with their signatures; each item once.
    /// - Returns: Groups of at least two, in the order of their first items.
    /// - Throws: `internalError` when the signatures cannot be laid out.
    public static func groups(
        among signatures: [(item: String, signature: Signature)]
    ) throws(EarshotError) -> [Group] {
        var catalog = Catalog()
        let additions = signatures.enumerated().map { number, entry in
            Catalog.Addition(id: ReferenceID(String(number)), signature: entry.signature, items: [])
        }
        // The first of those that are the same stands for all.
        var first = Array(signatures.indices)
        func root(_ index: Int) -> Int {
            var index = index
            while first[index] != index { index = first[index] }
            return index
        }
        for (number, outcome) in try catalog.add(additions, duplicates: .keep).enumerated() {
            for duplicate in outcome.duplicates where duplicate.isSameRecording {
                guard let other = Int(duplicate.id.rawValue), other != number else { continue }
                let (one, two) = (root(number), root(other))
                first[max(one, two)] = min(one, two)
            }
        }
        var members: [Int: [String]] = [:]
        for index in signatures.indices { members[root(index), default: []].append(signatures[index].item) }
        return members.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }.map { Group(items: $0.value) }
    }
}
