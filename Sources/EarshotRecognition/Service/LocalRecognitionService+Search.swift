public import EarshotCore
public import EarshotMusic

extension LocalRecognitionService {
    /// Searches for tracks, albums and artists by text, best match first.
    ///
    /// - Throws: The errors of the music store.
    public func search(
        _ query: MusicQuery,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> [MusicMatch] {
        try await matches(try await music.search(query), preferences)
    }

    /// Searches for tracks by words of their lyrics, best match first.
    ///
    /// - Throws: The errors of the music store.
    public func search(
        _ query: LyricQuery,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> [MusicMatch] {
        try await matches(try await music.search(query), preferences)
    }

    /// Returns the metadata of a track; `nil` if it is not known.
    ///
    /// - Throws: The errors of the music store.
    public func track(
        _ id: EntityID<Track>,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> MusicMatch? {
        guard let track = try await music.track(id) else { return nil }
        return try await match(MatchCandidate(track: track, album: try await album(of: track)), preferences)
    }

    /// Returns the metadata of an album; `nil` if it is not known.
    ///
    /// - Throws: The errors of the music store.
    public func album(
        _ id: EntityID<Album>,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> MusicMatch? {
        guard let album = try await music.album(id) else { return nil }
        return try await match(MatchCandidate(album: album), preferences)
    }

    /// Returns the metadata of an artist, as a match that has only an artist; `nil` if it is not known.
    ///
    /// - Throws: The errors of the music store.
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
