import EarshotCore
import EarshotMetadata
import EarshotSignatures

/// The references of a segment by what their media items say of the recording: service id, ISRC, artist and title.
///
/// Holds 64-bit hashes, 16 bytes a key: a catalog of a million references takes some 32 MB. A hash that two keys share yields
/// a reference too many, so a caller compares the media items.
struct RecordingDirectory: Sendable {
    enum Key: Hashable {
        case service(String)
        case isrc(String)
        /// Artist and title, folded.
        case name(artist: String, title: String)

        /// The keys of a media item.
        static func keys(of item: MediaItem) -> [Key] {
            var keys: [Key] = []
            if let id = item.serviceID { keys.append(.service(id)) }
            if let isrc = item.isrc.flatMap({ MusicIdentifier(.isrc, $0) }) { keys.append(.isrc(isrc.value)) }
            if let artist = item.artist, let title = item.title { keys.append(named(artist, title)) }
            return keys
        }

        static func named(_ artist: String, _ title: String) -> Key {
            .name(artist: SearchText(artist).folded, title: SearchText(title).folded)
        }
    }

    /// Sorted, with the number of a reference each.
    private let entries: [(hash: Int, number: Int)]

    init(_ segment: Segment) {
        var entries: [(hash: Int, number: Int)] = []
        for number in 0..<segment.referenceCount {
            for item in segment.items(number) ?? [] {
                for key in Key.keys(of: item) { entries.append((key.hashValue, number)) }
            }
        }
        self.entries = entries.sorted { ($0.hash, $0.number) < ($1.hash, $1.number) }
    }

    /// The numbers of the references that may have one of some keys.
    func numbers(of keys: [Key]) -> Set<Int> {
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
