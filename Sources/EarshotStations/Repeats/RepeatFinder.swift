public import EarshotBroadcast
public import EarshotCatalogs
public import EarshotClassification
public import EarshotCore
public import EarshotMusic
public import EarshotSignatures
public import Foundation
import Synchronization

/// Finds audio that channels broadcast repeatedly and no reference explains: advertisements, jingles, missing songs.
///
/// ```swift
/// let (finder, notes) = try RepeatFinder.open(folder)
/// try finder.append(channel: "7", signature: piece, at: date, explained: plays.map(\.queryRange))
/// for audio in finder.repeats.prefix(20) { show(audio) }
/// let (id, signature, item) = try finder.name("repeat-12", item)
/// ```
///
/// An interval counts as a repeat if its start and end differ from the surrounding audio, it is at least
/// ``Options/shortest`` long, was heard twice, is distinct enough, and does not repeat within itself. `Docs/repeats.md`
/// states the accuracy. All functions may be called from any thread; they block for some time.
public final class RepeatFinder: Sendable {
    struct State: Sendable {
        var engine: RepeatEngine
        var journals: [String: RepeatJournal] = [:]
        var savedChange = 0
    }

    /// The retention and the criteria.
    public let options: Options
    let folder: URL?
    let state: Mutex<State>

    /// Creates a finder in memory.
    public convenience init(options: Options = Options()) {
        self.init(options: options, folder: nil, engine: RepeatEngine(options))
    }

    init(options: Options, folder: URL?, engine: RepeatEngine) {
        self.options = options
        self.folder = folder
        state = Mutex(State(engine: engine))
    }

    /// Appends the next audio of a channel: in order, with gaps where nothing was received. Known audio has no effect.
    ///
    /// - Parameters:
    ///   - channel: The channel: 1 to 256 bytes.
    ///   - signature: The signature of the broadcast; up to 10 minutes.
    ///   - date: The time at which its first sample was broadcast.
    ///   - explained: The intervals, from the signature's start, that references explain. They are not analyzed.
    ///   - kind: The kind of most of the audio; `nil` if unknown.
    /// - Throws: `requestInvalid` for an empty or too long identifier, a signature that is empty or longer than 10
    ///   minutes, or a date before 1970; `writeFailed` if the folder cannot be written; `catalogInvalid` if a file in
    ///   it is damaged.
    public func append(
        channel: EntityID<BroadcastChannel>,
        signature: Signature,
        at date: Date,
        explained: [Range<MediaTime>] = [],
        kind: AudioKind? = nil
    ) throws(EarshotError) {
        guard LiveFeed.isChannel(channel.rawValue), let milliseconds = LiveTime.milliseconds(date) else {
            throw EarshotError(
                .requestInvalid,
                "The channel's id does not have 1 to 256 bytes, or the date is before 1970: correct it."
            )
        }
        guard signature.duration > .zero, signature.duration <= MediaTime(value: 600, timescale: 1) else {
            throw EarshotError(
                .requestInvalid,
                "\(signature.duration.seconds) s of the channel \(channel) were given at once: give up to 10 minutes."
            )
        }
        let masked = Self.masked(signature, explained)
        try state.withLock { state throws(EarshotError) in
            let id = channel.rawValue
            try log(masked, milliseconds, id, &state)
            let isComplete = try state.engine.append(
                masked,
                at: LiveTime.step(milliseconds: milliseconds),
                channel: id,
                kind: kind
            )
            try save(&state, isComplete: isComplete)
        }
    }

    /// Analyzes the audio of a channel since the last analysis, as at its end.
    ///
    /// - Throws: `writeFailed`; `catalogInvalid` if a file is damaged.
    public func finish(channel: EntityID<BroadcastChannel>) throws(EarshotError) {
        try state.withLock { state throws(EarshotError) in
            try state.engine.finish(channel.rawValue)
            try save(&state, isComplete: true)
        }
    }

    /// The audio that was heard at least twice, is neither named nor dismissed, and is not a phrase within such audio;
    /// by weight, highest first.
    public var repeats: [RepeatedAudio] {
        state.withLock { $0.engine.groups }.offered
            .compactMap(\.audio)
            .sorted { ($0.weight, $1.firstHeard, $1.id) > ($1.weight, $0.firstHeard, $0.id) }
    }

    /// Marks repeated audio as named. It is no longer offered.
    ///
    /// - Parameters:
    ///   - id: Its ``RepeatedAudio/id``.
    ///   - item: The media item of the repeat.
    /// - Returns: The reference to add to a catalog.
    /// - Throws: `entityNotFound` if there is no such repeat; `writeFailed`.
    public func name(
        _ id: String,
        _ item: MediaItem
    ) throws(EarshotError) -> (id: ReferenceID, signature: Signature, item: MediaItem) {
        let audio = try mark(id, .named)
        return (ReferenceID(id), audio.signature, item)
    }

    /// Marks repeated audio as of no interest. It is no longer offered.
    ///
    /// - Throws: `entityNotFound` if there is no such repeat; `writeFailed`.
    public func dismiss(_ id: String) throws(EarshotError) { _ = try mark(id, .dismissed) }

    /// The size of the stored audio, in bytes, in memory or in files.
    public var byteCount: Int { state.withLock { $0.engine.blocks.byteCount } }

    private func mark(_ id: String, _ status: RepeatGroup.Status) throws(EarshotError) -> RepeatedAudio {
        try state.withLock { state throws(EarshotError) in
            guard let number = id.hasPrefix("repeat-") ? Int(id.dropFirst(7)) : nil,
                let audio = state.engine.groups.groups[number]?.audio
            else {
                throw EarshotError(.entityNotFound, "There is no repeat \(id): list the repeats.")
            }
            state.engine.groups.mark(number, status)
            try save(&state, isComplete: false)
            return audio
        }
    }

    /// Returns a signature without the landmarks of some intervals.
    private static func masked(_ signature: Signature, _ ranges: [Range<MediaTime>]) -> Signature {
        guard !ranges.isEmpty else { return signature }
        let spans = ranges.map {
            LiveTime.steps($0.lowerBound)..<max(LiveTime.steps($0.lowerBound), LiveTime.steps($0.upperBound))
        }
        return Signature(
            configuration: signature.configuration,
            duration: signature.duration,
            landmarks: signature.landmarks.filter { landmark in
                !spans.contains { $0.contains(Int64(landmark.time)) }
            }
        )
    }
}
