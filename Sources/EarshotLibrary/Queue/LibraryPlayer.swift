import EarshotCore
public import EarshotMedia

/// Plays the items of a play queue one after the other, until the end of the context.
///
/// ```swift
/// let player = LibraryPlayer(through: AudioOutput())
/// await player.play(candidate, in: index)
/// for await event in player.events { … }
/// ```
///
/// The queue decides which item comes next. An item that cannot be played is reported and skipped; if no item of a
/// context can be played, the player stops.
public actor LibraryPlayer {
    /// The events of the player, for one reader. The stream ends when the player is released.
    public nonisolated let events: AsyncStream<PlayerEvent>
    private let continuation: AsyncStream<PlayerEvent>.Continuation
    private let output: any AudioPlayer
    private var playing: Task<Void, Never>?
    /// Counts what was begun, so that the end of what was left is not taken for the end of what plays.
    private var turn = 0

    /// The current item and those that come next.
    public private(set) var queue = PlayQueue()

    /// Creates a player with an empty queue.
    ///
    /// - Parameter output: The output that plays the audio.
    public init(through output: any AudioPlayer) {
        self.output = output
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1_024))
    }

    deinit {
        playing?.cancel()
        continuation.finish()
    }

    /// Plays the album, artist or track that a command means.
    public func play(_ candidate: LibraryCandidate, in index: LibraryIndex) {
        change { $0.play(candidate, in: index) }
    }

    /// Plays a context, starting with the item at the given index.
    public func start(_ context: PlayContext, _ items: [MusicItem], at place: Int = 0) {
        change { $0.start(context, items, at: place) }
    }

    /// Skips to the next item.
    public func next() {
        change { $0.next() }
    }

    /// Returns to the previous item.
    public func previous() {
        change { $0.previous() }
    }

    /// Stops playback; the queue is unchanged.
    public func stop() {
        guard let playing else { return }
        turn += 1
        playing.cancel()
        self.playing = nil
        continuation.yield(.stopped)
    }

    /// Waits until playback has ended.
    public func finished() async {
        while let playing { await playing.value }
    }

    private func change(_ decide: (inout PlayQueue) -> [QueueEvent]) {
        let events = decide(&queue)
        guard !events.isEmpty else { return }
        for event in events { continuation.yield(.queue(event)) }
        turn += 1
        let before = playing
        before?.cancel()
        guard let item = queue.current else {
            playing = nil
            return
        }
        let (turn, output, continuation) = (turn, output, continuation)
        playing = Task { [weak self] in
            // Two at a time would be heard over each other.
            await before?.value
            let failure = await Self.play(item, through: output, telling: continuation)
            await self?.ended(item, turn, failure)
        }
    }

    private static func play(
        _ item: MusicItem,
        through output: any AudioPlayer,
        telling continuation: AsyncStream<PlayerEvent>.Continuation
    ) async -> EarshotError? {
        do {
            let reader = try await AssetReader(try item.requireAsset(), options: .init(channels: .stereo))
            try await output.play(reader) { continuation.yield(.heard(item, $0)) }
            return nil
        } catch let error as EarshotError {
            return error
        } catch {
            return EarshotError(
                .internalError,
                "\(item.title ?? item.id.rawValue) could not be played: try again.",
                cause: error
            )
        }
    }

    private func ended(_ item: MusicItem, _ turn: Int, _ failure: EarshotError?) {
        guard turn == self.turn else { return }
        if let failure {
            guard failure.code != .cancelled else { return stop() }
            continuation.yield(.failed(item, failure))
        }
        next()
    }
}
