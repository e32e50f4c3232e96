import EarshotCore
import EarshotLibrary
import EarshotMusic
import Foundation
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

    /// A library of names that are like each other.
    private static let alike = LibraryIndex(
        [
            LibrarySamples.item("Ace of Spades", artist: "Motörhead", album: "Ace of Spades", track: 1),
            LibrarySamples.item("Ace of Spaces", artist: "Nobody"),
            LibrarySamples.item("Lantern", artist: "The Tin Foxes", album: "Morning Rail", track: 1),
            LibrarySamples.item("The Fox", artist: "The Stone Owls"), LibrarySamples.item("Über den Dächern"),
            LibrarySamples.item("Blackberry Parties"), LibrarySamples.item("Route 66"), LibrarySamples.item("Route 77"),
        ]
    )

    @Test(
        "One word may be mistyped, in the other number, or have its umlaut in two letters",
        arguments: [
            ("tin foxs", "The Tin Foxes"), ("tin fox", "The Tin Foxes"), ("tin foexs", "The Tin Foxes"),
            ("ace of spdaes", "Ace of Spades"), ("motorhaed", "Motörhead"), ("motoerhead", "Motörhead"),
            ("ueber den dächern", "Über den Dächern"), ("uber den daechern", "Über den Dächern"),
            ("blackbery parties", "Blackberry Parties"), ("blackberry party", "Blackberry Parties"),
        ]
    )
    func mistyped(text: String, name: String) throws {
        let resolution = CommandResolver(Self.alike).resolve(try LibraryCommand(searching: text))
        #expect(resolution.candidates.contains { $0.name == name }, "\(resolution.candidates.map(\.name))")
        #expect(resolution.candidates.allSatisfy { $0.reason == .similar } && resolution.choice == nil)
    }

    @Test("What is there as it was typed keeps out what is only like it, and numbers are what they are")
    func exactFirst() throws {
        func found(_ text: String) throws -> [String] {
            CommandResolver(Self.alike).resolve(try LibraryCommand(searching: text)).candidates.map(\.name)
        }
        #expect(try found("ace of spades") == ["Ace of Spades", "Ace of Spades"])
        #expect(try found("ACE OF SPACES") == ["Ace of Spaces"])
        #expect(try found("route 66") == ["Route 66"])
        // Words too short for a mistake, and two mistakes.
        #expect(try found("fux").isEmpty)
        #expect(try found("tinn foxs").isEmpty)
    }

    @Test("Words that are no command are looked for among all names", arguments: ["moondance", "  van   morrison "])
    func plainWords(text: String) throws {
        #expect(!resolver.resolve(try LibraryCommand(searching: text)).candidates.isEmpty)
        #expect(try LibraryCommand(searching: "play track moondance") == .playTrack("moondance"))
        #expect(try LibraryCommand(searching: "USB") == .source(.usb))
        for text in ["play album", "  ", String(repeating: "a", count: 4_001)] {
            let error = #expect(throws: EarshotError.self) { _ = try LibraryCommand(searching: text) }
            #expect(error?.code == .requestInvalid)
        }
    }

    @Test("A track without a title is found by the name of its file")
    func untagged() throws {
        func item(_ path: String, title: String? = nil) -> MusicItem {
            MusicItem(
                id: ItemID(library: "samples", key: path),
                assetURL: URL(fileURLWithPath: path),
                kind: .song,
                title: title
            )
        }
        let plain = item("/music/04_tin_foxes__night-bus.ogg")
        var index = LibraryIndex([plain, item("/music/secret.ogg", title: "Named")])
        func found(_ text: String) throws -> [String] {
            CommandResolver(index).resolve(try LibraryCommand(searching: text)).candidates.map(\.name)
        }
        #expect(try found("night bus") == ["04 tin foxes night-bus"])
        #expect(try found("tin foxs") == ["04 tin foxes night-bus"])
        #expect(try found("ogg").isEmpty && found("secret").isEmpty && found("named") == ["Named"])
        index.remove(plain.id)
        #expect(try found("night bus").isEmpty)
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
