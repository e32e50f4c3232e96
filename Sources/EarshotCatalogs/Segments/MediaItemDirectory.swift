import EarshotCore
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
