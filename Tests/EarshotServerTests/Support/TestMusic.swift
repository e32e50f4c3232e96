import EarshotCatalogs
import EarshotCore
import EarshotMedia
import EarshotMusic
import EarshotSignatures
import Foundation
import TestSupport

/// The music that the test services know.
///
/// | seed | track | what is known of it |
/// |---|---|---|
/// | 1 | lantern, on the album rail | everything, in two languages |
/// | 2 | plain, on the album bare | nothing but names |
/// | 3 | shared, on own and on sampler | two tracks with one ISRC, a link on the second |
/// | 4 | | no track at all, a media item only |
/// | 100… | twelve references with the same sound | |
enum TestMusic {
    static func piece(_ seed: UInt64) -> SyntheticMusic { SyntheticMusic(seed: seed, duration: 40) }

    /// Eight seconds of a piece, from its tenth second on.
    static func query(_ seed: UInt64) throws -> Signature {
        try piece(seed).signature(from: 10, seconds: 8)
    }

    static func samples(_ seed: UInt64, from start: Double = 10, duration: Double = 8) -> [Float] {
        piece(seed).samples(from: start, seconds: duration)
    }

    /// PCM of 16 bits at 16 kHz in a WAVE file.
    static func wave(_ samples: [Float]) -> Data {
        var data = Data("RIFF".utf8)
        func append(_ value: UInt32) { withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) } }
        func append(_ value: UInt16) { withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) } }
        append(UInt32(36 + samples.count * 2))
        data.append(Data("WAVEfmt ".utf8))
        append(UInt32(16))
        append(UInt16(1))
        append(UInt16(1))
        append(UInt32(16_000))
        append(UInt32(32_000))
        append(UInt16(2))
        append(UInt16(16))
        data.append(Data("data".utf8))
        append(UInt32(samples.count * 2))
        for sample in samples { append(UInt16(bitPattern: Int16(max(-1, min(1, sample)) * 32_000))) }
        return data
    }

    static func references() throws -> [Catalog.Addition] {
        func item(_ properties: [MediaItemKey: PropertyValue]) throws -> [MediaItem] {
            [try MediaItem(properties: properties)]
        }
        let twelve = try whole(100)
        return [
            Catalog.Addition(
                id: "ref-1",
                signature: try whole(1),
                items: try item([.serviceID: "lantern", .title: "Lantern"])
            ),
            Catalog.Addition(
                id: "ref-2",
                signature: try whole(2),
                items: try item([.title: "Plain", .artist: "Nobody"])
            ),
            Catalog.Addition(
                id: "ref-3",
                signature: try whole(3),
                items: try item([.isrc: "USS1Z9900001", .title: "Shared"])
            ),
            Catalog.Addition(
                id: "ref-4",
                signature: try whole(4),
                items: try item([.title: "Only an item", .artist: "Somebody"])
            ),
        ]
            + (try (0..<12).map { index in
                Catalog.Addition(
                    id: ReferenceID("twelve-\(index)"),
                    signature: twelve,
                    items: try item([.title: .string("Twelve \(index)")])
                )
            })
    }

    static func whole(_ seed: UInt64) throws -> Signature { try piece(seed).signature() }

    static func picture(_ width: Int, _ height: Int) throws -> Data {
        let bytes = [UInt8](repeating: 120, count: width * height * 3)
        return Data(try RasterImage(width: width, height: height, pixelFormat: .rgb8, bytes: bytes).pngData())
    }

    static func changes() throws -> [MusicChange] {
        var foxes = Artist(
            id: "foxes",
            name: Name("The Tin Foxes", translations: ["jpn": "錫の狐"], reading: "すずのきつね", alternates: ["Tin Foxes"])
        )
        foxes.origin = Taxonomies.builtIn.node(.origin, matching: "Austria")?.id
        foxes.era = Taxonomies.builtIn.node(.era, matching: "1990s")?.id
        foxes.type = Taxonomies.builtIn.node(.artistType, matching: "group")?.id
        foxes.biography = Paragraphs(["eng": ["One.", "Two.", "Three."], "jpn": ["一。", "二。"]])
        foxes.pictures = ["foxes-picture"]
        let nobody = Artist(id: "nobody", name: Name("Nobody"))

        var rail = Album(
            id: "rail",
            title: Name("Morning Rail", translations: ["jpn": "朝の線路"], reading: "あさのせんろ"),
            credits: [ArtistCredit("The Tin Foxes", artist: "foxes")]
        )
        rail.date = PartialDate("1999-05")
        rail.media = [Album.Medium(position: 1, trackCount: 9)]
        rail.genres = [Taxonomies.builtIn.node(.genre, matching: "Shoegaze")?.id].compactMap(\.self)
        rail.review = Paragraphs(["eng": ["First.", "Second.", "Third."]])
        rail.pictures = ["rail-cover"]
        rail.links = [
            ExternalLink(source: "shop", id: "007"), ExternalLink(source: "own", id: "A1"),
            ExternalLink(source: "third", id: "x"),
        ]
        var lantern = Track(
            id: "lantern",
            title: Name("Lantern", translations: ["jpn": "ランタン"], reading: "らんたん"),
            place: Track.Place(album: "rail", number: 3)
        )
        lantern.mood = Taxonomies.builtIn.taxonomy(.mood)?.nodes.last?.id
        lantern.tempo = Taxonomies.builtIn.taxonomy(.tempo)?.nodes.last?.id
        lantern.links = [ExternalLink(source: "shop", id: "0099")]
        lantern.duration = MediaTime(seconds: 40)

        let bare = Album(id: "bare", title: Name("Bare"), credits: [ArtistCredit("Nobody", artist: "nobody")])
        let plain = Track(id: "plain", title: Name("Plain"), place: Track.Place(album: "bare"))

        var own = Album(id: "own", title: Name("Own"), credits: [ArtistCredit("Nobody", artist: "nobody")])
        own.date = PartialDate("2005")
        own.genres = rail.genres
        var sampler = Album(id: "sampler", title: Name("Sampler"), credits: [ArtistCredit("Various Artists")])
        sampler.isCompilation = true
        sampler.date = PartialDate("2001")
        var sharedOwn = Track(id: "shared-own", title: Name("Shared"), place: Track.Place(album: "own", number: 1))
        var sharedSampler = Track(
            id: "shared-sampler",
            title: Name("Shared"),
            credits: [ArtistCredit("Nobody", artist: "nobody")],
            place: Track.Place(album: "sampler", number: 8)
        )
        let isrc = MusicIdentifier(.isrc, "USS1Z9900001")
        sharedOwn.identifiers = Set([isrc].compactMap(\.self))
        sharedSampler.identifiers = sharedOwn.identifiers
        sharedSampler.links = [ExternalLink(source: "shop", id: "55")]

        let words = Lyrics(
            id: "lantern-words",
            tracks: ["lantern"],
            lines: [Lyrics.Line("Carry the lantern over the hill", start: .zero), Lyrics.Line("and never look back")]
        )
        return [
            .artist(foxes), .artist(nobody), .album(rail), .album(bare), .album(own), .album(sampler), .track(lantern),
            .track(plain), .track(sharedOwn), .track(sharedSampler), .lyrics(words),
            .picture(
                Picture(id: "rail-cover", kind: .cover, mimeType: "image/png", width: 500, height: 400),
                try picture(500, 400)
            ),
            .picture(
                Picture(id: "foxes-picture", kind: .artist, mimeType: "image/png", width: 100, height: 200),
                try picture(100, 200)
            ),
        ]
    }
}
