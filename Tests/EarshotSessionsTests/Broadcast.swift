import EarshotCatalogs
import EarshotCore
import EarshotSessions
import EarshotSignatures
import Synchronization
import TestSupport

/// Audio as it comes from a microphone, from pieces put together, and what a session says to it.
struct Broadcast: Sendable {
    static let rate = 16_000

    /// The made-up pieces that catalogs of these tests hold: a minute each.
    static let pieces = [SyntheticMusic(seed: 901, duration: 75), SyntheticMusic(seed: 902, duration: 60)]
    static let signatures = Result { try pieces.map { try $0.signature() } }

    /// A catalog of the pieces, named one and two.
    static func catalog() throws -> Catalog {
        let signatures = try signatures.get()
        var catalog = Catalog()
        try catalog.add(signatures[0], representing: [MediaItem(properties: [.title: "One"])], id: "one")
        try catalog.add(signatures[1], representing: [MediaItem(properties: [.title: "Two"])], id: "two")
        return catalog
    }

    /// What was heard and when, in seconds of the broadcast.
    struct Heard: Sendable {
        var time: Double
        var event: SessionEvent
        /// The position of the best reference that was predicted at that moment, in seconds.
        var position: Double?

        var match: Match? {
            if case .matched(let match, _) = event { match } else { nil }
        }
        var change: MatchChange? {
            if case .matched(_, let changes) = event { changes.first } else { nil }
        }
        var changes: [MatchChange] {
            if case .matched(_, let changes) = event { changes } else { [] }
        }
        var id: ReferenceID? { match?.references.first?.id }
        var isLost: Bool { if case .lost = event { true } else { false } }
        var error: EarshotError? { if case .failed(let error, _) = event { error } else { nil } }
    }

    private(set) var samples: [Float] = []

    /// A stretch of a piece.
    mutating func play(
        _ piece: Int,
        from start: Double,
        seconds: Double,
        change: SyntheticMusic.Change = .none
    ) {
        samples += Self.pieces[piece].samples(from: start, seconds: seconds, sampleRate: Self.rate, change: change)
    }

    mutating func add(_ samples: [Float]) { self.samples += samples }

    mutating func silence(_ seconds: Double) {
        samples += [Float](repeating: 0, count: Int(seconds * Double(Self.rate)))
    }

    mutating func noise(_ seconds: Double, level: Float = 0.1) {
        samples += Degradation.noise(count: Int(seconds * Double(Self.rate)), seed: 5).map { $0 * level }
    }

    mutating func mix(signalToNoise decibels: Double) {
        samples = Degradation.noisy(samples, signalToNoise: decibels, seed: 6)
    }

    /// Blocks of a tenth of a second with their times.
    var blocks: [AudioBlock] { blocks(of: Self.rate / 10) }

    /// Samples as blocks of a tenth of a second.
    static func blocks(of samples: [Float]) -> [AudioBlock] {
        var broadcast = Broadcast()
        broadcast.samples = samples
        return broadcast.blocks
    }

    func blocks(of size: Int) -> [AudioBlock] {
        stride(from: 0, to: samples.count, by: size).map { start in
            AudioBlock(
                AudioBuffer(Array(samples[start..<min(samples.count, start + size)]), sampleRate: Self.rate),
                at: MediaTime(frames: Int64(start), sampleRate: Self.rate)
            )
        }
    }

    /// Plays it to a session whose clock goes by the audio.
    func heard(
        by catalog: Catalog,
        repeats: RepeatFilter = .all,
        blocks: [AudioBlock]? = nil
    ) async throws -> [Heard] {
        let clock = ManualClock()
        let session = MatchSession(catalog: catalog, options: .init(repeats: repeats, clock: clock.clock))
        let feed = BlockFeed(blocks: blocks ?? self.blocks, clock: clock)
        var heard: [Heard] = []
        for try await event in session.events(from: feed) {
            var one = Heard(time: clock.now.seconds, event: event)
            one.position = one.match?.mediaItems.first?.predictedCurrentMatchOffset.seconds
            heard.append(one)
        }
        return heard
    }
}

/// Blocks in memory as a source; the clock shows their length when they have been read.
struct BlockFeed: AudioSource {
    typealias Element = AudioBlock
    let blocks: [AudioBlock]
    let clock: ManualClock?

    func makeAsyncIterator() -> Iterator { Iterator(feed: self) }

    struct Iterator: AsyncIteratorProtocol {
        let feed: BlockFeed
        var index = 0

        mutating func next() async throws -> AudioBlock? {
            guard index < feed.blocks.count else { return nil }
            defer { index += 1 }
            feed.clock?.advance(by: feed.blocks[index].buffer.duration.seconds)
            return feed.blocks[index]
        }
    }
}
