public import EarshotBroadcast
public import EarshotCatalogs
import EarshotClassification
public import EarshotCore
import Foundation

/// Makes the log of one station from its audio: each block yields records, gaps and events.
///
/// ```swift
/// var tracker = try StationTracker(channel: "one", catalog: catalog)
/// for try await block in source {
///     for output in try tracker.append(block, at: now()) { keep(output) }
/// }
/// ```
///
/// A value without a clock or a store. The stream's timeline continues over breaks by their duration. Memory does not
/// grow with time.
public struct StationTracker: Sendable {
    /// The station as its records name it.
    public let channel: PlayChannel
    /// The settings of the tracker.
    public let options: Options

    var follower: PlayTracker
    var analyzer = StreamAnalyzer()
    var clock = StationClock()
    /// Plays whose records are not final.
    var tracked: [StationPlay] = []
    /// Provisional records of an earlier run that are not taken up yet.
    var orphans: [PlayRecord] = []
    /// The last seconds of the stream that were classified, and whether each was speech.
    private(set) var classified: [(time: Double, isSpeech: Bool)] = []
    /// The stream's time less that of the analyzer.
    var analyzerBase = 0.0
    /// The time at which the source's next block should begin; `nil` if its times begin anew.
    var expected: MediaTime?
    /// The break that goes on; before the first audio there is none.
    var lost: Loss?
    /// The first audio behind a break, until it is known how old it is.
    var arrival = BlockArrivalTimer()
    /// What was heard since it was taken last, and where in the stream; kept where ``keepsHeard``.
    var heardNow: [(buffer: AudioBuffer, begin: Double)] = []
    /// `true` if somebody takes what is heard.
    var keepsHeard = false
    /// How long a gap lasts of which the source's own times tell.
    var lostWithin: Double?
    /// Breaks that are over and still matter for why a play ended.
    var breaks: [Break] = []
    var rate = 16_000

    /// A break that goes on.
    struct Loss: Sendable {
        var gap: StreamGap
        /// Nothing after another program ran.
        var uptime: MediaTime?
        /// How much of it the follower was told, in seconds.
        var skipped = 0.0
        /// `true` if the log was told of it.
        var isTold: Bool
    }

    /// A break on the stream's timeline.
    struct Break: Sendable, Codable {
        var begin: Double
        var reason: PlayEndReason
    }

    /// How many seconds of classification are kept: more than a play goes on untold.
    private static let classifiedCount = 180
    /// The longest break that the stream's timeline shows, in seconds: three years. Dates of a snapshot may be anything.
    static let longestBreak = 1e8
    /// A break in which less than this was missed has no length, in seconds.
    static let shortestLoss = 0.5
    /// How near the begin of a break a play ends that it cut off, in seconds.
    private static let cutDistance = 5.0

    /// Follows a station.
    ///
    /// - Parameters:
    ///   - channel: The station as its records name it.
    ///   - catalog: The catalog to search.
    ///   - options: The settings of the tracker.
    /// - Throws: `catalogInvalid` when the catalog is damaged.
    public init(channel: PlayChannel, catalog: Catalog, options: Options = .init()) throws(EarshotError) {
        self.channel = channel
        self.options = options
        follower = try PlayTracker(catalog, options: options.following)
    }

    /// The duration of the stream so far, with breaks.
    public var time: MediaTime { follower.time }

    /// `true` if audio of the present connection was heard.
    var isHeard: Bool { lost == nil && time != .zero }

    /// Until where in the stream the station was heard, in seconds.
    var heardTime: Double { time.seconds - (lost?.skipped ?? 0) }
    /// Until when the station was heard: the date of the last audio.
    var heardUntil: Date { date(heardTime) }

    /// How many things are kept, of every sort, without the audio's own window: what must not grow with time.
    package var elementCount: Int {
        tracked.reduce(0) { $0 + 1 + $1.parts.count } + orphans.count + classified.count + breaks.count
            + clock.knots.count
    }

    // MARK: - The stream

    /// Takes the next audio.
    ///
    /// - Parameters:
    ///   - block: Audio with its time in the source. A jump of times of ``Options/shortestGap`` and more is a gap.
    ///   - instant: The time of arrival.
    /// - Returns: The outputs, in order.
    /// - Throws: `audioFormatInvalid`; `catalogInvalid` when a reference that is heard is damaged.
    public mutating func append(_ block: AudioBlock, at instant: StationInstant) throws(EarshotError) -> [Output] {
        guard case .arrival = options.dates, !arrival.isEmpty || isConnection(block) else {
            return try take(block, at: instant)
        }
        return arrival.append(block, at: instant) ? try arrive() : []
    }

    mutating func take(
        _ block: AudioBlock,
        at instant: StationInstant,
        gone: Double? = nil
    ) throws(EarshotError) -> [Output] {
        var outputs: [Output] = []
        if lost != nil {
            outputs += try comeBack(block, at: instant, gone: gone)
        } else if let expected, block.time.isNumeric {
            let jump = (block.time - expected).seconds
            if jump >= options.shortestGap {
                outputs += loseWithin(jump)
            } else if jump > 0.01 {
                outputs += try hear(silence(jump))
            } else if jump < -options.shortestGap {
                // The source began anew without a word.
                outputs += try lost(at: instant)
                outputs += try comeBack(block, at: instant, gone: nil)
            }
            if lost != nil { outputs += try comeBack(block, at: instant, gone: nil) }
        }
        expected = block.time.isNumeric ? block.endTime : nil
        rate = block.buffer.sampleRate
        let begin = time.seconds
        note(begin..<begin + block.buffer.duration.seconds, at: instant)
        if keepsHeard { heardNow.append((block.buffer, begin)) }
        return outputs + (try hear(block.buffer))
    }

    /// Handles a break of the stream, whose cause may not be known yet.
    ///
    /// - Parameter instant: The time at which it was noticed, or at which the last audio arrived.
    /// - Returns: The outputs.
    public mutating func lost(at instant: StationInstant) throws(EarshotError) -> [Output] {
        var outputs: [Output] = []
        if !arrival.isEmpty { outputs += try arrive() }
        expected = nil
        guard lost == nil else { return outputs }
        let isUnheard = time == .zero
        // Who looks at the log during the break finds until when each play was heard.
        for index in tracked.indices { outputs += write(index, isDue: true) }
        let start = isUnheard ? instant.date : date(time.seconds)
        let gap = StreamGap(channel: channel, start: start)
        lost = Loss(gap: gap, uptime: instant.uptime, isTold: true)
        clock.disconnect(at: time.seconds)
        return outputs + [.gap(gap), .streamLost(gap)]
    }

    /// Time has gone by. Plays that a break has cut off end when it lasts too long.
    ///
    /// - Parameter instant: Now.
    /// - Returns: The outputs.
    public mutating func tick(at instant: StationInstant) throws(EarshotError) -> [Output] {
        guard let loss = lost else { return [] }
        let gone = elapsed(loss, instant)
        guard gone > options.following.patience.seconds + 1, gone - loss.skipped > 1,
            !tracked.isEmpty || !orphans.isEmpty
        else { return [] }
        lost?.skipped = gone
        noteBreak(loss)
        let changes = try follower.skip(MediaTime(seconds: gone - loss.skipped, preferredTimescale: 1_000))
        return settle(changes, now: instant.date)
    }

    /// Replaces the catalog from now on. Plays of references in both catalogs continue.
    ///
    /// - Throws: `catalogInvalid` when it is damaged; the old one then stays.
    public mutating func replace(_ catalog: Catalog) throws(EarshotError) { try follower.replace(catalog) }

    /// Ends every play.
    ///
    /// - Parameters:
    ///   - instant: Now.
    ///   - reason: The reason of ending the running plays.
    /// - Returns: The outputs.
    public mutating func finish(
        at instant: StationInstant,
        reason: PlayEndReason = .monitorStopped
    ) throws(EarshotError) -> [Output] {
        let held = arrival.isEmpty ? [] : try arrive()
        let end = time.seconds
        if let loss = lost { noteBreak(loss) } else { breaks.append(Break(begin: end, reason: reason)) }
        var outputs = held + settle(try follower.finish(), isEnd: true)
        outputs += orphans.map { .record($0.closed(at: nil, reason: .monitorStopped)) }
        orphans = []
        return outputs
    }

    // MARK: - Dates

    private mutating func note(_ range: Range<Double>, at instant: StationInstant) {
        if case .arrival = options.dates { clock.note(range, at: instant) }
    }

    func date(_ time: Double) -> Date {
        switch options.dates {
        case .arrival: clock.date(at: time)
        case .since(let start): start.addingTimeInterval(time)
        }
    }

    // MARK: - Audio

    mutating func hear(_ buffer: AudioBuffer) throws(EarshotError) -> [Output] {
        var outputs: [Output] = []
        for observation in analyzer.append(buffer) {
            switch observation.content {
            case .level(let level): outputs.append(.level(level))
            case .classification(let found):
                outputs.append(.kind(found.kind))
                // It is about the last three seconds.
                classified.append((observation.time.seconds + analyzerBase - 1.5, found.kind == .speech))
                if classified.count > Self.classifiedCount { classified.removeFirst() }
            default: break
            }
        }
        return outputs + settle(try follower.append(buffer))
    }

    /// Why a play ended, when it was not heard to the end of its reference.
    func reason(of play: StationPlay) -> PlayEndReason {
        guard !play.isPlayedOut else { return .ended }
        if let cut = breaks.first(where: { abs($0.begin - play.end) <= Self.cutDistance }) { return cut.reason }
        let isReplaced = tracked.contains { other in
            other.begin > play.begin && abs(other.begin - play.end) <= 3 && other.reference != play.reference
        }
        return isReplaced ? .replaced : .ended
    }
}
