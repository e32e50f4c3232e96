import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation

/// Searches the played references by titles and artists.
///
/// The log has totals by reference, but titles only in its records. The last record of each reference is read once, and again if the reference
/// was played since.
actor PlayedSongs {
    private struct Names {
        var last: Date
        var title: String?
        var artist: String?
        var kind: String
        var words: Set<String>
    }

    private let store: any PlaylogStore
    private var names: [String: Names] = [:]

    init(_ store: any PlaylogStore) { self.store = store }

    /// Returns the most played songs that match a search.
    ///
    /// - Parameters:
    ///   - text: Words of titles and artists; `nil` for all songs.
    ///   - query: The plays that are counted.
    ///   - limit: The most songs.
    func songs(_ text: String?, _ query: PlayQuery, limit: Int) async throws(EarshotError) -> [PlayedSong] {
        let search = text.map { TitleSearch($0) }
        var songs: [PlayedSong] = []
        for total in try await store.totals(query, by: .reference) where !total.key.isEmpty && total.plays > 0 {
            guard songs.count < limit else { break }
            guard let names = try await names(of: total) else { continue }
            if let search, !search.matches(names.words) { continue }
            songs.append(
                PlayedSong(
                    reference: total.key,
                    title: names.title,
                    artist: names.artist,
                    kind: names.kind,
                    plays: total.plays,
                    seconds: total.seconds,
                    stations: total.channels,
                    first: total.first,
                    last: total.last
                )
            )
        }
        return songs
    }

    private func names(of total: PlayTotal) async throws(EarshotError) -> Names? {
        if let known = names[total.key], known.last >= total.last { return known }
        let query = PlayQuery(references: [ReferenceID(total.key)], isNewestFirst: true)
        guard let record = try await store.records(query, after: nil, limit: 1).items.first else { return nil }
        let spellings = [record.title, record.artist, record.album, record.referenceID?.rawValue]
        let found = Names(
            last: record.start,
            title: record.title,
            artist: record.artist,
            kind: record.kind.rawValue,
            words: TitleSearch.words(spellings.map { $0.map { Name($0) } })
        )
        names[total.key] = found
        return found
    }
}
