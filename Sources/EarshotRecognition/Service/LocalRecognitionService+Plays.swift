package import EarshotCatalogs
package import EarshotCore

extension LocalRecognitionService {
    /// Returns the music of plays in their order: the first track of each reference, or the description in its media
    /// item.
    package func music(of plays: [Play]) async throws(EarshotError) -> [MusicMatch] {
        var matches: [MusicMatch] = []
        for play in plays {
            matches.append(try await music(of: play.items, named: play.id))
        }
        return matches
    }

    /// Returns the music of a reference: its first track, or the description in its media item.
    package func music(of reference: ReferenceSummary) async throws(EarshotError) -> MusicMatch {
        try await music(of: reference.items.filter { $0.timeRanges.isEmpty }, named: reference.id)
    }

    private func music(of items: [MediaItem], named name: ReferenceID) async throws(EarshotError) -> MusicMatch {
        guard let candidate = try await candidates(of: items, named: name).first else { return MusicMatch() }
        return try await match(candidate, ContentPreferences())
    }
}
