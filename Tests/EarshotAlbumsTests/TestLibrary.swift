import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition
import EarshotSQLite

@testable import EarshotAlbums

/// Albums that do not exist, and files of them.
enum TestLibrary {
    static let titles = [
        "Lantern", "Paper Boats", "A Winter Abroad", "Second Platform", "The Clockmaker", "Salt", "No Return Ticket",
        "Harbour Lights", "Blue Engine", "Last Tram Home",
    ]
    static let lengths = [201.0, 187, 244, 163, 305, 129, 222, 198, 251, 276]

    /// A track of *Morning Rail*, or of another album that has the same recordings.
    static func track(_ number: Int, on album: String, number place: Int? = nil, medium: Int = 1) -> Track {
        var track = Track(
            id: EntityID("\(album)-\(medium)-\(place ?? number)"),
            title: Name(titles[number - 1]),
            credits: [ArtistCredit("The Tin Foxes")],
            place: Track.Place(album: EntityID(album), medium: medium, number: place ?? number)
        )
        track.duration = MediaTime(seconds: lengths[number - 1])
        track.identifiers = Set(
            [MusicIdentifier(.isrc, "GBXYZ99000" + (number < 10 ? "0" : "") + "\(number)")].compactMap(\.self)
        )
        return track
    }

    static func album(_ id: String, _ title: String, year: Int, artist: String = "The Tin Foxes", tracks: [Int])
        -> Album
    {
        var album = Album(id: EntityID(id), title: Name(title), credits: [ArtistCredit(artist)])
        album.date = PartialDate(year: year)
        album.media = tracks.enumerated().map { Album.Medium(position: $0.offset + 1, trackCount: $0.element) }
        return album
    }

    /// *Morning Rail* of ten tracks, the same with two more on a second disc, a collection with three of its tracks, and an album of
    /// somebody else.
    static func store() async throws -> SQLiteMusicStore {
        let store = try SQLiteMusicStore.inMemory()
        var changes: [MusicChange] = [
            .album(album("rail", "Morning Rail", year: 1999, tracks: [10])),
            .album(album("deluxe", "Morning Rail (Deluxe Edition)", year: 2009, tracks: [10, 2])),
        ]
        for number in 1...10 {
            changes.append(.track(track(number, on: "rail")))
            changes.append(.track(track(number, on: "deluxe")))
        }
        for (place, title) in ["Lantern (Demo)", "Night Bus"].enumerated() {
            var track = Track(
                id: EntityID("deluxe-2-\(place + 1)"),
                title: Name(title),
                credits: [ArtistCredit("The Tin Foxes")],
                place: Track.Place(album: "deluxe", medium: 2, number: place + 1)
            )
            track.duration = MediaTime(seconds: 150 + Double(place) * 40)
            changes.append(.track(track))
        }
        var collection = album("hits", "Railway Songs", year: 2003, artist: "Various Artists", tracks: [4])
        collection.isCompilation = true
        changes.append(.album(collection))
        for (place, number) in [2, 5, 8].enumerated() {
            changes.append(.track(track(number, on: "hits", number: place + 1)))
        }
        var guest = Track(
            id: "hits-1-4",
            title: Name("Steam"),
            credits: [ArtistCredit("Owls")],
            place: Track.Place(album: "hits", number: 4)
        )
        guest.duration = MediaTime(seconds: 333)
        changes.append(.track(guest))
        changes.append(.album(album("owls", "Feathers", year: 2001, artist: "Owls", tracks: [4])))
        for (index, title) in ["Barn", "Moonlight", "Salt", "Lantern"].enumerated() {
            var track = Track(
                id: EntityID("owls-1-\(index + 1)"),
                title: Name(title),
                place: Track.Place(album: "owls", number: index + 1)
            )
            track.duration = MediaTime(seconds: 180 + Double(index) * 31)
            changes.append(.track(track))
        }
        try await store.apply(changes)
        return store
    }

    static func decider(
        hearing: AlbumDecider.TrackScoring? = nil
    ) async throws -> AlbumDecider {
        let service = LocalRecognitionService(music: try await store()) { _ in nil }
        return AlbumDecider(service, hearing: hearing)
    }

    /// A file of *Morning Rail* as a careful person would tag it.
    static func file(_ number: Int, folder: String = "The Tin Foxes/Morning Rail") -> FileAttributes {
        let name = (number < 10 ? "0" : "") + "\(number) \(titles[number - 1]).flac"
        var file = FileAttributes(id: "\(folder)/\(name)")
        file.path = folder.split(separator: "/").map(String.init) + [name]
        file.duration = MediaTime(seconds: lengths[number - 1] + 0.3)
        file.title = titles[number - 1]
        file.artist = "The Tin Foxes"
        file.album = "Morning Rail"
        (file.trackNumber, file.trackCount) = (number, 10)
        return file
    }

    /// The same without tags.
    static func untagged(_ number: Int, name: String? = nil, folder: String = "The Tin Foxes/Morning Rail")
        -> FileAttributes
    {
        let tagged = file(number, folder: folder)
        var file = FileAttributes(id: name.map { "\(folder)/\($0)" } ?? tagged.id)
        file.path = name.map { folder.split(separator: "/").map(String.init) + [$0] } ?? tagged.path
        file.duration = tagged.duration
        return file
    }
}
