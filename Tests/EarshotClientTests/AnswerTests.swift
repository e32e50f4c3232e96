import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition
import EarshotSQLite
import Foundation
import TestSupport
import Testing

@testable import EarshotClient

/// What is told of music, over both ways to a service.
@Suite("Answers")
struct AnswerTests {
    /// A picture maker that says what it was asked for.
    private struct Maker: PictureMaker {
        func picture(_ bytes: Data, fitting size: ImageSize) async throws(EarshotError) -> Data {
            Data(size.rawValue.utf8)
        }
        func picture(_ bytes: Data, longerSide: Int) async throws(EarshotError) -> Data {
            Data("\(longerSide)".utf8)
        }
        func genreArt(_ genre: String, _ size: ImageSize) async throws(EarshotError) -> Data { Data(genre.utf8) }
    }

    /// The deepest node of a kind of descriptors.
    private static func deepest(_ kind: DescriptorKind) throws -> String {
        let taxonomy = try #require(Taxonomies.builtIn.taxonomy(kind))
        return try #require(taxonomy.nodes.max { taxonomy.path(to: $0.id).count < taxonomy.path(to: $1.id).count }).id
    }

    /// A track of a compilation with everything, and one of an album without a cover.
    private static func service(_ entitlements: Set<Entitlement> = Set(Entitlement.allCases)) async throws
        -> LocalRecognitionService
    {
        let store = try SQLiteMusicStore.inMemory()
        var artist = Artist(
            id: "ar",
            name: Name("Shiina", translations: ["jpn": "椎名"], reading: "しいな", alternates: ["Sheena"])
        )
        artist.origin = try deepest(.origin)
        artist.era = try deepest(.era)
        artist.type = try deepest(.artistType)
        artist.biography = Paragraphs(["eng": ["Sings."]])
        artist.pictures = ["pa"]
        let various = Artist(id: "va", name: Name("Various Artists", reading: "いろいろ", alternates: ["V.A."]))
        var album = Album(
            id: "al",
            title: Name("Summer", translations: ["jpn": "夏"], reading: "なつ"),
            credits: [ArtistCredit("Various Artists", artist: "va")]
        )
        album.genres = [try deepest(.genre)]
        album.review = Paragraphs(["eng": ["Warm."]])
        album.pictures = ["pc"]
        album.links = ["one", "two", "three"].map { ExternalLink(source: $0, id: "00\($0)") }
        var track = Track(
            id: "t",
            title: Name("Wave", translations: ["jpn": "波"], reading: "なみ"),
            credits: [ArtistCredit("Shiina", artist: "ar")],
            place: Track.Place(album: "al", number: 1)
        )
        track.mood = try deepest(.mood)
        track.tempo = try deepest(.tempo)
        var bare = Album(id: "bare", title: Name("Bare"), credits: [ArtistCredit("Shiina", artist: "ar")])
        bare.genres = album.genres
        try await store.apply([
            .picture(Picture(id: "pc", kind: .cover, mimeType: "image/png", width: 500, height: 480), Data([1])),
            .picture(Picture(id: "pa", kind: .artist, mimeType: "image/png", width: 500, height: 480), Data([2])),
            .artist(artist), .artist(various), .album(album), .album(bare), .track(track),
        ])
        return LocalRecognitionService(music: store, entitlements: entitlements, pictures: Maker()) {
            _ throws(EarshotError) in
            nil
        }
    }

    /// The track as it is told with settings.
    private func track(
        _ path: ServicePath,
        _ settings: [(String, String)],
        _ service: LocalRecognitionService,
        album: EntityID<Album>? = nil
    ) async throws -> MusicMatch {
        try await path.withClient(of: service) { client, configuration in
            var configuration = configuration
            for (key, value) in settings { try configuration.setValue(value, forKey: key) }
            let result = try await client.result(of: album.map { .album($0) } ?? .track("t"), configuration)
            return try #require(result.best)
        }
    }

    @Test(
        "Descriptors are told as they are asked for",
        .requirements("R-MC-144", "R-MC-146", "R-MC-147", "R-MC-148", "R-MC-154"),
        arguments: ServicePath.allCases
    )
    func descriptors(path: ServicePath) async throws {
        let service = try await Self.service()
        let plain = try await track(path, [], service)
        #expect(plain.album.genres.count == 1 && plain.track.genres == plain.album.genres)
        #expect(plain.genre == plain.track.genres.last?.name && plain.genreID == plain.track.genres.last?.id)
        #expect(
            plain.track.mood.isEmpty && plain.track.tempo.isEmpty && plain.artist.origin.isEmpty
                && plain.artist.era.isEmpty
                && plain.artist.type.isEmpty
        )
        let mood = try await track(path, [("content.mood", "1")], service)
        #expect(mood.track.mood.count == 1 && mood.track.tempo.isEmpty)
        let tempo = try await track(path, [("content.tempo", "1")], service)
        #expect(tempo.track.mood.isEmpty && tempo.track.tempo.count == 1)
        for key in ["content.origin", "content.era", "content.artistType"] {
            let told = try await track(path, [(key, "1")], service)
            #expect(told.artist.origin.count == 1 && told.artist.era.count == 1 && told.artist.type.count == 1)
        }
        let wide = try await track(path, [("content.genre.level", "EXTENDED"), ("content.mood", "1")], service)
        #expect(wide.album.genres.count > 1 && wide.track.mood.count == 1)
        #expect(wide.genreID == wide.track.genres.last?.id)
    }

    @Test(
        "Names come in Japanese with their readings, artists of album and track apart",
        .requirements("R-MC-151", "R-MC-153", "R-MC-194", "R-MC-195"),
        arguments: ServicePath.allCases
    )
    func names(path: ServicePath) async throws {
        let service = try await Self.service()
        let match = try await track(path, [("content.lang", "jpn")], service)
        #expect(match.track.title == "波" && match.album.title == "夏")
        #expect(match.track.titleReading == "なみ" && match.album.titleReading == "なつ")
        #expect(match.artist.reading == "しいな" && match.artist.alternates == ["Sheena"])
        #expect(match.album.artistReading == "いろいろ" && match.album.artistAlternates == ["V.A."])
        #expect(match.album.artist != match.artist.name && match.artist.name?.isEmpty == false)
        let plain = try await track(path, [("content.lang", "xxx")], service)
        #expect(plain.track.title == "Wave" && plain.album.title == "Summer")
    }

    @Test(
        "The first size of the list that there is comes, for all kinds of pictures",
        .requirements("R-MC-158", "R-MC-159", "R-MC-163", "R-MC-155"),
        arguments: ServicePath.allCases
    )
    func sizes(path: ServicePath) async throws {
        let service = try await Self.service()
        func settings(_ sizes: String) -> [(String, String)] {
            [
                ("content.coverArt", "1"), ("content.contributor.images", "1"),
                ("content.coverArt.sizePreference", sizes), ("content.coverArt.genreCoverArt", "0"),
            ]
        }
        let medium = try await track(path, settings("XLARGE,MEDIUM"), service)
        #expect(medium.album.coverArt?.size == .medium && medium.artist.image?.size == .medium)
        #expect(medium.artistImage == medium.artist.image)
        let none = try await track(path, settings("LARGE"), service)
        #expect(none.album.coverArt == nil && none.artist.image == nil)
        let art = try await track(
            path,
            [("content.coverArt", "1"), ("content.coverArt.sizePreference", "MEDIUM")],
            service,
            album: "bare"
        )
        #expect(art.album.coverArt?.size == .medium && art.album.coverArt?.isGenreArt == true)
    }

    @Test(
        "Art for a genre takes a missing cover's place only where both are wanted",
        .requirements("R-MC-165", "R-MC-166", "R-MC-167", "R-MC-168", "R-MC-179"),
        arguments: ServicePath.allCases
    )
    func genreArt(path: ServicePath) async throws {
        let service = try await Self.service()
        for (cover, art) in [("1", "1"), ("1", "0"), ("0", "1"), ("0", "0")] {
            let settings = [("content.coverArt", cover), ("content.coverArt.genreCoverArt", art)]
            let match = try await track(path, settings, service, album: "bare")
            #expect(match.album.coverArt?.isGenreArt == (cover == "1" && art == "1" ? true : nil))
        }
        let unentitled = service.entitled(to: Set(Entitlement.allCases).subtracting([.coverArt]))
        let match = try await track(path, [("content.coverArt", "1")], unentitled, album: "bare")
        #expect(match.album.coverArt == nil)
    }

    @Test(
        "What a client is not entitled to is left out, and nothing fails",
        .requirements("R-MC-017", "R-MC-018"),
        arguments: ServicePath.allCases
    )
    func entitlements(path: ServicePath) async throws {
        let everything = [
            "content.coverArt", "content.contributor.images", "content.contributor.biography", "content.review",
            "content.mood",
            "content.tempo",
        ].map { ($0, "1") }
        for missing in Entitlement.ofMusic {
            let service = try await Self.service(Set(Entitlement.allCases).subtracting([missing]))
            let match = try await track(path, everything, service)
            let told: [Entitlement: Bool] = [
                .coverArt: match.album.coverArt != nil, .artistImages: match.artist.image != nil,
                .biographies: match.artist.biography != nil, .reviews: match.album.review != nil,
                .mood: !match.track.mood.isEmpty, .tempo: !match.track.tempo.isEmpty, .links: match.album.links != nil,
            ]
            for entitlement in Entitlement.ofMusic {
                #expect(told[entitlement] == (entitlement != missing), "\(entitlement) without \(missing)")
            }
        }
    }

    @Test(
        "Links of several sources come whole, and a whole match goes over the wire",
        .requirements("R-MC-189", "R-MC-193"),
        arguments: ServicePath.allCases
    )
    func whole(path: ServicePath) async throws {
        let everything = [
            "content.coverArt", "content.contributor.images", "content.contributor.biography", "content.review",
            "content.mood",
            "content.tempo", "content.origin",
        ].map { ($0, "1") }
        let service = try await Self.service()
        let match = try await track(path, everything, service)
        #expect(match.album.links?.map(\.source) == ["one", "two", "three"])
        #expect(match.album.links?.map(\.id) == ["00one", "00two", "00three"])
        var expected = try #require(
            try await service.track(
                "t",
                {
                    var preferences = ContentPreferences()
                    preferences.coverArt = true
                    preferences.artistImages = true
                    preferences.biography = true
                    preferences.review = true
                    preferences.mood = true
                    preferences.tempo = true
                    preferences.origin = true
                    return preferences
                }()
            )
        )
        // Addresses are those of the way that was taken.
        expected.album.coverArt?.url = match.album.coverArt?.url ?? ""
        expected.artist.image?.url = match.artist.image?.url ?? ""
        expected.album.reviewURL = match.album.reviewURL
        expected.artist.biographyURL = match.artist.biographyURL
        #expect(match == expected)
    }

    @Test("Each field of a match is read from JSON as it was written", .requirements("R-MC-193"))
    func everyField() throws {
        func descriptors(_ name: String) -> [Descriptor] { [Descriptor(id: "\(name)-id", name: name)] }
        var match = MusicMatch()
        match.track.id = "t"
        match.track.title = "Wave"
        match.track.titleReading = "なみ"
        match.track.number = 3
        match.track.discNumber = 1
        match.track.discTrackCount = 9
        match.track.duration = MediaTime(value: 5, timescale: 2)
        match.track.genres = descriptors("track genre")
        match.track.links = [ExternalLink(source: "radio", id: "r0")]
        match.track.identifiers = ["isrc:x"]
        match.track.credits = [ArtistCredit("Shiina", artist: "ar")]
        match.track.mood = descriptors("mood")
        match.track.tempo = descriptors("tempo")
        match.artist.id = "ar"
        match.artist.name = "Shiina"
        match.artist.alternates = ["Sheena"]
        match.artist.reading = "しいな"
        match.artist.origin = descriptors("origin")
        match.artist.era = descriptors("era")
        match.artist.type = descriptors("type")
        match.artist.biography = ["Born.", "Sings."]
        match.artist.biographyURL = "https://x/biography"
        match.artist.image = ContentImage(url: "https://x/artist", size: .medium, mimeType: "image/jpeg")
        match.album.id = "al"
        match.album.title = "Summer"
        match.album.titleReading = "なつ"
        match.album.artist = "Various Artists"
        match.album.artistAlternates = ["V.A."]
        match.album.artistReading = "いろいろ"
        match.album.releaseYear = "1999"
        match.album.trackCount = 12
        match.album.discCount = 2
        match.album.identifiers = ["upc:y"]
        match.album.genres = descriptors("album genre")
        match.album.links = [ExternalLink(source: "shop", id: "007a")]
        match.album.review = ["Warm.", "Long."]
        match.album.reviewURL = "https://x/review"
        match.album.coverArt = ContentImage(url: "https://x/cover", size: .small, isGenreArt: true, attribution: "Ada")
        match.placement = ReferencePlacement(
            reference: "r",
            placement: Placement(
                offset: MediaTime(value: 12, timescale: 1),
                queryRange: MediaTime.zero..<MediaTime(value: 6, timescale: 1),
                referenceRange: MediaTime(value: 12, timescale: 1)..<MediaTime(value: 18, timescale: 1),
                confidence: 0.75
            )
        )
        match.songPosition = MediaTime(value: 12_345, timescale: 1_000)
        match.score = 2.5
        // A field that is added is to be set above, too.
        func unset(_ value: Any) -> [String] {
            Mirror(reflecting: value).children.compactMap { child in
                let text = String(describing: child.value)
                return ["nil", "[]", "-1", ""].contains(text) ? child.label : nil
            }
        }
        for part in [match, match.track, match.artist, match.album] as [Any] { #expect(unset(part) == []) }
        #expect(try JSONDecoder().decode(MusicMatch.self, from: try JSONEncoder().encode(match)) == match)
    }

    @Test(
        "The guide has every setting, its older name, and what apps have to know",
        .requirements("R-MC-258", "R-MC-069", "R-MC-078", "R-MC-173", "R-MC-260")
    )
    func guide() throws {
        let guide = try String(contentsOf: packageFolder.appendingPathComponent("Docs/client.md"), encoding: .utf8)
        for key in ConfigurationKey.allCases {
            #expect(guide.contains("`\(key.rawValue)`"))
            if let old = key.deprecatedName { #expect(guide.contains("`\(old)`")) }
        }
        #expect(guide.contains("A file goes to file recognition"))
        #expect(guide.contains("answer comes sooner") && guide.contains("A file must begin where its track begins"))
        // Defaults that are other ones than in older clients, and properties of a result with newer names.
        for row in [
            "| `content.country` | none; `USA` in older clients | `country` |",
            "| `content.coverArt` | `false`; on in older clients | `isInlineCoverArtEnabled` |",
        ] { #expect(guide.contains(row), "\(row)") }
        for name in ["genre", "genreID", "track.genres", "artistImage", "artist.image"] {
            #expect(guide.contains("`\(name)`"), "\(name)")
        }
        let sides = ImageSize.allCases.sorted().map(\.side)
        #expect(guide.contains("75, 170, 450, 720 and 1080 pixels") && sides == [75, 170, 450, 720, 1080])
        for kind in FailureKind.allCases { #expect(guide.contains("`\(kind.rawValue)`")) }
    }
}
