extension SearchIndexEntry {
    /// Creates the index entry of an artist.
    package init(_ artist: Artist) { self.init(name: artist.name.text, columns: [artist.name.spellings]) }

    /// Creates the index entry of an album.
    ///
    /// - Parameters:
    ///   - album: The album.
    ///   - artists: All spellings of its artists.
    package init(_ album: Album, artists: [String]) {
        self.init(name: album.title.text, columns: [album.title.spellings, artists])
    }

    /// Creates the index entry of a track.
    ///
    /// - Parameters:
    ///   - track: The track.
    ///   - album: The album of the track; `nil` if it is on none.
    ///   - artists: All spellings of the artists of ``credits(of:on:)``.
    package init(_ track: Track, on album: Album?, artists: [String]) {
        self.init(
            name: track.title.text,
            columns: [track.title.spellings, album?.title.spellings ?? [], artists]
        )
    }

    /// Returns the credits of a track, or those of its album if the track has none.
    package static func credits(of track: Track, on album: Album?) -> [ArtistCredit] {
        track.credits.isEmpty ? album?.credits ?? [] : track.credits
    }

    /// Creates the index entry of lyrics.
    ///
    /// - Parameters:
    ///   - lyrics: The lyrics.
    ///   - artists: All spellings of the artists of their tracks.
    package init(_ lyrics: Lyrics, artists: [String]) {
        let text = lyrics.lines.map(\.text).joined(separator: " ")
        self.init(name: lyrics.title ?? "", columns: [[text], [lyrics.artist].compactMap(\.self) + artists])
    }
}
