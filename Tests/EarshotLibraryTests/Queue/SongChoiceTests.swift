import EarshotLibrary
import TestSupport
import Testing

@Suite("Choosing a song")
struct SongChoiceTests {
    private let index = LibraryIndex(LibrarySamples.all)

    private func question() throws -> SongChoice {
        let command = try LibraryCommand("play album more friends")
        return try #require(SongChoice(CommandResolver(index).resolve(command)))
    }

    @Test("A choice that is cancelled leaves the queue as it was, whatever comes after", .requirements("R-MR-010"))
    func cancel() throws {
        var queue = PlayQueue()
        let moondance = try #require(CommandResolver(index).resolve(try LibraryCommand("play album moondance")).choice)
        queue.play(moondance, in: index)
        let before = queue
        var choice = try question()
        choice.play(in: &queue, index)
        #expect(queue == before)
        choice.cancel()
        #expect(choice.state == .cancelled)
        choice.choose(0)
        #expect(choice.state == .cancelled)
        choice.play(in: &queue, index)
        #expect(queue == before)
    }

    @Test("What is chosen is played, once it is chosen, and no other after it")
    func choose() throws {
        var queue = PlayQueue()
        var choice = try question()
        #expect(choice.candidates.count == 2)
        choice.choose(7)
        #expect(choice.state == .open)
        let answer = choice.choose(1)
        let chosen = try #require(answer)
        choice.choose(0)
        choice.cancel()
        #expect(choice.state == .chosen(chosen))
        choice.play(in: &queue, index)
        #expect(queue.items.map(\.id) == chosen.items.map(\.id))
    }

    @Test("What is clear, and what is not found, leaves nothing to choose")
    func none() throws {
        for text in ["play album moondance", "play album nothing of that name", "next track"] {
            #expect(SongChoice(CommandResolver(index).resolve(try LibraryCommand(text))) == nil)
        }
    }
}
