import ArgumentParser
import CommandKit
import EarshotMusic
import EarshotRecognition

/// What a service answered, as commands print it.
extension MusicRecord {
    init(_ match: MusicMatch) {
        let isTrack = match.trackID != nil || match.trackTitle != nil
        self.init(
            kind: isTrack ? "track" : match.albumID != nil ? "album" : "artist",
            id: match.trackID?.rawValue ?? (isTrack ? "" : match.albumID?.rawValue ?? match.artistID?.rawValue ?? "")
        )
        artist = isTrack ? match.artist : match.albumArtist ?? match.artist
        title = isTrack ? match.trackTitle : match.albumTitle
        album = isTrack ? match.albumTitle : nil
        albumID = isTrack ? match.albumID?.rawValue : nil
        date = match.albumReleaseYear
        trackNumber = isTrack && match.trackNumber > 0 ? match.trackNumber : nil
        trackCount = isTrack || match.albumTrackCount < 0 ? nil : match.albumTrackCount
        seconds = match.trackDuration
        let genre = isTrack ? match.trackGenre : match.albumGenre
        genres = genre.isEmpty ? nil : genre.map(\.name)
        mood = match.mood.first?.name
        tempo = match.tempo.first?.name
        origin = match.origin.isEmpty ? nil : match.origin.map(\.name)
        era = match.era.isEmpty ? nil : match.era.map(\.name)
        artistType = match.artistType.isEmpty ? nil : match.artistType.map(\.name)
        identifiers = isTrack ? match.trackIdentifiers : nil
        links = isTrack ? match.trackLinks : match.albumLinks
        score = match.score
    }

    /// Prints what a search found.
    static func show(_ matches: [MusicMatch], asJSON: Bool) throws {
        let records = matches.map { MusicRecord($0) }
        if asJSON {
            Terminal.print(try JSON.document(["results": records]))
        } else if records.isEmpty {
            Terminal.print("Nothing was found.")
        } else {
            for record in records { Terminal.print(record.line) }
        }
        if records.isEmpty { throw ExitCode(3) }
    }
}
