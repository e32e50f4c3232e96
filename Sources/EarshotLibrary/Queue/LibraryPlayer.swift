public import EarshotCore
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
    let report = PlayerReport()
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
        begin { $0.play(candidate, in: index) }
    }

    /// Plays a context, starting with the item at the given index.
    public func start(_ context: PlayContext, _ items: [MusicItem], at place: Int = 0) {
        begin { $0.start(context, items, at: place) }
    }

    /// Skips to the next item.
    public func next() {
        change { $0.next() }
    }

    /// Returns to the previous item.
    public func previous() {
        change { $0.previous() }
    }

    /// Pauses. Has no effect if nothing plays.
    public func pause() {
        guard playing != nil, report.status.state == .playing else { return }
        report.change { $0.state = .paused }
        output.pause()
    }

    /// Resumes after ``pause()``.
    public func resume() {
        guard playing != nil, report.status.state == .paused else { return }
        report.change { $0.state = .playing }
        output.resume()
    }

    /// Goes to a time of the current item; what is paused stays paused. Has no effect if nothing plays.
    ///
    /// - Parameter time: The time; below zero means the beginning, and from the end on the next item comes.
    public func seek(to time: MediaTime) {
        guard playing != nil, let item = queue.current else { return }
        hear(item, from: time, report.status.state)
    }

    /// Stops playback; the queue is unchanged.
    public func stop() {
        guard let playing else { return }
        turn += 1
        playing.cancel()
        self.playing = nil
        report.change(turn: turn) { $0 = MusicPlayerStatus(.stopped, failure: $0.failure) }
        continuation.yield(.stopped)
    }

    /// Waits until playback has ended.
    public func finished() async {
        while let playing { await playing.value }
    }

    /// Begins something new: earlier failures are forgotten.
    func begin(from time: MediaTime = .zero, _ decide: (inout PlayQueue) -> [QueueEvent]) {
        report.change { $0.failure = nil }
        change(from: time, decide)
    }

    private func change(from time: MediaTime = .zero, _ decide: (inout PlayQueue) -> [QueueEvent]) {
        let events = decide(&queue)
        guard !events.isEmpty else { return }
        for event in events { continuation.yield(.queue(event)) }
        guard let item = queue.current else {
            turn += 1
            playing?.cancel()
            playing = nil
            report.change(turn: turn) { $0 = MusicPlayerStatus(.stopped, failure: $0.failure) }
            return
        }
        hear(item, from: time, .playing)
    }

    /// Makes an item heard in the place of what plays.
    private func hear(_ item: MusicItem, from time: MediaTime, _ state: MusicPlayerStatus.State) {
        turn += 1
        let time = time.isNumeric ? max(time, .zero) : .zero
        report.change(turn: turn) { status in
            status = MusicPlayerStatus(
                state,
                item: item,
                position: time,
                duration: item.duration ?? (status.item?.id == item.id ? status.duration : nil),
                failure: status.failure
            )
        }
        let before = playing
        before?.cancel()
        let (turn, output, continuation, report) = (turn, output, continuation, report)
        playing = Task { [weak self] in
            // Two at a time would be heard over each other.
            await before?.value
            await self?.hold()
            let failure = await Self.play(item, from: time, through: output) { position, duration in
                report.heard(position, duration, turn: turn)
                continuation.yield(.heard(item, position))
            }
            await self?.ended(item, turn, failure)
        }
    }

    /// Pauses the output again, which what was canceled has let go.
    private func hold() {
        if report.status.state == .paused { output.pause() } else { output.resume() }
    }

    private static func play(
        _ item: MusicItem,
        from time: MediaTime,
        through output: any AudioPlayer,
        heard: @escaping @Sendable (MediaTime, MediaTime?) -> Void
    ) async -> EarshotError? {
        do {
            var options = AssetReader.Options(channels: .stereo)
            if time > .zero { options.range = time..<(.positiveInfinity) }
            let reader = try await AssetReader(try item.requireAsset(), options: options)
            let duration = reader.duration.isNumeric ? reader.duration : nil
            // Nothing is left of it.
            if let duration, time >= duration { return nil }
            try await output.play(reader) { heard($0, duration) }
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
            report.change { $0.failure = failure }
            continuation.yield(.failed(item, failure))
        }
        next()
    }
}
