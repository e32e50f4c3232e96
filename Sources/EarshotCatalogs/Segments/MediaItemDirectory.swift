import EarshotCore
import EarshotSignatures

/// A type of keys by which references are looked up in a catalog. The module that knows music defines the keys, not the
/// catalog.
package protocol MediaItemDirectoryKey: Hashable, Sendable {
    /// Returns the keys of a media item.
    static func keys(of item: MediaItem) -> [Self]
}

/// The references of a segment by keys of their media items.
///
/// It stores 64-bit hashes, 16 bytes a key. With three keys an item, a catalog of a million references takes about 48
/// MB. Two keys with equal hashes yield an additional reference, so a caller must compare the media items.
struct MediaItemDirectory: Sendable {
    /// The hashes, sorted, each with the number of a reference.
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

    /// Returns the numbers of the references that may have one of the keys.
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
