/// Items that name their album by no identifier, grouped by its title: those of a title are of one album or of several.
struct AlbumGroups: Sendable {
    /// The way in which the items of a title without album artist are divided into albums.
    enum Division: Hashable {
        /// They are of the album of the one album artist that others of the title name.
        case joined(Int32)
        /// They are an album of their own.
        case alone
        /// They are of different albums, one for each artist: some have the same place by different artists, and there are
        /// few artists for that many items. An album of many artists has one for almost every item.
        case byArtist
    }

    /// The values of an item that count: numbers of texts, -1 for none.
    struct Member {
        let row: Int32
        /// The key of the album artist.
        let albumArtist: Int32
        /// The key of the artist.
        let artist: Int32
        let disc: Int32
        /// 0 where it has none.
        let number: Int32
    }

    private struct Group: Sendable {
        var memberCount: Int32 = 0
        /// The number of different album artists, and the sum of their numbers: if there is one, the sum is its number.
        var artistCount: Int32 = 0
        var artistSum: Int64 = 0
        /// Items without album artist.
        var artistless: Int32 = -1
        var artistlessCount: Int32 = 0
        var performerCount: Int32 = 0
        /// The number of places that several artists take.
        var conflicts: Int32 = 0

        var division: Division {
            if artistCount == 1 { return .joined(Int32(truncatingIfNeeded: artistSum)) }
            return conflicts > 0 && performerCount * 2 <= artistlessCount ? .byArtist : .alone
        }
    }

    private struct Artist: Hashable {
        let group: Int32
        let artist: Int32
    }

    private struct Place: Hashable {
        let group: Int32
        let disc: Int32
        let number: Int32
        /// -1 for all artists together.
        let artist: Int32
    }

    private var groups: [Int32: Group] = [:]
    private var lists = LinkedLists()
    /// The number of items for each album artist, and for each artist of items without album artist.
    private var artists: [Artist: Int32] = [:]
    private var performers: [Artist: Int32] = [:]
    /// The number of items for each artist at a place, and the number of artists at a place.
    private var places: [Place: Int32] = [:]

    /// Returns the way in which the items without album artist of a title are divided.
    func division(_ group: Int32) -> Division { groups[group]?.division ?? .alone }

    /// The rows without album artist.
    func artistless(_ group: Int32) -> [Int32] { lists.values(from: groups[group]?.artistless ?? -1) }

    mutating func insert(_ member: Member, into number: Int32) {
        var group = groups[number] ?? Group()
        group.memberCount += 1
        defer { groups[number] = group }
        if member.albumArtist >= 0 {
            if Self.raise(&artists, Artist(group: number, artist: member.albumArtist)) == 1 {
                group.artistCount += 1
                group.artistSum += Int64(member.albumArtist)
            }
            return
        }
        lists.insert(member.row, into: &group.artistless)
        group.artistlessCount += 1
        guard member.artist >= 0 else { return }
        if Self.raise(&performers, Artist(group: number, artist: member.artist)) == 1 { group.performerCount += 1 }
        guard member.number > 0 else { return }
        let (own, all) = Self.places(of: member, in: number)
        if Self.raise(&places, own) == 1, Self.raise(&places, all) == 2 { group.conflicts += 1 }
    }

    mutating func remove(_ member: Member, from number: Int32) {
        guard var group = groups[number] else { return }
        group.memberCount -= 1
        defer { groups[number] = group.memberCount > 0 ? group : nil }
        if member.albumArtist >= 0 {
            if Self.lower(&artists, Artist(group: number, artist: member.albumArtist)) == 0 {
                group.artistCount -= 1
                group.artistSum -= Int64(member.albumArtist)
            }
            return
        }
        lists.remove(member.row, from: &group.artistless)
        group.artistlessCount -= 1
        guard member.artist >= 0 else { return }
        if Self.lower(&performers, Artist(group: number, artist: member.artist)) == 0 { group.performerCount -= 1 }
        guard member.number > 0 else { return }
        let (own, all) = Self.places(of: member, in: number)
        if Self.lower(&places, own) == 0, Self.lower(&places, all) == 1 { group.conflicts -= 1 }
    }

    private static func places(of member: Member, in group: Int32) -> (own: Place, all: Place) {
        (
            Place(group: group, disc: member.disc, number: member.number, artist: member.artist),
            Place(group: group, disc: member.disc, number: member.number, artist: -1)
        )
    }

    private static func raise<Key>(_ counts: inout [Key: Int32], _ key: Key) -> Int32 {
        let count = (counts[key] ?? 0) + 1
        counts[key] = count
        return count
    }

    private static func lower<Key>(_ counts: inout [Key: Int32], _ key: Key) -> Int32 {
        let count = (counts[key] ?? 1) - 1
        counts[key] = count > 0 ? count : nil
        return count
    }
}
