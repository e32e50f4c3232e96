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
/// A chunk is found by the next lookup. Complete parts of some minutes are indexed once; only the growing part of each
/// channel is indexed again. All functions may be called from any thread. A lookup takes some milliseconds and blocks
/// no other call. `Docs/live-references.md` states the cost.
public final class LiveIndex: Sendable {
    /// The outcome of appending a chunk.
    public enum Acceptance: String, Hashable, Sendable, Codable {
        /// It follows all known chunks and was added.
        case taken
        /// Its start was known; the rest was added.
        case trimmed
        /// It does not extend beyond the known chunks: it arrived twice, or late. Nothing has changed.
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
        /// The growing parts, indexed by the first search.
        var open: [String: Catalog] = [:]
        var feeders: [String: LiveFeeder] = [:]
        var blocks: CatalogBlocks
    }

    /// The retention and the sizes of parts.
    public let options: Options
    let limits: QueryLimits
    let state: Mutex<State>

    /// Creates an index without channels.
    public init(options: Options = Options()) {
        self.options = options
        limits = QueryLimits(
            minimum: QueryLimits.standard.minimum,
            maximum: options.longestQuery
        )
        state = Mutex(State(blocks: CatalogBlocks(limits: limits)))
    }

    /// The channels, in order of their identifiers.
    public var channels: [Channel] {
        state.withLock { state in
            state.timelines.map { Channel(id: EntityID($0.key), end: LiveTime.date($0.value.end)) }
        }.sorted { $0.id < $1.id }
    }

    /// The size of the complete parts, in bytes: in memory, or in files after a restore.
    public var byteCount: Int { state.withLock { $0.blocks.byteCount } }

    // MARK: - Pieces

    /// Appends a chunk of a channel. The same chunk may arrive any number of times.
    ///
    /// - Parameters:
    ///   - piece: The chunk.
    ///   - channel: The identifier of its channel, 1 to 256 bytes of UTF-8.
    ///   - now: The current time, which the sender's clock is compared with.
    /// - Returns: The outcome.
    /// - Throws: `requestInvalid` for an empty or too long identifier, a chunk from the future, and a channel beyond
    ///   the limit.
    @discardableResult
    public func append(
        _ piece: LiveChunk,
        channel: EntityID<BroadcastChannel>,
        now: Date = Date()
    ) throws(EarshotError) -> Acceptance {
        try state.withLock { state throws(EarshotError) in try take(piece, channel.rawValue, now, &state) }
    }

    /// Appends audio of a channel, which is cut into chunks of 4 s. Give either chunks or audio for a channel, not
    /// both.
    ///
    /// - Parameters:
    ///   - buffer: The audio.
    ///   - channel: The identifier of its channel.
    ///   - date: The time at which its first frame was broadcast.
    ///   - now: The current time.
    /// - Throws: The errors of appending chunks, and `audioFormatInvalid`.
    public func append(
        _ buffer: AudioBuffer,
        channel: EntityID<BroadcastChannel>,
        at date: Date,
        now: Date = Date()
    ) throws(EarshotError) {
        // The analysis takes time, so it runs outside the lock. No other caller gives audio of this channel.
        var feeder = state.withLock { $0.feeders[channel.rawValue] } ?? LiveFeeder()
        let pieces = try feeder.append(buffer, at: date)
        try state.withLock { state throws(EarshotError) in
            for piece in pieces { _ = try take(piece, channel.rawValue, now, &state) }
            state.feeders[channel.rawValue] = feeder
        }
    }

    /// Removes a channel. Has no effect if it is not known.
    ///
    /// - Throws: `catalogInvalid` if a part in a file is damaged.
    public func remove(_ channel: EntityID<BroadcastChannel>) throws(EarshotError) {
        try state.withLock { state throws(EarshotError) in
            let id = channel.rawValue
            (state.timelines[id], state.open[id], state.feeders[id]) = (nil, nil, nil)
            try state.blocks.remove { $1 == id }
        }
    }

    /// Checks whether a chunk may be added, by its channel's identifier and its dates alone.
    ///
    /// - Parameters:
    ///   - piece: The chunk.
    ///   - channel: The identifier of its channel.
    ///   - now: The current time.
    /// - Returns: `false` if it is older than the retention.
    /// - Throws: `requestInvalid` for an empty or too long identifier, and for a chunk from the future.
    package func admits(
        _ piece: LiveChunk,
        channel: EntityID<BroadcastChannel>,
        now: Date
    ) throws(EarshotError) -> Bool {
        let channel = channel.rawValue
        guard LiveFeed.isChannel(channel) else {
            throw EarshotError(.requestInvalid, "The channel's id does not have 1 to 256 bytes: choose another.")
        }
        let end = piece.start.addingTimeInterval(piece.signature.duration.seconds)
        guard end.timeIntervalSince(now) <= options.clockTolerance.seconds else {
            throw EarshotError(
                .requestInvalid,
                "Chunk \(piece.sequence) of the channel \(channel) ends in the future: set the clock of its sender."
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
                    "There are \(options.channelLimit) live channels already: remove one, or raise the limit."
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

    /// Removes parts and channels that lie wholly before the retention.
    func expire(_ state: inout State, _ now: Date) throws(EarshotError) {
        let oldest = LiveTime.step(now) - LiveTime.steps(options.retention)
        let length = LiveTime.steps(options.partLength + options.longestQuery + LiveChunk.longest)
        try state.blocks.remove { begin, _ in begin + length < oldest }
        for (channel, timeline) in state.timelines where timeline.end < oldest {
            (state.timelines[channel], state.open[channel], state.feeders[channel]) = (nil, nil, nil)
        }
    }
}
