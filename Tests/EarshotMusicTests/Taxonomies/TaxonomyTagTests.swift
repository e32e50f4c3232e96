@testable import EarshotMusic
import TestSupport
import Testing

@Suite("Tags and taxonomies")
struct TaxonomyTagTests {
    private let taxonomies = Taxonomies.builtIn

    @Test(
        "Genres are known in the spellings of tags",
        arguments: [
            ("Hip-Hop", "hip-hop"), ("hip hop", "hip-hop"), ("HIPHOP", "hip-hop"), ("Rap/Hip Hop", "hip-hop"),
            ("R&B", "r-and-b"), ("RnB", "r-and-b"), ("R and B", "r-and-b"), ("Drum & Bass", "drum-and-bass"),
            ("D&B", "drum-and-bass"), ("17", "rock"), ("(17)", "rock"), ("(17)Rock", "rock"),
            ("(9)Death Metal", "death-metal"),
            ("(9)(22)", "metal"), ("(17)Unheard Of", "rock"), ("Musique Concrete", "musique-concrete"),
            ("Jazz; Funk", "jazz"), ("Unheard Of / Funk", "funk"), ("Jazz\0Funk", "jazz"), ("演歌", "enka"),
            ("Ｊ－ＰＯＰ", "j-pop"), ("ｱﾆﾒ", "anime"), ("Weltmusik", "world"), ("shoegaze", "shoegaze"), ("  Rock ", "rock"),
            ("Rock > Shoegaze", "rock"), ("Oi!", "oi"),
        ]
    )
    func genres(tag: String, id: String) {
        #expect(taxonomies.node(.genre, matching: tag)?.id == id)
    }

    @Test("Every genre of ID3v1 is known by number and by name, and both are one")
    func id3() {
        let names = id3Genres.split(separator: ",").map(String.init)
        #expect(names.count == 192)
        for (number, name) in names.enumerated() {
            let node = taxonomies.node(.genre, matching: name)
            #expect(node != nil, "\(name)")
            #expect(taxonomies.node(.genre, matching: "\(number)") == node, "\(number) \(name)")
            #expect(taxonomies.node(.genre, matching: "(\(number))\(name)") == node, "\(number) \(name)")
        }
        #expect(taxonomies.node(.genre, matching: "255") == nil)
    }

    @Test("What says nothing has no node")
    func nothing() {
        for tag in ["", " ", "?!", "(", "()", "(999)", "\0", "Unheard Of", String(repeating: "(17)", count: 5_000)] {
            #expect(taxonomies.node(.genre, matching: tag) == nil, "\(tag.prefix(20))")
        }
    }

    @Test("Genres that only a country has are found too")
    func countries() {
        #expect(taxonomies.node(.genre, matching: "Anime & Games")?.id == "jpn.anime-game")
    }

    @Test("Tempos and eras are known by number")
    func numbers() {
        #expect(taxonomies.node(.tempo, matching: "128 BPM")?.id == "fast-120s")
        #expect(taxonomies.node(.tempo, matching: "59.97")?.id == "grave")
        #expect(taxonomies.node(.tempo, matching: "Adagio")?.id == "moderately-slow")
        for date in ["1994", " 1994-05-01", "1994.05.01", "1994."] {
            #expect(taxonomies.node(.era, matching: date)?.id == "1990s-mid", "\(date)")
        }
        #expect(taxonomies.node(.era, matching: "19941231") == nil)
        #expect(taxonomies.node(.era, matching: "80s")?.id == "1980s")
        #expect(taxonomies.node(.era, matching: "1791")?.id == "c18-late")
    }

    @Test("Origins are known by code and name")
    func origins() {
        for tag in ["DEU", "DE", "276", "Germany", "Deutschland", "Alemania", "ドイツ"] {
            #expect(taxonomies.node(.origin, matching: tag)?.id == "DEU", "\(tag)")
        }
        #expect(taxonomies.node(.origin, matching: "England")?.id == "GBR")
        #expect(taxonomies.node(.artistType, matching: "Female Vocalist")?.id == "solo-female-singer")
        #expect(taxonomies.node(.mood, matching: "Melancholy")?.id == "melancholic")
    }

    @Test("Any text has a node or none, in every kind")
    func arbitraryText() {
        let seeds = ["(17)(9)Rock", "Jazz; Funk", "Rap/Hip Hop", "128.5 BPM", "1994-05-01", "R&B", "ばらーど", "Été"]
        property("tags") { generator in
            let bytes = generator.mutated(Array((seeds.randomElement(using: &generator) ?? "").utf8))
            let tag = String(decoding: bytes, as: UTF8.self)
            for kind in DescriptorKind.allCases {
                guard let node = taxonomies.node(kind, matching: tag) else { continue }
                guard taxonomies.descriptors(kind, for: node.id).count == 1 else { return false }
            }
            return true
        }
    }

    @Test("Sounds of kana are told apart, accents and widths are not")
    func keys() {
        #expect(Taxonomy.tagKey("は") != Taxonomy.tagKey("ば"))
        #expect(Taxonomy.tagKey("Été") == Taxonomy.tagKey("ete"))
        #expect(Taxonomy.tagKey("Ｒ＆Ｂ") == "randb")
    }

    /// The genres of ID3v1 by their number, from 80 on those of Winamp.
    private let id3Genres = """
        Blues,Classic Rock,Country,Dance,Disco,Funk,Grunge,Hip-Hop,Jazz,Metal,New Age,Oldies,Other,\
        Pop,R&B,Rap,Reggae,Rock,Techno,Industrial,Alternative,Ska,Death Metal,Pranks,Soundtrack,\
        Euro-Techno,Ambient,Trip-Hop,Vocal,Jazz+Funk,Fusion,Trance,Classical,Instrumental,Acid,House,\
        Game,Sound Clip,Gospel,Noise,AlternRock,Bass,Soul,Punk,Space,Meditative,Instrumental Pop,\
        Instrumental Rock,Ethnic,Gothic,Darkwave,Techno-Industrial,Electronic,Pop-Folk,Eurodance,Dream,\
        Southern Rock,Comedy,Cult,Gangsta,Top 40,Christian Rap,Pop/Funk,Jungle,Native American,Cabaret,\
        New Wave,Psychadelic,Rave,Showtunes,Trailer,Lo-Fi,Tribal,Acid Punk,Acid Jazz,Polka,Retro,\
        Musical,Rock & Roll,Hard Rock,Folk,Folk-Rock,National Folk,Swing,Fast Fusion,Bebob,Latin,\
        Revival,Celtic,Bluegrass,Avantgarde,Gothic Rock,Progressive Rock,Psychedelic Rock,Symphonic Rock,\
        Slow Rock,Big Band,Chorus,Easy Listening,Acoustic,Humour,Speech,Chanson,Opera,Chamber Music,\
        Sonata,Symphony,Booty Bass,Primus,Porn Groove,Satire,Slow Jam,Club,Tango,Samba,Folklore,\
        Ballad,Power Ballad,Rhythmic Soul,Freestyle,Duet,Punk Rock,Drum Solo,A capella,Euro-House,\
        Dance Hall,Goa,Drum & Bass,Club-House,Hardcore,Terror,Indie,BritPop,Afro-Punk,Polsk Punk,Beat,\
        Christian Gangsta Rap,Heavy Metal,Black Metal,Crossover,Contemporary Christian,Christian Rock,\
        Merengue,Salsa,Thrash Metal,Anime,JPop,Synthpop,Abstract,Art Rock,Baroque,Bhangra,Big Beat,\
        Breakbeat,Chillout,Downtempo,Dub,EBM,Eclectic,Electro,Electroclash,Emo,Experimental,Garage,\
        Global,IDM,Illbient,Industro-Goth,Jam Band,Krautrock,Leftfield,Lounge,Math Rock,New Romantic,\
        Nu-Breakz,Post-Punk,Post-Rock,Psytrance,Shoegaze,Space Rock,Trop Rock,World Music,Neoclassical,\
        Audiobook,Audio Theatre,Neue Deutsche Welle,Podcast,Indie Rock,G-Funk,Dubstep,Garage Rock,\
        Psybient
        """
}
