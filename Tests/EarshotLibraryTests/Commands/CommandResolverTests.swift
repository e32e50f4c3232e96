import EarshotLibrary
import EarshotMetadata
import TestSupport
import Testing

@Suite("What commands mean")
struct CommandResolverTests {
    private let resolver = CommandResolver(LibraryIndex(LibrarySamples.all))

    @Test("An ambiguous album name gives all candidates, and none is taken", .requirements("R-MR-122"))
    func ambiguous() throws {
        let resolution = resolver.resolve(try LibraryCommand("PLAY ALBUM MORE FRIENDS"))
        #expect(Set(resolution.candidates.map(\.name)) == [LibrarySamples.mixed, LibrarySamples.other])
        #expect(resolution.choice == nil && resolution.isAmbiguous)
        #expect(resolution.candidates.allSatisfy { $0.reason == .beginning && $0.score < 0.9 })
        // A word of all of them gives more, and the better matches first.
        #expect(resolver.resolve(.playAlbum("more")).candidates.count == 3)
    }

    @Test(
        "The full name of an album gives one candidate, which is taken",
        .requirements("R-MR-123"),
        arguments: [
            ("more friends music from final fantasy", LibrarySamples.mixed),
            (LibrarySamples.mixed, LibrarySamples.mixed),
            ("more friends small world big band volume two", LibrarySamples.other),
        ]
    )
    func full(name: String, album: String) throws {
        let resolution = resolver.resolve(try LibraryCommand("play album " + name))
        #expect(resolution.candidates.map(\.name) == [album])
        #expect(resolution.choice?.name == album && resolution.choice?.reason == .exact)
    }

    @Test("A full name is taken although longer ones begin with it")
    func fullAmongLonger() {
        let items = ["Thriller", "Thriller 25"].map { LibrarySamples.item("A", album: $0) }
        let resolution = CommandResolver(LibraryIndex(items)).resolve(.playAlbum("thriller"))
        #expect(resolution.candidates.map(\.name) == ["Thriller", "Thriller 25"])
        #expect(resolution.choice?.name == "Thriller")
    }

    @Test("A name without a kind is looked for among all, and what fits two equally is asked for")
    func anyKind() {
        let resolution = resolver.resolve(.play("moondance"))
        #expect(resolution.candidates.map(\.reason) == [.exact, .exact] && resolution.isAmbiguous)
        if case .album = resolution.candidates.first?.subject {} else { Issue.record("the album comes first") }
        #expect(resolver.resolve(.play("portions for foxes")).choice?.name == "Portions for Foxes")
        #expect(resolver.resolve(.play("van morrison")).choice?.items.count == 2)
    }

    @Test("An artist is found with all items, album by album in order")
    func artists() {
        let choice = resolver.resolve(.playArtist("VAN MORRISON")).choice
        #expect(choice?.items.compactMap(\.title) == ["And It Stoned Me", "Moondance"])
        #expect(resolver.resolve(.playArtist("植松伸夫")).choice?.items.count == 3)
    }

    @Test("What is only similar is found, and never taken without asking")
    func similar() {
        let resolution = resolver.resolve(.playTrack("portoins for foxes"))
        #expect(resolution.candidates.map(\.name) == ["Portions for Foxes"])
        #expect(resolution.candidates.first?.reason == .similar && resolution.choice == nil)
        #expect(resolver.resolve(.playTrack("something else entirely")).candidates.isEmpty)
    }

    @Test("Of tracks with one name the one of the album that plays is taken")
    func context() throws {
        let items = ["First", "Second"].map { LibrarySamples.item("Hello", album: $0) }
        let index = LibraryIndex(items)
        let resolver = CommandResolver(index)
        #expect(resolver.resolve(.playTrack("hello")).isAmbiguous)
        let second = try #require(index.albumKey(of: items[1].id))
        #expect(resolver.resolve(.playTrack("hello"), in: .album(second)).choice?.items == [items[1]])
        #expect(resolver.resolve(.playTrack("hello"), in: .album(second)).candidates.count == 2)
        #expect(resolver.resolve(.playTrack("hello"), in: .allSongs).isAmbiguous)
    }

    @Test("Commands without a name have no candidates", arguments: [LibraryCommand.nextTrack, .source(.usb)])
    func nameless(command: LibraryCommand) {
        let resolution = resolver.resolve(command)
        #expect(resolution.candidates.isEmpty && resolution.choice == nil && !resolution.isAmbiguous)
    }

    @Test("Candidates stand in the order of their scores, all from 0 to 1, in the same order every time")
    func ranked() {
        let words = LibrarySamples.all.compactMap(\.title).flatMap { $0.split(separator: " ").map(String.init) }
        property("ranks", rounds: 300) { random in
            let text = (0..<Int.random(in: 1...3, using: &random))
                .compactMap { _ in words.randomElement(using: &random) }.joined(separator: " ")
            let resolution = resolver.resolve(.play(text))
            let scores = resolution.candidates.map(\.score)
            let shuffled = CommandResolver(LibraryIndex(LibrarySamples.all.shuffled(using: &random)))
            return scores == scores.sorted(by: >) && scores.allSatisfy { (0...1).contains($0) }
                && shuffled.resolve(.play(text)) == resolution
                && (resolution.choice.map { resolution.candidates.contains($0) } ?? true)
        }
    }
}
