public import EarshotCore
public import EarshotMusic

extension LocalRecognitionService {
    /// The tracks, albums and artists that match a text, best match first.
    public func search(
        _ query: MusicQuery,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> [MusicMatch] {
        try await matches(try await music.search(query), preferences)
    }

    /// Tracks with these words, the best first.
    public func search(
        _ query: LyricQuery,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> [MusicMatch] {
        try await matches(try await music.search(query), preferences)
    }

    /// A track; `nil` if it is not known.
    public func track(
        _ id: EntityID<Track>,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> MusicMatch? {
        guard let track = try await music.track(id) else { return nil }
        return try await match(MatchCandidate(track: track, album: try await album(of: track)), preferences)
    }

    /// An album; `nil` if it is not known.
    public func album(
        _ id: EntityID<Album>,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> MusicMatch? {
        guard let album = try await music.album(id) else { return nil }
        return try await match(MatchCandidate(album: album), preferences)
    }

    /// An artist, in the fields of a match that are about the artist; `nil` if it is not known.
    public func artist(
        _ id: EntityID<Artist>,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> MusicMatch? {
        guard let artist = try await music.artist(id) else { return nil }
        var match = MusicMatch()
        try await describe(artist, in: &match, preferences)
        return match
    }

    private func matches(
        _ hits: [MusicHit],
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> [MusicMatch] {
        var preferences = preferences
        // A list to choose from; the cover comes with the one that is chosen.
        preferences.coverArt = false
        var matches: [MusicMatch] = []
        for hit in hits {
            guard var match = try await match(hit, preferences) else { continue }
            match.score = (hit.score * 1000).rounded() / 1000
            matches.append(match)
        }
        return matches
    }

    private func match(
        _ hit: MusicHit,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> MusicMatch? {
        switch hit.entity {
        case .track(let id): return try await track(id, preferences)
        case .album(let id): return try await album(id, preferences)
        case .artist(let id): return try await artist(id, preferences)
        case .lyrics(let id):
            guard let lyrics = try await music.lyrics(id) else { return nil }
            var match = MusicMatch()
            match.track.title = lyrics.title
            match.artist.name = lyrics.artist
            return match
        }
    }
}
