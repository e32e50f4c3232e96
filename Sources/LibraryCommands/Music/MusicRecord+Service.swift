import ArgumentParser
import CommandKit
import EarshotCore
import EarshotMusic
import EarshotRecognition

/// Answers of a service, as commands print them.
extension MusicRecord {
    init(_ match: MusicMatch) {
        let isTrack = match.track.id != nil || match.track.title != nil
        self.init(
            kind: isTrack ? "track" : match.album.id != nil ? "album" : "artist",
            id: match.track.id?.rawValue ?? (isTrack ? "" : match.album.id?.rawValue ?? match.artist.id?.rawValue ?? "")
        )
        artist = isTrack ? match.artist.name : match.album.artist ?? match.artist.name
        title = isTrack ? match.track.title : match.album.title
        album = isTrack ? match.album.title : nil
        albumID = isTrack ? match.album.id?.rawValue : nil
        date = match.album.releaseYear
        trackNumber = isTrack && match.track.number > 0 ? match.track.number : nil
        trackCount = isTrack || match.album.trackCount < 0 ? nil : match.album.trackCount
        seconds = match.track.duration?.seconds
        let genre = isTrack ? match.track.genres : match.album.genres
        genres = genre.isEmpty ? nil : genre.map(\.name)
        mood = match.track.mood.first?.name
        tempo = match.track.tempo.first?.name
        origin = match.artist.origin.isEmpty ? nil : match.artist.origin.map(\.name)
        era = match.artist.era.isEmpty ? nil : match.artist.era.map(\.name)
        artistType = match.artist.type.isEmpty ? nil : match.artist.type.map(\.name)
        identifiers = isTrack ? match.track.identifiers : nil
        links = isTrack ? match.track.links : match.album.links
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
