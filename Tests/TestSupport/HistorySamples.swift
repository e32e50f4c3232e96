import EarshotMusic
public import EarshotRecognition
public import Foundation

/// Matches and dates for tests of histories.
public enum HistorySamples {
    /// 2026-05-01T18:30:00.250Z.
    public static let evening = Date(timeIntervalSince1970: 1_777_660_200.25)

    /// A match with names only, as a catalog of one's own gives it.
    public static func match(_ title: String, artist: String? = "The Tin Foxes", duration: Double? = 200) -> MusicMatch
    {
        var match = MusicMatch()
        match.trackTitle = title
        match.artist = artist
        match.trackDuration = duration
        return match
    }

    /// A match with every value that a history shows.
    public static let full = {
        var match = HistorySamples.match("Lantern")
        match.trackID = "1ac04871-5cfb-418c-8aed-a0a0a46d1146"
        match.trackTitleReading = "らんたん"
        match.trackNumber = 3
        match.trackDuration = 201.5
        match.trackGenre = [Descriptor(id: "genre.jazz", name: "Jazz")]
        match.trackIdentifiers = [
            "isrc:GBAYE0601498", "musicBrainzRecording:6b9a509f-6907-4a6e-9345-2f12da09ba4b",
            "musicBrainzTrack:1ac04871-5cfb-418c-8aed-a0a0a46d1146",
        ]
        match.songPosition = 62_250
        match.artistID = "f27ec8db-af05-4f36-916e-3d57f91ecf5e"
        match.artistReading = "ザ・ティン・フォクシズ"
        match.artistAlternates = ["Tin Foxes"]
        match.albumID = "2f8c1f1e-54f4-4c5f-9a1c-3a1a7d1d1c11"
        match.albumTitle = "Morning Rail"
        match.albumTitleReading = "もーにんぐ"
        match.albumArtist = "Various Artists"
        match.albumReleaseYear = "1999"
        match.albumTrackCount = 12
        match.placement = MusicMatch.Placement(
            reference: "lantern",
            confidence: 0.999,
            offset: 62.25,
            query: 0..<8,
            span: 62.25..<70.25,
            speedSkew: 0.01,
            pitchSkew: 0
        )
        return match
    }()
}
