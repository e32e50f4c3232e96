import EarshotLibrary
import EarshotMusic
import TestSupport
import Testing

@Suite("The index of a library")
struct LibraryIndexTests {
    private let index = LibraryIndex(LibrarySamples.all)

    private func titles(_ command: String, _ index: LibraryIndex) throws -> [String] {
        CommandResolver(index).resolve(try LibraryCommand("play track " + command)).candidates.map(\.name)
    }

    @Test("Titles in Japanese are found, each by its own name", .requirements("R-MR-118", "R-MR-119"))
    func japanese() throws {
        #expect(try titles("エアリスのテーマ", index) == [LibrarySamples.theme])
        #expect(try titles("アンコール　再臨：片翼の天使", index) == [LibrarySamples.advent])
        #expect(try titles("片翼の天使", index) == [LibrarySamples.advent])
    }

    @Test(
        "Both spellings of a long vowel find the title",
        .requirements("R-MR-129"),
        arguments: ["エアリスのテ-マ", "エアリスのテーマ", "えありすのてーま", "ｴｱﾘｽのﾃｰﾏ"]
    )
    func longVowel(spelling: String) throws {
        #expect(try titles(spelling, index) == [LibrarySamples.theme])
    }

    @Test(
        "Widths, apostrophes and colons of every kind find the same",
        .requirements("R-MR-130"),
        arguments: [
            ("don't be afraid", "Don’t Be Afraid"), ("DON’T BE AFRAID", "Don’t Be Afraid"),
            ("ｄｏｎ＇ｔ　ｂｅ　ａｆｒａｉｄ", "Don’t Be Afraid"), ("dont be afraid", "Don’t Be Afraid"),
            ("アンコール 再臨:片翼の天使", LibrarySamples.advent), ("ｱﾝｺｰﾙ 再臨：片翼の天使", LibrarySamples.advent),
        ]
    )
    func widths(spelling: String, title: String) throws {
        #expect(try titles(spelling, index) == [title])
    }

    @Test(
        "Numbers are found however they are said",
        .requirements("R-MR-124"),
        arguments: [
            "nineteen thirty one go out dancing part one", "1931 go out dancing part 1", "1931 go out dancing part i",
            "nineteen thirty one go out dancing part eye", "1931: Go Out Dancing, Part I", "nineteen thirty one",
        ]
    )
    func numbers(spelling: String) throws {
        #expect(try titles(spelling, index) == [LibrarySamples.numbered])
    }

    @Test("An addition need not be said, and a title without one comes first", .requirements("R-MR-125"))
    func annotations() throws {
        #expect(try titles("the black parade", index) == [LibrarySamples.parade])
        var index = index
        index.add(LibrarySamples.item("The Black Parade", artist: "Others"))
        index.add(LibrarySamples.item("The Black Parade (Live)", artist: "Others"))
        let resolution = CommandResolver(index).resolve(.playTrack("the black parade"))
        #expect(resolution.candidates.first?.name == "The Black Parade" && resolution.candidates.count == 3)
        #expect(resolution.choice?.name == "The Black Parade" && resolution.choice?.reason == .exact)
        #expect(resolution.candidates.dropFirst().allSatisfy { $0.reason == .annotation && $0.score < 1 })
    }

    @Test(
        "Composed and decomposed forms find the same, and so does a name without accents",
        .requirements("R-MR-132"),
        arguments: [
            ("Café del Mar", CandidateReason.exact), ("Cafe\u{301} del Mar", .exact), ("cafe del mar", .folded),
        ]
    )
    func forms(spelling: String, reason: CandidateReason) {
        let resolution = CommandResolver(index).resolve(.playTrack(spelling))
        #expect(resolution.choice?.name == "Café del Mar" && resolution.choice?.reason == reason)
    }

    @Test("An album in two scripts has all its tracks, in order", .requirements("R-MR-121"))
    func mixedAlbum() throws {
        let album = try #require(CommandResolver(index).resolve(.playAlbum(LibrarySamples.mixed)).choice)
        #expect(album.items == LibrarySamples.mixedAlbum)
        #expect(
            index.albumKey(of: LibrarySamples.mixedAlbum[1].id) == index.albumKey(of: LibrarySamples.mixedAlbum[2].id)
        )
    }

    @Test("An album is one by its identifier, whatever language its title is in")
    func albumID() throws {
        var items = [
            LibrarySamples.item("One", album: "Best", track: 1), LibrarySamples.item("二", album: "精選", track: 2),
        ]
        for place in items.indices { items[place].albumID = "album-1" }
        let index = LibraryIndex(items)
        for name in ["best", "精選"] {
            #expect(CommandResolver(index).resolve(.playAlbum(name)).choice?.items == items)
        }
    }

    @Test("Tracks without album artist join the one album of the title that has one")
    func albumArtists() {
        var index = LibraryIndex([LibrarySamples.item("A", album: "Songs", track: 1)])
        #expect(index.albums.map(\.tracks.count) == [1])
        index.add(LibrarySamples.item("B", album: "SONGS", albumArtist: "X", track: 2))
        #expect(index.albums.map(\.tracks.count) == [2] && index.albums.first?.artist == "X")
        let other = LibrarySamples.item("C", album: "Songs", albumArtist: "Y", track: 1)
        index.add(other)
        #expect(index.albums.count == 3)
        index.remove(other.id)
        #expect(index.albums.map(\.tracks.count) == [2])
    }

    @Test("Albums of one title by different artists are told apart, and an album of many artists stays one")
    func sameTitles() {
        let hits = ["X", "Y"].flatMap { artist in
            (1...3).map { LibrarySamples.item(artist + String($0), artist: artist, album: "Greatest Hits", track: $0) }
        }
        let index = LibraryIndex(hits)
        #expect(index.albums.map(\.tracks.count) == [3, 3])
        #expect(CommandResolver(index).resolve(.playAlbum("greatest hits")).isAmbiguous)
        let various = (1...6).map {
            LibrarySamples.item("T\($0)", artist: "A\($0)", album: "Various", track: ($0 + 1) / 2)
        }
        #expect(LibraryIndex(various).albums.map(\.tracks.count) == [6])
    }

    @Test("Tracks stand by disc, number and title")
    func order() {
        let places: [(Int?, Int?, String)] = [
            (nil, 1, "A"), (1, 2, "B"), (nil, 10, "C"), (1, nil, "D"), (1, nil, "E"), (2, 1, "F"), (2, nil, "G"),
        ]
        let items = places.map { LibrarySamples.item($2, album: "L", disc: $0, track: $1) }
        #expect(
            LibraryIndex(items.reversed()).albums.first?.tracks.compactMap(\.title) == [
                "A", "B", "C", "D", "E", "F", "G",
            ]
        )
    }

    @Test("Songs stand by title without articles, and those without a title come last")
    func songs() {
        let items = ["The Bee", "Ant", nil, "Cat"].map { LibrarySamples.item($0) }
        #expect(LibraryIndex(items).songs.map(\.title) == ["Ant", "The Bee", "Cat", nil])
    }

    @Test("An item that was indexed is found before the scan ends", .requirements("R-MR-133"))
    func partial() async throws {
        let live = LiveLibraryIndex()
        let last = LibrarySamples.item("The Very Last", id: "last")
        let items = LibrarySamples.all + (0..<300).map { LibrarySamples.item("Title \($0)", id: String($0)) } + [last]
        let answers = Answers()
        try await live.fill(from: MemoryMusicLibrary(items), pieceSize: 100) { done, total in
            let early = await live.resolve(.playTrack("opening bombing mission")).candidates.count
            let late = await live.resolve(.playTrack("the very last")).choice == nil ? 0 : 1
            await answers.add([done, total, early, late])
        }
        let total = items.count
        #expect(
            await answers.all == [[100, total, 1, 0], [200, total, 1, 0], [300, total, 1, 0], [total, total, 1, 1]]
        )
    }

    private actor Answers {
        private(set) var all: [[Int]] = []
        func add(_ answer: [Int]) { all.append(answer) }
    }

    @Test("An index that was changed again and again is the one of what is left")
    func changes() {
        let names: [String?] = [nil, "Live", "Best", "BEST", "Best (Live)", "二", "Two", "Café", "Cafe"]
        property("changes of an index", rounds: 300) { random in
            var index = LibraryIndex()
            var left: [ItemID: MusicItem] = [:]
            for _ in 0..<Int.random(in: 1...30, using: &random) {
                let id = ItemID(rawValue: String(Int.random(in: 0..<8, using: &random)))
                guard Int.random(in: 0..<4, using: &random) > 0 else {
                    guard index.remove(id) == left.removeValue(forKey: id) else { return false }
                    continue
                }
                func name() -> String? { names.randomElement(using: &random) ?? nil }
                let item = MusicItem(
                    id: id,
                    title: name(),
                    artist: name(),
                    album: name(),
                    albumArtist: Bool.random(using: &random) ? name() : nil,
                    albumID: Int.random(in: 0..<4, using: &random) == 0 ? "album" : nil,
                    trackNumber: Int.random(in: 0...3, using: &random)
                )
                index.add(item)
                left[id] = item
            }
            let fresh = LibraryIndex(left.values)
            guard index.count == left.count, index.albums.map(\.id) == fresh.albums.map(\.id),
                index.albums.map(\.tracks) == fresh.albums.map(\.tracks)
            else { return false }
            for name in names.compactMap(\.self) {
                let (one, two) = (CommandResolver(index), CommandResolver(fresh))
                let command = LibraryCommand.play(name)
                guard one.resolve(command) == two.resolve(command) else { return false }
            }
            return true
        }
    }
}
