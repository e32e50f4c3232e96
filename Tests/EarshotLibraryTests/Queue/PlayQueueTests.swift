import EarshotLibrary
import EarshotMusic
import TestSupport
import Testing

@Suite("The play queue")
struct PlayQueueTests {
    private let index = LibraryIndex(LibrarySamples.all)

    private func album(_ name: String) throws -> LibraryCandidate {
        try #require(CommandResolver(index).resolve(.playAlbum(name)).choice)
    }

    private func track(_ name: String, in context: PlayContext? = nil) throws -> LibraryCandidate {
        try #require(CommandResolver(index).resolve(.playTrack(name), in: context).choice)
    }

    @Test("A track of the album that plays is played there, and the album goes on", .requirements("R-MR-126"))
    func albumGoesOn() throws {
        var queue = PlayQueue()
        queue.play(try album(LibrarySamples.tour), in: index)
        let context = queue.context
        let events = queue.play(try track("hello goodbye", in: context), in: index)
        #expect(events.count == 1 && queue.current?.title == "Hello Goodbye" && queue.context == context)
        #expect(queue.upcoming.first?.title == "Strawberry Fields Forever")
        #expect(queue.next() == [.began(queue.items[3])])
        #expect(queue.current?.title == "Strawberry Fields Forever")
        #expect(queue.items == LibrarySamples.tourAlbum)
    }

    @Test("A track from elsewhere changes the context, and that is told", .requirements("R-MR-127"))
    func contextChange() throws {
        var queue = PlayQueue()
        queue.play(try album(LibrarySamples.tour), in: index)
        let before = queue.context
        let item = try #require(try track("portions for foxes").items.first)
        let key = try #require(index.albumKey(of: item.id))
        #expect(
            queue.play(item.id, in: index) == [.contextChanged(from: before, to: .album(key)), .began(item)]
        )
        // It plays on its own album: no other song follows by itself.
        #expect(queue.next() == [.ended(.album(key))] && queue.current == nil && queue.hasEnded)
    }

    @Test("A song of no album plays among all songs, and a podcast alone", .requirements("R-MR-127"))
    func noAlbum() throws {
        var index = index
        let podcast = LibrarySamples.item("Episode", kind: .podcast)
        index.add(podcast)
        var queue = PlayQueue()
        let song = try #require(try track("café del mar").items.first)
        #expect(queue.play(song.id, in: index) == [.contextChanged(from: nil, to: .allSongs), .began(song)])
        #expect(queue.items == index.songs)
        queue.play(podcast.id, in: index)
        #expect(queue.items == [podcast])
        #expect(queue.play(ItemID(rawValue: "none"), in: index) == [] && queue.current == podcast)
    }

    @Test("Next, previous and the end")
    func moving() {
        let items = ["A", "B"].map { LibrarySamples.item($0) }
        var queue = PlayQueue()
        #expect(queue.next().isEmpty && queue.previous().isEmpty && !queue.hasEnded && queue.upcoming.isEmpty)
        #expect(queue.start(.playlist("p"), []) == [] && queue.context == nil)
        #expect(
            queue.start(.playlist("p"), items) == [.contextChanged(from: nil, to: .playlist("p")), .began(items[0])]
        )
        #expect(queue.previous() == [.began(items[0])])
        #expect(queue.next() == [.began(items[1])] && queue.next() == [.ended(.playlist("p"))])
        #expect(queue.next().isEmpty && queue.hasEnded)
        #expect(queue.previous() == [.began(items[1])] && !queue.hasEnded)
        #expect(queue.start(.playlist("p"), items, at: 99) == [.began(items[1])])
        #expect(queue.start(.playlist("p"), items, at: -1) == [.began(items[0])])
    }

    @Test("Of an item that a playlist has several times, the next one plays")
    func repeated() {
        let (a, b) = (LibrarySamples.item("A"), LibrarySamples.item("B"))
        var queue = PlayQueue()
        queue.start(.playlist("p"), [a, b, a, b])
        queue.play(b.id, in: index)
        #expect(queue.position == 1)
        queue.play(b.id, in: index)
        #expect(queue.position == 3)
        queue.play(a.id, in: index)
        #expect(queue.position == 2)
    }

    @Test("Whatever is done, the queue is sound, and no change of context goes untold", .requirements("R-MR-127"))
    func properties() {
        let items = LibrarySamples.all
        let albums = index.albums
        property("play queue", rounds: 1_000) { random in
            var queue = PlayQueue()
            for _ in 0..<20 {
                let before = queue
                let events: [QueueEvent]
                switch Int.random(in: 0..<6, using: &random) {
                case 0: events = queue.next()
                case 1: events = queue.previous()
                case 2:
                    guard let album = albums.randomElement(using: &random) else { return false }
                    let place = Int.random(in: -2...20, using: &random)
                    events = queue.start(.album(album.id), album.tracks, at: place)
                default:
                    guard let item = items.randomElement(using: &random) else { return false }
                    events = queue.play(item.id, in: index)
                    guard queue.current?.id == item.id else { return false }
                    let isHere = before.items.contains { $0.id == item.id }
                    guard !isHere || queue.context == before.context && queue.items == before.items else {
                        return false
                    }
                }
                let told = events.contains(where: { if case .contextChanged = $0 { true } else { false } })
                guard told == (queue.context != before.context) else { return false }
                if let position = queue.position {
                    guard queue.items.indices.contains(position), queue.current == queue.items[position],
                        queue.upcoming.count == queue.items.count - position - 1
                    else { return false }
                }
                if case .began(let item) = events.last, item != queue.current { return false }
            }
            return true
        }
    }
}
