public import EarshotBroadcast
public import EarshotCatalogs
import EarshotClassification
public import EarshotCore
import Foundation

/// Creates the log of one station from its audio: each block yields records, gaps and events.
///
/// ```swift
/// var tracker = try StationTracker(channel: "one", catalog: catalog)
/// for try await block in source {
///     for output in try tracker.append(block, at: now()) { keep(output) }
/// }
/// ```
///
/// It is a value without a clock or a store. The stream's timeline includes breaks by their duration. Memory use is
/// bounded.
public struct StationTracker: Sendable {
    /// The station as its records name it.
    public let channel: PlayChannel
    /// The settings of the tracker.
    public let options: Options

    var follower: PlayTracker
    var analyzer = StreamAnalyzer()
    var clock = StationClock()
    /// The plays whose records are not final.
    var tracked: [StationPlay] = []
    /// Provisional records of an earlier run that were not continued yet.
    var orphans: [PlayRecord] = []
    /// The last classified seconds of the stream, with `true` for speech.
    private(set) var classified: [(time: Double, isSpeech: Bool)] = []
    /// The stream's time less that of the analyzer, in seconds.
    var analyzerBase = 0.0
    /// The time at which the source's next block should begin; `nil` if its times start anew.
    var expected: MediaTime?
    /// The break in progress; `nil` without one, and before the first audio.
    var lost: Loss?
    /// The first audio after a break, until its age is known.
    var arrival = BlockArrivalTimer()
    /// The audio since the last ``takeHeard()``, with its positions in the stream, if ``keepsHeard`` is `true`.
    var heardNow: [(buffer: AudioBuffer, begin: Double)] = []
    /// `true` if an observer takes the audio.
    var keepsHeard = false
    /// The duration of a gap that the source's own times show, in seconds.
    var lostWithin: Double?
    /// Earlier breaks, as reasons for the end of plays.
    var breaks: [Break] = []
    var rate = 16_000

    /// A break in progress.
    struct Loss: Sendable {
        var gap: StreamGap
        /// The uptime at its start; `nil` if another run recorded the start.
        var uptime: MediaTime?
        /// The part of it that the play tracker has skipped, in seconds.
        var skipped = 0.0
        /// `true` if the log has the gap.
        var isTold: Bool
    }

    /// A break on the stream's timeline, in seconds.
    struct Break: Sendable, Codable {
        var begin: Double
        var reason: PlayEndReason
    }

    /// The number of classified seconds that are kept: more than a running play stays unreported.
    private static let classifiedCount = 180
    /// The longest break on the stream's timeline, in seconds: three years. A snapshot may have any date.
    static let longestBreak = 1e8
    /// The duration of missed audio below which a break has no length, in seconds.
    static let shortestLoss = 0.5
    /// The distance between the end of a play and a break that cut it off, in seconds.
    private static let cutDistance = 5.0

    /// Creates a tracker for a station.
    ///
    /// - Parameters:
    ///   - channel: The station as its records name it.
    ///   - catalog: The catalog to search.
    ///   - options: The settings of the tracker.
    /// - Throws: `catalogInvalid` if the catalog is damaged.
    public init(channel: PlayChannel, catalog: Catalog, options: Options = .init()) throws(EarshotError) {
        self.channel = channel
        self.options = options
        follower = try PlayTracker(catalog, options: options.following)
    }

    /// The duration of the stream so far, including breaks.
    public var time: MediaTime { follower.time }

    /// `true` if audio of the current connection was processed.
    var isHeard: Bool { lost == nil && time != .zero }

    /// The position up to which the station was heard, in seconds of the stream.
    var heardTime: Double { time.seconds - (lost?.skipped ?? 0) }
    /// The date of the last audio.
    var heardUntil: Date { date(heardTime) }

    /// The number of elements that are kept, without the audio's own window. It must not grow with time.
    package var elementCount: Int {
        tracked.reduce(0) { $0 + 1 + $1.parts.count } + orphans.count + classified.count + breaks.count
            + clock.knots.count
    }

    // MARK: - The stream

    /// Processes the next audio.
    ///
    /// - Parameters:
    ///   - block: Audio with its time in the source. A jump of times by ``Options/shortestGap`` or more is a gap.
    ///   - instant: The time of arrival.
    /// - Returns: The outputs, in order.
    /// - Throws: `audioFormatInvalid` if the format is not supported; `catalogInvalid` if a reference that is heard is
    ///   damaged.
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
                // The source started anew without an error.
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

    /// Records a break of the stream.
    ///
    /// - Parameter instant: The time at which it was noticed, or at which the last audio arrived.
    /// - Returns: The outputs.
    /// - Throws: `catalogInvalid` if a reference that is heard is damaged.
    public mutating func lost(at instant: StationInstant) throws(EarshotError) -> [Output] {
        var outputs: [Output] = []
        if !arrival.isEmpty { outputs += try arrive() }
        expected = nil
        guard lost == nil else { return outputs }
        let isUnheard = time == .zero
        // A reader of the log then sees during the break until when each play was heard.
        for index in tracked.indices { outputs += write(index, isDue: true) }
        let start = isUnheard ? instant.date : date(time.seconds)
        let gap = StreamGap(channel: channel, start: start)
        lost = Loss(gap: gap, uptime: instant.uptime, isTold: true)
        clock.disconnect(at: time.seconds)
        return outputs + [.gap(gap), .streamLost(gap)]
    }

    /// Advances the time. Plays that a break has cut off end if the break lasts too long.
    ///
    /// - Parameter instant: The current time.
    /// - Returns: The outputs.
    /// - Throws: `catalogInvalid` if a reference that was heard is damaged.
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
    /// - Throws: `catalogInvalid` if it is damaged; the old one is then kept.
    public mutating func replace(_ catalog: Catalog) throws(EarshotError) { try follower.replace(catalog) }

    /// Ends every play.
    ///
    /// - Parameters:
    ///   - instant: The current time.
    ///   - reason: The reason for the end of running plays.
    /// - Returns: The outputs.
    /// - Throws: `catalogInvalid` if a reference that is heard is damaged.
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
                // The classification covers the last three seconds; their middle is dated.
                classified.append((observation.time.seconds + analyzerBase - 1.5, found.kind == .speech))
                if classified.count > Self.classifiedCount { classified.removeFirst() }
            default: break
            }
        }
        return outputs + settle(try follower.append(buffer))
    }

    /// Returns the reason for the end of a play.
    func reason(of play: StationPlay) -> PlayEndReason {
        guard !play.isPlayedOut else { return .ended }
        if let cut = breaks.first(where: { abs($0.begin - play.end) <= Self.cutDistance }) { return cut.reason }
        let isReplaced = tracked.contains { other in
            other.begin > play.begin && abs(other.begin - play.end) <= 3 && other.reference != play.reference
        }
        return isReplaced ? .replaced : .ended
    }
}
