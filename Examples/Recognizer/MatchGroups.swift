import EarshotMusic
import EarshotRecognition

/// Matches put together by what they share, and those of one genre picked out.
///
/// Identifiers are compared, never names: those are other ones in every language, and two albums may share one.
struct MatchGroups: Hashable, Sendable {
    /// What matches of a group share.
    enum Kind: String, Sendable, CaseIterable {
        case album, genre
    }

    /// Matches that belong together.
    struct Group: Hashable, Sendable {
        /// What they share; nothing for those that have no such thing.
        let id: String?
        /// For showing.
        let name: String
        /// Where they stand in the result, counted from 0.
        let places: [Int]
    }

    /// The groups, in the order in which each was found first.
    let groups: [Group]

    /// - Parameters:
    ///   - matches: What was found.
    ///   - kind: What they are put together by.
    ///   - genre: The identifier of a genre: the others are left out.
    init(_ matches: [MusicMatch], by kind: Kind, only genre: String? = nil) {
        var order: [String?] = []
        var places: [String?: [Int]] = [:]
        var names: [String?: String] = [nil: "Others"]
        for place in Self.places(matches, only: genre) {
            let (id, name) = Self.common(matches[place], kind)
            if places[id] == nil { order.append(id) }
            places[id, default: []].append(place)
            if let id { names[id] = names[id] ?? name ?? id }
        }
        groups = order.map { Group(id: $0, name: names[$0] ?? "", places: places[$0] ?? []) }
    }

    /// Where the matches of a genre stand, or all of them without one. A genre takes those with it that are part of it.
    static func places(_ matches: [MusicMatch], only genre: String?) -> [Int] {
        matches.indices.filter { place in
            guard let genre else { return true }
            return matches[place].track.genres.contains { $0.id == genre }
        }
    }

    private static func common(_ match: MusicMatch, _ kind: Kind) -> (String?, String?) {
        switch kind {
        case .album: (match.album.id?.rawValue, match.album.title)
        case .genre: (match.track.genres.first?.id, match.track.genres.first?.name)
        }
    }
}
