import EarshotCatalogs
import EarshotCore
import EarshotSignatures
import Synchronization
import TestSupport
import Testing

@testable import EarshotSessions

@Suite("Managed sessions")
struct ManagedSessionTests {
    /// A microphone that hears what it is given, in blocks, and then waits until it is switched off.
    struct Microphone: AudioSource {
        typealias Element = AudioBlock
        let blocks: [AudioBlock]
        var endsWith: EarshotError?

        func makeAsyncIterator() -> Iterator { Iterator(microphone: self) }

        struct Iterator: AsyncIteratorProtocol {
            let microphone: Microphone
            var index = 0

            mutating func next() async throws -> AudioBlock? {
                if index < microphone.blocks.count {
                    index += 1
                    // Others get their turn.
                    await Task.yield()
                    return microphone.blocks[index - 1]
                }
                if let error = microphone.endsWith { throw error }
                try await Task.sleep(for: .seconds(3_600))
                return nil
            }
        }
    }

    private func blocks(_ piece: Int, seconds: Double) -> [AudioBlock] {
        var broadcast = Broadcast()
        broadcast.play(piece, from: 20, seconds: seconds)
        return broadcast.blocks
    }

    @Test("States follow questions and answers")
    func states() {
        var machine = ManagedState()
        #expect(machine.state == .idle)
        #expect(machine.stop() == nil)
        #expect(machine.prepare() == .record)
        #expect(machine.state == .prerecording)
        #expect(machine.prepare() == nil)
        #expect(machine.match() == nil)
        #expect(machine.state == .matching)
        #expect(machine.stop() == .stopRecording)
        #expect(machine.state == .idle)
        #expect(machine.match() == .record)
    }

    @Test("A question switches the microphone on, the answer switches it off")
    func result() async throws {
        let opened = Mutex(0)
        let blocks = blocks(0, seconds: 5)
        let session = ManagedSession(catalog: try Broadcast.catalog()) {
            opened.withLock { $0 += 1 }
            return Microphone(blocks: blocks)
        }
        #expect(session.state == .idle)
        for count in 1...2 {
            guard case .match(let match) = await session.result() else {
                Issue.record("the piece is found")
                return
            }
            #expect(match.references.first?.id == "one")
            #expect(session.state == .idle)
            #expect(opened.withLock { $0 } == count)
        }
    }

    @Test("What was recorded before the question counts")
    func prepare() async throws {
        let blocks = blocks(1, seconds: 4)
        let session = ManagedSession(catalog: try Broadcast.catalog()) { Microphone(blocks: blocks) }
        session.prepare()
        #expect(session.state == .prerecording)
        guard case .match(let match) = await session.result() else {
            Issue.record("the piece is found")
            return
        }
        #expect(match.references.first?.id == "two")
    }

    @Test("Nothing in twelve seconds is an answer, too")
    func nothing() async throws {
        var broadcast = Broadcast()
        broadcast.noise(13)
        let blocks = broadcast.blocks
        let session = ManagedSession(catalog: try Broadcast.catalog()) { Microphone(blocks: blocks) }
        guard case .noMatch = await session.result() else {
            Issue.record("noise matches nothing")
            return
        }
        #expect(session.state == .idle)
    }

    @Test("A microphone that may not be used is an error", .requirements("R-CC-088"))
    func refused() async throws {
        let session = ManagedSession(catalog: try Broadcast.catalog()) { () -> Microphone in
            throw EarshotError(.microphoneUnavailable, "The microphone may not be used: allow it in the settings.")
        }
        guard case .error(let error, _) = await session.result() else {
            Issue.record("a refusal is an error")
            return
        }
        #expect(error.code == .microphoneUnavailable)
        #expect(session.state == .idle)
    }

    @Test("A source that ends is no match")
    func ended() async throws {
        let blocks = [AudioBlock(AudioBuffer([Float](repeating: 0, count: 16_000), sampleRate: 16_000), at: .zero)]
        let session = ManagedSession(catalog: try Broadcast.catalog()) { BlockFeed(blocks: blocks, clock: nil) }
        guard case .noMatch = await session.result() else {
            Issue.record("there was nothing to match")
            return
        }
        #expect(session.state == .idle)
    }

    @Test("Canceling ends who waits")
    func cancel() async throws {
        let session = ManagedSession(catalog: try Broadcast.catalog()) { Microphone(blocks: []) }
        let states = session.states
        async let answer = session.result()
        for await state in states where state == .matching { break }
        session.cancel()
        guard case .error(let error, _) = await answer else {
            Issue.record("a canceled question is not answered")
            return
        }
        #expect(error.code == .cancelled)
        #expect(session.state == .idle)
    }

    @Test("Results come until the source ends")
    func results() async throws {
        let end = EarshotError(.deviceUnavailable, "The device is gone.")
        let all = blocks(0, seconds: 4) + blocks(1, seconds: 4)
        let rate = Int64(Broadcast.rate)
        let blocks = all.enumerated().map { index, block in
            AudioBlock(block.buffer, at: MediaTime(frames: Int64(index) * rate / 10, sampleRate: Broadcast.rate))
        }
        let session = ManagedSession(catalog: try Broadcast.catalog(), options: .init(repeats: .itemChanges)) {
            Microphone(blocks: blocks, endsWith: end)
        }
        var ids: [ReferenceID] = []
        var errors: [EarshotError.Code] = []
        for await result in session.results {
            switch result {
            case .match(let match): ids.append(match.references[0].id)
            case .error(let error, _): errors.append(error.code)
            case .noMatch: break
            }
        }
        #expect(errors == [.deviceUnavailable])
        #expect(ids == ["one", "two"])
        #expect(session.state == .idle)
    }
}
