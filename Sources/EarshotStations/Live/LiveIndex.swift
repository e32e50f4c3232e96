public import EarshotBroadcast
import EarshotCatalogs
public import EarshotCore
public import EarshotMusic
import EarshotSignatures
public import Foundation
import Synchronization

/// An index of the last hours of live channels, in which recordings can be found immediately.
///
/// ```swift
/// let index = LiveIndex()
/// try index.append(piece, channel: "7")
/// for match in try index.lookup(query) { print(match.channel, match.behindLive.seconds, "s behind") }
/// ```
///
/// A piece is found by the next lookup. Complete parts of some minutes are indexed once; only the part of each channel that
/// still grows is indexed again. All functions may be called from any thread; a lookup works for some milliseconds and holds
/// up nobody. `Docs/live-references.md` says what it costs.
public final class LiveIndex: Sendable {
    /// The outcome of appending a chunk.
    public enum Acceptance: String, Hashable, Sendable, Codable {
        /// It follows all known chunks and was added.
        case taken
        /// Its begin was known; the rest was taken.
        case trimmed
        /// It is at or before a known chunk: it arrived twice, or late. Nothing has changed.
        case known
        /// It is older than the retention. Nothing has changed.
        case expired
    }

    /// A channel and the end of its chunks.
    public struct Channel: Hashable, Sendable {
        /// The channel.
        public let id: EntityID<BroadcastChannel>
        /// The end of its last chunk.
        public let end: Date
    }

    struct State: Sendable {
        var timelines: [String: ChannelTimeline] = [:]
        /// The parts that still grow, indexed by the first search.
        var open: [String: Catalog] = [:]
        var feeders: [String: LiveFeeder] = [:]
        var blocks: CatalogBlocks
    }

    /// The retention and the sizes of parts.
    public let options: Options
    let limits: QueryLimits
    let state: Mutex<State>

    /// An index without channels.
    public init(options: Options = Options()) {
        self.options = options
        limits = QueryLimits(
            minimum: QueryLimits.standard.minimum,
            maximum: options.longestQuery
        )
        state = Mutex(State(blocks: CatalogBlocks(limits: limits)))
    }

    /// The channels, in order of their ids.
    public var channels: [Channel] {
        state.withLock { state in
            state.timelines.map { Channel(id: EntityID($0.key), end: LiveTime.date($0.value.end)) }
        }.sorted { $0.id < $1.id }
    }

    /// Bytes of memory that complete parts take, or of files where they were restored from a folder.
    public var byteCount: Int { state.withLock { $0.blocks.byteCount } }

    // MARK: - Pieces

    /// Takes a piece of a channel. The same piece may come any number of times.
    ///
    /// - Parameters:
    ///   - piece: The piece.
    ///   - channel: Its channel: 1 to 256 bytes.
    ///   - now: The instant, against which the clock of the sender is held.
    /// - Returns: The outcome.
    /// - Throws: `requestInvalid` for a channel's id that may not be, a piece from the future, and a channel too many.
    @discardableResult
    public func append(
        _ piece: LiveChunk,
        channel: EntityID<BroadcastChannel>,
        now: Date = Date()
    ) throws(EarshotError) -> Acceptance {
        try state.withLock { state throws(EarshotError) in try take(piece, channel.rawValue, now, &state) }
    }

    /// Takes audio of a channel, which is cut into pieces of four seconds. Either pieces or audio come for a channel.
    ///
    /// - Parameters:
    ///   - buffer: The audio.
    ///   - channel: Its channel.
    ///   - date: The time at which its first frame was broadcast.
    ///   - now: The instant.
    /// - Throws: The errors of chunks, and `audioFormatInvalid`.
    public func append(
        _ buffer: AudioBuffer,
        channel: EntityID<BroadcastChannel>,
        at date: Date,
        now: Date = Date()
    ) throws(EarshotError) {
        // Analysis takes its time: outside the lock, and of one channel nobody else gives audio.
        var feeder = state.withLock { $0.feeders[channel.rawValue] } ?? LiveFeeder()
        let pieces = try feeder.append(buffer, at: date)
        try state.withLock { state throws(EarshotError) in
            for piece in pieces { _ = try take(piece, channel.rawValue, now, &state) }
            state.feeders[channel.rawValue] = feeder
        }
    }

    /// Removes a channel. Has no effect if it is not known.
    ///
    /// - Throws: `catalogInvalid` when a part that is kept in a file is damaged.
    public func remove(_ channel: EntityID<BroadcastChannel>) throws(EarshotError) {
        try state.withLock { state throws(EarshotError) in
            let id = channel.rawValue
            (state.timelines[id], state.open[id], state.feeders[id]) = (nil, nil, nil)
            try state.blocks.remove { $1 == id }
        }
    }

    /// Looks whether a piece may be taken, by the name of its channel and its dates alone.
    ///
    /// - Parameters:
    ///   - piece: The piece.
    ///   - channel: Its channel.
    ///   - now: The instant.
    /// - Returns: `false` for one that is older than what is kept.
    /// - Throws: `requestInvalid` for a channel's id that may not be, and a piece from the future.
    package func admits(
        _ piece: LiveChunk,
        channel: EntityID<BroadcastChannel>,
        now: Date
    ) throws(EarshotError) -> Bool {
        let channel = channel.rawValue
        guard LiveFeed.isChannel(channel) else {
            throw EarshotError(.requestInvalid, "A channel's id takes 1 to 256 bytes: choose another.")
        }
        let end = piece.start.addingTimeInterval(piece.signature.duration.seconds)
        guard end.timeIntervalSince(now) <= options.clockTolerance.seconds else {
            throw EarshotError(
                .requestInvalid,
                "Piece \(piece.sequence) of \(channel) ends in the future: set the clock of its sender."
            )
        }
        return now.timeIntervalSince(end) < options.retention.seconds
    }

    private func take(
        _ piece: LiveChunk,
        _ channel: String,
        _ now: Date,
        _ state: inout State
    ) throws(EarshotError) -> Acceptance {
        guard try admits(piece, channel: EntityID(channel), now: now) else { return .expired }
        if state.timelines[channel] == nil {
            guard state.timelines.count < options.channelLimit else {
                throw EarshotError(
                    .requestInvalid,
                    "There are \(options.channelLimit) channels already: remove one, or raise the limit."
                )
            }
        }
        var timeline = state.timelines[channel] ?? emptyTimeline
        let (outcome, closed) = timeline.append(piece.signature, at: LiveTime.step(milliseconds: piece.milliseconds))
        guard outcome != .known else { return .known }
        for part in closed { try state.blocks.add(part, channel: channel) }
        if !closed.isEmpty { try expire(&state, now) }
        state.timelines[channel] = timeline
        state.open[channel] = try openCatalog(timeline, channel)
        return outcome == .trimmed ? .trimmed : .taken
    }

    var emptyTimeline: ChannelTimeline {
        ChannelTimeline(
            length: LiveTime.steps(options.partLength),
            overlap: LiveTime.steps(options.longestQuery)
        )
    }

    func openCatalog(_ timeline: ChannelTimeline, _ channel: String) throws(EarshotError) -> Catalog? {
        guard let part = timeline.open else { return nil }
        var catalog = Catalog(queryLimits: limits)
        try catalog.add(part.signature, representing: [], id: CatalogBlocks.name(part.begin, channel))
        return catalog
    }

    /// Forgets parts that lie wholly before what is kept.
    func expire(_ state: inout State, _ now: Date) throws(EarshotError) {
        let oldest = LiveTime.step(now) - LiveTime.steps(options.retention)
        let length = LiveTime.steps(options.partLength + options.longestQuery + LiveChunk.longest)
        try state.blocks.remove { begin, _ in begin + length < oldest }
        for (channel, timeline) in state.timelines where timeline.end < oldest {
            (state.timelines[channel], state.open[channel], state.feeders[channel]) = (nil, nil, nil)
        }
    }
}
