package import EarshotCore
import EarshotSignatures

/// A kind of key by which references are looked up in a catalog: what stands for a recording is decided by the module that
/// knows of music, not by the catalog.
package protocol MediaItemDirectoryKey: Hashable, Sendable {
    /// The keys of a media item.
    static func keys(of item: MediaItem) -> [Self]
}

/// The references of a segment by keys of their media items.
///
/// Holds 64-bit hashes, 16 bytes a key: with three keys an item, a catalog of a million references takes some 48 MB. A hash that
/// two keys share yields a reference too many, so a caller compares the media items.
struct MediaItemDirectory: Sendable {
    /// Sorted, with the number of a reference each.
    private let entries: [(hash: Int, number: Int)]

    init<Key: MediaItemDirectoryKey>(_ segment: Segment, of _: Key.Type) {
        var entries: [(hash: Int, number: Int)] = []
        for number in 0..<segment.referenceCount {
            for item in segment.items(number) ?? [] {
                for key in Key.keys(of: item) { entries.append((key.hashValue, number)) }
            }
        }
        self.entries = entries.sorted { ($0.hash, $0.number) < ($1.hash, $1.number) }
    }

    /// The numbers of the references that may have one of some keys.
    func numbers<Key: MediaItemDirectoryKey>(of keys: [Key]) -> Set<Int> {
        var numbers: Set<Int> = []
        for hash in Set(keys.map(\.hashValue)) {
            let first = entries.partitioningIndex { $0.hash >= hash }
            for entry in entries[first...] {
                guard entry.hash == hash else { break }
                numbers.insert(entry.number)
            }
        }
        return numbers
    }
}

extension Catalog {
    /// The references that may have one of some keys, or have a given name.
    ///
    /// The first call for a type of keys reads the media items of all references; later calls on the same references look in
    /// memory.
    ///
    /// - Parameters:
    ///   - keys: The keys.
    ///   - id: The name of one more reference that is wanted.
    /// - Throws: `catalogInvalid` when a reference that is found is damaged.
    package func references<Key: MediaItemDirectoryKey>(
        with keys: [Key],
        orNamed id: ReferenceID
    ) throws(EarshotError) -> [ReferenceSummary] {
        var summaries: [ReferenceSummary] = []
        for target in try matchTargets() {
            var numbers = target.segment.directory(of: Key.self).numbers(of: keys)
            if let named = target.segment.number(of: id) { numbers.insert(named) }
            for number in numbers.sorted() where !target.removed.contains(number) {
                guard let id = target.segment.id(number), let items = target.segment.items(number) else {
                    throw EarshotError(
                        .catalogInvalid,
                        "\(name) is damaged: reference \(number + 1) cannot be read. Make the catalog again."
                    )
                }
                let duration = target.segment.records[number].duration
                summaries.append(ReferenceSummary(id: id, duration: duration, items: items))
            }
        }
        return summaries
    }
}
