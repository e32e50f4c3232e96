import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition
import EarshotSQLite
import TestSupport
import Testing

@testable import EarshotAlbums

@Suite("Deciding for albums")
struct AlbumDeciderTests {
    private func tracks(
        _ files: [FileAttributes],
        evidence: AlbumEvidence = .all,
        hearing: AlbumDecider.TrackScoring? = nil
    ) async throws -> [String?] {
        let decider = try await TestLibrary.decider(hearing: hearing)
        let decisions = try await decider.identify(AlbumQuery(files, evidence: evidence), ContentPreferences())
        #expect(decisions.map(\.file) == files.map(\.id))
        for decision in decisions {
            #expect((0...1).contains(decision.confidence) && (0...1).contains(decision.albumConfidence))
            #expect((0...1).contains(decision.editionConfidence) && !decision.reasons.isEmpty)
            #expect(decision.editionConfidence <= decision.albumConfidence)
        }
        return decisions.map { $0.match?.track.id?.rawValue }
    }

    private let rail = (1...10).map { "rail-1-\($0)" as String? }

    @Test("a complete album is that album, and not the edition that has more")
    func complete() async throws {
        #expect(try await tracks((1...10).map { TestLibrary.file($0) }) == rail)
    }

    @Test("with the tracks that only the larger edition has, it is that one")
    func deluxe() async throws {
        var files = (1...10).map { TestLibrary.file($0) }
        for (place, (title, length)) in [("Lantern (Demo)", 150.0), ("Night Bus", 190)].enumerated() {
            var file = FileAttributes(id: title)
            (file.title, file.artist, file.album) = (title, "The Tin Foxes", "Morning Rail")
            file.duration = MediaTime(seconds: length)
            (file.discNumber, file.trackNumber) = (2, place + 1)
            files.append(file)
        }
        let expected = (1...10).map { "deluxe-1-\($0)" as String? } + ["deluxe-2-1", "deluxe-2-2"]
        #expect(try await tracks(files) == expected)
    }

    @Test("words, numbers, identifiers, names and sound each suffice", .requirements("R-MC-092"))
    func kinds() async throws {
        let words = (1...10).map { number in
            var file = FileAttributes(id: "\(number)")
            (file.title, file.artist, file.album) = (TestLibrary.titles[number - 1], "The Tin Foxes", "Morning Rail")
            return file
        }
        #expect(try await tracks(words) == rail)
        #expect(try await tracks((1...10).map { TestLibrary.untagged($0) }) == rail)
        let identified = (1...10).map { number in
            var file = FileAttributes(id: "\(number)")
            file.trackID = EntityID("rail-1-\(number)")
            return file
        }
        #expect(try await tracks(identified) == rail)
        let heard = (1...10).map { number in
            var file = FileAttributes(id: "\(number)")
            file.duration = MediaTime(seconds: TestLibrary.lengths[number - 1])
            return file
        }
        #expect(try await tracks(heard, hearing: { [EntityID("rail-1-\($0.id)"): 0.95] }) == rail)
    }

    @Test("misspelt titles, missing tags and wrong numbers of some files are overcome")
    func damaged() async throws {
        var files = (1...10).map { TestLibrary.file($0) }
        files[0].title = "Lanten"
        files[1].title = "Papper Boats"
        files[2].title = nil
        files[3].trackNumber = 9
        files[4] = TestLibrary.untagged(5, name: "05.flac")
        files[5].artist = "Unknown Artist"
        files[6].album = nil
        #expect(try await tracks(files) == rail)
    }

    @Test("where the tags of two files are exchanged, their sound decides")
    func swapped() async throws {
        var files = (1...10).map { TestLibrary.file($0) }
        (files[2].title, files[3].title) = (files[3].title, files[2].title)
        (files[2].trackNumber, files[3].trackNumber) = (files[3].trackNumber, files[2].trackNumber)
        let ids = files.map(\.id)
        let found = try await tracks(files) { file in
            ids.firstIndex(of: file.id).map { [EntityID("rail-1-\($0 + 1)"): 0.97] } ?? [:]
        }
        #expect(found == rail)
    }

    @Test("two albums in one question are told apart")
    func two() async throws {
        var owls: [FileAttributes] = []
        for (index, title) in ["Barn", "Moonlight", "Salt", "Lantern"].enumerated() {
            var file = FileAttributes(id: "owls \(index)")
            (file.title, file.artist, file.album) = (title, "Owls", "Feathers")
            file.duration = MediaTime(seconds: 180 + Double(index) * 31)
            owls.append(file)
        }
        let found = try await tracks((1...10).map { TestLibrary.file($0) } + owls)
        #expect(found == rail + (1...4).map { "owls-1-\($0)" })
    }

    @Test("three encodings of a track are that track, two of them as its duplicates")
    func duplicates() async throws {
        var files = (1...10).map { TestLibrary.file($0) }
        for kind in ["mp3", "ogg"] {
            var copy = files[4]
            copy.id = "copy.\(kind)"
            files.append(copy)
        }
        let decider = try await TestLibrary.decider()
        let decisions = try await decider.identify(AlbumQuery(files), ContentPreferences())
        #expect(decisions.map { $0.match?.track.id?.rawValue } == rail + ["rail-1-5", "rail-1-5"])
        let doubled = decisions.filter { $0.duplicateOf != nil }
        #expect(doubled.count == 2)
        #expect(
            doubled.allSatisfy { double in decisions.contains { $0.file == double.duplicateOf && $0.duplicateOf == nil }
            }
        )
    }

    @Test("copies of files go with the album that is there, though other editions have room for them")
    func editions() async throws {
        var files = (1...10).map { TestLibrary.file($0) }
        for (number, kind) in [(2, "mp3"), (2, "m4a"), (5, "mp3"), (8, "mp3"), (8, "m4a"), (9, "mp3")] {
            var copy = files[number - 1]
            copy.id = "\(number).\(kind)"
            files.append(copy)
        }
        let copies = [2, 2, 5, 8, 8, 9].map { "rail-1-\($0)" as String? }
        #expect(try await tracks(files) == rail + copies)
    }

    @Test("a title that is only like it, by somebody whose piece has another length, is another piece")
    func alike() async throws {
        #expect(try await tracks([file("Lanterns", by: "The Tin Foxes", seconds: 217)]) == [nil])
        #expect(try await tracks([file("Lantren", by: "The Tin Foxes", seconds: 202)]) == ["rail-1-1"])
        // Nor does a number change that, of which there are ten.
        var numbered = file("Lanterm", by: "The Tin Foxes", seconds: 217)
        (numbered.trackNumber, numbered.album) = (1, "Rehearsals")
        #expect(try await tracks([numbered]) == [nil])
        numbered.album = "Morning Rail"
        #expect(try await tracks([numbered]) == ["rail-1-1"])
    }

    @Test("of two recordings that have a part in common, both of which are heard, it is the one that is as long")
    func parts() async throws {
        // A file of track 3 with the tags of track 1.
        var long = TestLibrary.file(1)
        long.duration = TestLibrary.file(3).duration
        let files = [long] + [5, 6, 7].map { TestLibrary.file($0) }
        let found = try await tracks(files) { file in
            file.id == files[0].id ? ["rail-1-1": 1, "rail-1-3": 1] : [:]
        }
        #expect(found == ["rail-1-3", "rail-1-5", "rail-1-6", "rail-1-7"])
    }

    @Test("what is on no album that is known stays without one")
    func foreign() async throws {
        var files = (1...10).map { TestLibrary.file($0) }
        var foreign = FileAttributes(id: "foreign")
        foreign.path = ["The Tin Foxes", "Morning Rail", "11 Kettle Drum Parade.flac"]
        (foreign.title, foreign.artist, foreign.album) = ("Kettle Drum Parade", "Someone Else", "Parades")
        foreign.duration = MediaTime(seconds: 200)
        files.append(foreign)
        #expect(try await tracks(files) == rail + [nil])
        #expect(try await tracks([foreign]) == [nil])
        #expect(try await tracks([FileAttributes(id: "empty")]) == [nil])
        #expect(try await tracks([]) == [])
    }

    @Test("three tracks of an album are taken for the album, and for the collection where they say so")
    func few() async throws {
        let files = [2, 5, 8].map { TestLibrary.untagged($0, folder: "Music") }
        #expect(try await tracks(files) == ["rail-1-2", "rail-1-5", "rail-1-8"])
        let collected = [2, 5, 8].enumerated().map { place, number in
            var file = TestLibrary.file(number, folder: "Railway Songs")
            (file.album, file.trackNumber, file.trackCount, file.isCompilation) = ("Railway Songs", place + 1, 4, true)
            return file
        }
        #expect(try await tracks(collected) == ["hits-1-1", "hits-1-2", "hits-1-3"])
    }

    @Test("identifiers of earlier answers find the albums again", .requirements("R-MC-117"))
    func again() async throws {
        let decider = try await TestLibrary.decider()
        let first = try await decider.identify(AlbumQuery((1...10).map { TestLibrary.file($0) }), ContentPreferences())
        let files = first.enumerated().map { index, decision in
            var file = FileAttributes(id: "\(index)")
            (file.trackID, file.albumID) = (decision.match?.track.id, decision.match?.album.id)
            return file
        }
        #expect(try await tracks(files) == rail)
    }

    @Test(
        "evidence that is switched off is not used",
        .requirements("R-MC-095", "R-MC-096"),
        arguments: [AlbumEvidence.tags, .identifiers, .names, .sound]
    )
    func switches(kind: AlbumEvidence) async throws {
        var file = FileAttributes(id: "1")
        switch kind {
        case .tags: (file.title, file.artist, file.album) = ("Lantern", "The Tin Foxes", "Morning Rail")
        case .identifiers: file.trackID = "rail-1-1"
        case .names: file.path = ["The Tin Foxes", "Morning Rail", "01 Lantern.flac"]
        default: file.duration = MediaTime(seconds: 201)
        }
        let found = try await tracks([file]) { file in kind == .sound && file.duration != nil ? ["rail-1-1": 0.9] : [:]
        }
        #expect(found == ["rail-1-1"])
        if kind != .sound { #expect(try await tracks([file], evidence: .all.subtracting(kind)) == [nil]) }
    }

    @Test(
        "a preferred source of links changes nothing, and no texts are in the answer",
        .requirements("R-MC-108", "R-MC-112")
    )
    func preferences() async throws {
        // The other edition, which has the same recordings, is the one with a link of the source.
        let store = try await TestLibrary.store()
        var deluxe = TestLibrary.album("deluxe", "Morning Rail (Deluxe Edition)", year: 2009, tracks: [10, 2])
        deluxe.links = [ExternalLink(source: "shop", id: "1")]
        try await store.apply([.album(deluxe)])
        let decider = AlbumDecider(LocalRecognitionService(music: store) { _ in nil })
        for count in [10, 1] {
            let query = AlbumQuery((1...count).map { TestLibrary.file($0) })
            var preferences = ContentPreferences()
            let plain = try await decider.identify(query, preferences)
            #expect(plain.allSatisfy { $0.match?.album.id == "rail" })
            preferences.preferredLinkSource = "shop"
            (preferences.coverArt, preferences.review, preferences.biography) = (true, true, true)
            preferences.singleBestMatch = false
            #expect(try await decider.identify(query, preferences) == plain)
            #expect(plain.allSatisfy { $0.match?.album.review == nil && $0.match?.artist.biography == nil })
        }
    }

    // MARK: - Never guess

    /// A decider over albums of its own.
    private func decider(_ changes: [MusicChange]) async throws -> AlbumDecider {
        let store = try SQLiteMusicStore.inMemory()
        try await store.apply(changes)
        return AlbumDecider(LocalRecognitionService(music: store) { _ in nil })
    }

    /// An album of somebody with some titles of some lengths.
    private func album(
        _ id: String,
        _ title: String,
        by artist: String,
        _ titles: [String],
        lengths: [Double]? = nil,
        recordings: [String]? = nil
    ) -> [MusicChange] {
        var changes: [MusicChange] = [
            .album(TestLibrary.album(id, title, year: 1994, artist: artist, tracks: [titles.count]))
        ]
        for (index, title) in titles.enumerated() {
            var track = Track(
                id: EntityID("\(id)-\(index + 1)"),
                title: Name(title),
                credits: [ArtistCredit(artist)],
                place: Track.Place(album: EntityID(id), number: index + 1)
            )
            track.duration = MediaTime(seconds: lengths?[index] ?? 180 + 7 * Double(index))
            if let recordings {
                track.identifiers = Set([MusicIdentifier(.isrc, recordings[index])].compactMap(\.self))
            }
            changes.append(.track(track))
        }
        return changes
    }

    private func file(_ title: String, by artist: String? = nil, seconds: Double? = nil) -> FileAttributes {
        var file = FileAttributes(id: title)
        (file.title, file.artist) = (title, artist)
        file.duration = seconds.map { MediaTime(seconds: $0) }
        return file
    }

    @Test("a title alone is anybody's, and one by somebody else is another piece")
    func titles() async throws {
        let owned = ["Lantern", "Harbour Lights", "Salt"].map { file($0, by: "The Slow Ferries", seconds: 187) }
        #expect(try await tracks(owned) == [nil, nil, nil])
        #expect(try await tracks([file("Lantern", seconds: 201)]) == [nil])
        #expect(try await tracks([file("Lantern", by: "The Tin Foxes", seconds: 201)]) == ["rail-1-1"])
        let decider = try await TestLibrary.decider()
        let decision = try await decider.identify(AlbumQuery([owned[0]]), ContentPreferences())[0]
        #expect(decision.reasons.first?.text.hasPrefix("nearest is Lantern by") == true, "\(decision.reasons)")
        #expect(decision.reasons.contains { $0.text == "the artist is another" })
    }

    @Test(
        "another version of a piece is neither that piece nor a copy of it",
        arguments: [
            "Lantern (Acoustic)", "Lantern (Live at the Quay)", "Lantern - Night Shift Remix", "Lantern (Karaoke)",
        ]
    )
    func versions(title: String) async throws {
        var files = (1...10).map { TestLibrary.file($0) }
        var other = file(title, by: "The Tin Foxes")
        other.album = "Morning Rail"
        files.append(other)
        #expect(try await tracks(files) == rail + [nil])
        // Neither guests nor a new master make another recording.
        for same in ["Lantern (2011 Remaster)", "Lantern (feat. Ann Other)", "Lantern [Album Version]"] {
            #expect(try await tracks([file(same, by: "The Tin Foxes", seconds: 201)]) == ["rail-1-1"], "\(same)")
        }
    }

    @Test("of a single with mixes of one piece each is the one that its title names, whatever its number")
    func mixes() async throws {
        let titles = ["Dock", "Dock (Club Mix)", "Dock (Dub)", "Dock (Radio Edit)"]
        let decider = try await decider(album("dock", "Dock", by: "Quay", titles))
        let files = titles.reversed().enumerated().map { index, title in
            var file = file(title, by: "Quay")
            (file.album, file.trackNumber) = ("Dock", index + 1)
            return file
        }
        let found = try await decider.identify(AlbumQuery(files), ContentPreferences())
        #expect(found.map { $0.match?.track.title } == titles.reversed())
    }

    @Test("tracks of one album with one title are told apart by number and length, and not at all without")
    func untitled() async throws {
        let decider = try await decider(
            album(
                "u",
                "Eight Rooms",
                by: "Quay",
                Array(repeating: "Untitled", count: 8),
                lengths: (1...8).map { 100 * Double($0) }
            )
        )
        let files = (1...8).map { (number: Int) in
            var file = file("Untitled", by: "Quay", seconds: Double(number) * 100)
            (file.id, file.trackNumber, file.album) = ("\(number)", number, "Eight Rooms")
            return file
        }
        let found = try await decider.identify(AlbumQuery(files), ContentPreferences())
        #expect(found.map { $0.match?.track.id?.rawValue } == (1...8).map { "u-\($0)" })
        var lone = file("Untitled", by: "Quay")
        lone.album = "Eight Rooms"
        #expect(try await decider.identify(AlbumQuery([lone]), ContentPreferences())[0].match == nil)
    }

    @Test("of two pressings that are alike the album is sure and the edition is not")
    func pressings() async throws {
        let decider = try await decider(
            album("one", "Tide", by: "Quay", ["Ebb", "Flood", "Slack"])
                + album("two", "Tide", by: "Quay", ["Ebb", "Flood", "Slack"])
        )
        let files = ["Ebb", "Flood", "Slack"].map { title in
            var file = file(title, by: "Quay")
            file.album = "Tide"
            return file
        }
        for decision in try await decider.identify(AlbumQuery(files), ContentPreferences()) {
            #expect(decision.confidence > 0.9 && decision.albumConfidence > 0.9)
            #expect((0.3...0.5).contains(decision.editionConfidence))
        }
    }

    @Test("two whole albums are two albums, though a collection has most of both")
    func collection() async throws {
        let (first, second) = (
            (1...10).map { "First Piece Number \($0 * 3)" }, (1...10).map { "Second Song Number \($0 * 7)" }
        )
        let recordings = (0..<20).map { "GBXYZ98\(10_000 + $0)" }
        let lengths = (0..<20).map { 150 + 11 * Double($0) }
        let hits = Array(0..<8) + Array(10..<18)
        let titles = first + second
        let decider = try await decider(
            album("a", "Ebb", by: "Quay", first, lengths: Array(lengths[..<10]), recordings: Array(recordings[..<10]))
                + album(
                    "b",
                    "Flood",
                    by: "Quay",
                    second,
                    lengths: Array(lengths[10...]),
                    recordings: Array(recordings[10...])
                )
                + album(
                    "c",
                    "Greatest Hits",
                    by: "Quay",
                    hits.map { titles[$0] },
                    lengths: hits.map { lengths[$0] },
                    recordings: hits.map { recordings[$0] }
                )
        )
        let files = titles.enumerated().map { file($0.element, seconds: lengths[$0.offset]) }
        let found = try await decider.identify(AlbumQuery(files), ContentPreferences())
        #expect(found.map { $0.match?.album.id?.rawValue } == (0..<20).map { $0 < 10 ? "a" : "b" })
    }

    @Test("forty singles in one folder are found on forty albums, whatever the folder is called")
    func singles() async throws {
        var changes: [MusicChange] = []
        for number in 1...40 {
            changes += album(
                "s\(number)",
                "Single Number \(number)",
                by: "Artist \(number)",
                ["Song \(number * 11)", "Other Side"]
            )
        }
        // Albums that have the folder's words in their titles.
        for number in 1...30 { changes += album("m\(number)", "Music \(number)", by: "Nobody", ["Nothing \(number)"]) }
        let decider = try await decider(changes)
        let files = (1...40).map { (number: Int) in
            var file = file("Song \(number * 11)", by: "Artist \(number)")
            file.path = ["Music", "\(number).mp3"]
            return file
        }
        let found = try await decider.identify(AlbumQuery(files), ContentPreferences())
        #expect(found.map { $0.match?.album.id?.rawValue } == (1...40).map { "s\($0)" })
    }

    @Test("numbers, texts and paths out of all bounds are passed over, and take no time")
    func extremes() async throws {
        var file = TestLibrary.file(1)
        (file.trackNumber, file.discNumber, file.trackCount) = (.max, .min, .max)
        file.path = ["x" + String(repeating: "(a)", count: 300_000), "y"]
        file.genre = String(repeating: "\u{301}", count: 100_000)
        #expect(try await tracks([file]) == ["rail-1-1"])
        file.title = String(repeating: "ab ", count: 500_000)
        #expect(try await tracks([file]) == [nil])
    }

    @Test("a question that is too long, or names a file twice, is refused")
    func refused() async throws {
        let decider = try await TestLibrary.decider()
        let many = (0...decider.albumQueryLimit).map { FileAttributes(id: "\($0)") }
        for files in [many, [FileAttributes(id: "1"), FileAttributes(id: "1")]] {
            let error = await #expect(throws: EarshotError.self) {
                try await decider.identify(AlbumQuery(files), ContentPreferences())
            }
            #expect(error?.code == .requestInvalid)
        }
    }

    @Test("reasons say in words what was compared, the weightiest first")
    func reasons() async throws {
        let decider = try await TestLibrary.decider()
        var files = (1...10).map { TestLibrary.file($0) }
        files[0].duration = MediaTime(seconds: 198)
        let first = try await decider.identify(AlbumQuery(files), ContentPreferences())[0]
        #expect(first.reasons.map { abs($0.weight) } == first.reasons.map { abs($0.weight) }.sorted(by: >))
        let texts = first.reasons.map(\.text)
        for text in [
            "the title is the same", "the artist is the same", "the album is the same", "it is number 1",
            "it is 3.0 s shorter", "10 files are of this album, which has 10 tracks",
        ] {
            #expect(texts.contains(text), "\(texts)")
        }
        // Pages show the sentences in other languages by these.
        #expect(first.reasons.allSatisfy { $0.code?.isEmpty == false })
        #expect(first.reasons.first { $0.kind == .length }?.code == "length-shorter")
        #expect(first.reasons.first { $0.kind == .length }?.values == ["seconds": "3.0"])
        #expect(first.confidence > 0.9)
    }
}
