import EarshotCatalogs
import EarshotCore
import EarshotMusic
package import EarshotRecognition
package import Foundation

/// Matches and dates for tests of histories.
package enum HistorySamples {
    /// 2026-05-01T18:30:00.250Z.
    package static let evening = Date(timeIntervalSince1970: 1_777_660_200.25)

    /// A match with names only, as a catalog of one's own gives it.
    package static func match(_ title: String, artist: String? = "The Tin Foxes", duration: Double? = 200) -> MusicMatch
    {
        var match = MusicMatch()
        match.track.title = title
        match.artist.name = artist
        match.track.duration = duration.map { MediaTime(seconds: $0) }
        return match
    }

    /// A match with every value that a history shows.
    package static let full = {
        var match = HistorySamples.match("Lantern")
        match.track.id = "1ac04871-5cfb-418c-8aed-a0a0a46d1146"
        match.track.titleReading = "らんたん"
        match.track.number = 3
        match.track.duration = MediaTime(seconds: 201.5)
        match.track.genres = [Descriptor(id: "genre.jazz", name: "Jazz")]
        match.track.identifiers = [
            "isrc:GBAYE0601498", "musicBrainzRecording:6b9a509f-6907-4a6e-9345-2f12da09ba4b",
            "musicBrainzTrack:1ac04871-5cfb-418c-8aed-a0a0a46d1146",
        ]
        match.songPosition = MediaTime(value: 62_250, timescale: 1_000)
        match.artist.id = "f27ec8db-af05-4f36-916e-3d57f91ecf5e"
        match.artist.reading = "ザ・ティン・フォクシズ"
        match.artist.alternates = ["Tin Foxes"]
        match.album.id = "2f8c1f1e-54f4-4c5f-9a1c-3a1a7d1d1c11"
        match.album.title = "Morning Rail"
        match.album.titleReading = "もーにんぐ"
        match.album.artist = "Various Artists"
        match.album.releaseYear = "1999"
        match.album.trackCount = 12
        match.placement = ReferencePlacement(
            reference: "lantern",
            placement: Placement(
                offset: MediaTime(seconds: 62.25),
                queryRange: .zero..<MediaTime(seconds: 8),
                referenceRange: MediaTime(seconds: 62.25)..<MediaTime(seconds: 70.25),
                speedSkew: 0.01,
                confidence: 0.999
            )
        )
        return match
    }()
}
