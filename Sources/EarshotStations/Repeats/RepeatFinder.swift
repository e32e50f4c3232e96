public import EarshotBroadcast
public import EarshotCatalogs
public import EarshotClassification
public import EarshotCore
public import EarshotMusic
public import EarshotSignatures
public import Foundation
import Synchronization

/// Finds audio that channels broadcast again and again and that no reference explains: adverts, jingles, missing songs.
///
/// ```swift
/// let (finder, notes) = try RepeatFinder.open(folder)
/// try finder.append(channel: "7", signature: piece, at: date, explained: plays.map(\.queryRange))
/// for audio in finder.repeats.prefix(20) { show(audio) }
/// let (id, signature, item) = try finder.name("repeat-12", item)
/// ```
///
/// A stretch counts when its begin and its end are told from what surrounds it, it is at least four seconds long, was heard
/// twice, and neither is too plain to be told again nor repeats within itself. `Docs/repeats.md` says how often that is right.
/// All functions may be called from any thread; they take a while, so not from one that must not wait.
public final class RepeatFinder: Sendable {
    struct State: Sendable {
        var engine: RepeatEngine
        var journals: [String: RepeatJournal] = [:]
        var savedChange = 0
    }

    /// How much is kept, and what counts.
    public let options: Options
    let folder: URL?
    let state: Mutex<State>

    /// A finder in memory that has heard nothing.
    public convenience init(options: Options = Options()) {
        self.init(options: options, folder: nil, engine: RepeatEngine(options))
    }

    init(options: Options, folder: URL?, engine: RepeatEngine) {
        self.options = options
        self.folder = folder
        state = Mutex(State(engine: engine))
    }

    /// Takes the next audio of a channel: in order, with gaps where nothing was heard. What is known already changes nothing.
    ///
    /// - Parameters:
    ///   - channel: The channel: 1 to 256 bytes.
    ///   - signature: What was broadcast; up to 10 minutes.
    ///   - date: When its first sample was broadcast.
    ///   - explained: The parts, from the signature's begin on, that references explain. They are not looked at.
    ///   - kind: What it mostly is, where that was told.
    /// - Throws: `requestInvalid` for an id, a length or a date that may not be; `writeFailed` when the folder cannot be
    ///   written, `catalogInvalid` when a file in it is damaged.
    public func append(
        channel: EntityID<BroadcastChannel>,
        signature: Signature,
        at date: Date,
        explained: [Range<MediaTime>] = [],
        kind: AudioKind? = nil
    ) throws(EarshotError) {
        guard LiveFeed.isChannel(channel.rawValue), let milliseconds = LiveTime.milliseconds(date) else {
            throw EarshotError(.requestInvalid, "A channel's id takes 1 to 256 bytes, and its dates lie behind 1970.")
        }
        guard signature.duration > .zero, signature.duration <= MediaTime(value: 600, timescale: 1) else {
            throw EarshotError(
                .requestInvalid,
                "\(signature.duration.seconds) s of \(channel) came at once: give up to 10 minutes."
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

    /// Looks at what came of a channel since the last look, as after its end.
    ///
    /// - Throws: `writeFailed`, `catalogInvalid` when a file is damaged.
    public func finish(channel: EntityID<BroadcastChannel>) throws(EarshotError) {
        try state.withLock { state throws(EarshotError) in
            try state.engine.finish(channel.rawValue)
            try save(&state, isComplete: true)
        }
    }

    /// What was heard at least twice and is neither named nor dismissed, nor a phrase within such audio: what explains most
    /// first.
    public var repeats: [RepeatedAudio] {
        state.withLock { $0.engine.groups }.offered
            .compactMap(\.audio)
            .sorted { ($0.weight, $1.firstHeard, $1.id) > ($1.weight, $0.firstHeard, $0.id) }
    }

    /// Gives repeated audio a name. It is not offered again.
    ///
    /// - Parameters:
    ///   - id: Its ``RepeatedAudio/id``.
    ///   - item: What it is.
    /// - Returns: What to add to a catalog.
    /// - Throws: `entityNotFound`; `writeFailed`.
    public func name(
        _ id: String,
        _ item: MediaItem
    ) throws(EarshotError) -> (id: ReferenceID, signature: Signature, item: MediaItem) {
        let audio = try mark(id, .named)
        return (ReferenceID(id), audio.signature, item)
    }

    /// Says that repeated audio is of no interest. It is not offered again.
    ///
    /// - Throws: `entityNotFound`; `writeFailed`.
    public func dismiss(_ id: String) throws(EarshotError) { _ = try mark(id, .dismissed) }

    /// Bytes that what was heard takes, in memory or in files.
    public var byteCount: Int { state.withLock { $0.engine.blocks.byteCount } }

    private func mark(_ id: String, _ status: RepeatGroup.Status) throws(EarshotError) -> RepeatedAudio {
        try state.withLock { state throws(EarshotError) in
            guard let number = id.hasPrefix("repeat-") ? Int(id.dropFirst(7)) : nil,
                let audio = state.engine.groups.groups[number]?.audio
            else {
                throw EarshotError(.entityNotFound, "There is no repeated audio \(id): list what there is.")
            }
            state.engine.groups.mark(number, status)
            try save(&state, isComplete: false)
            return audio
        }
    }

    /// A signature without the landmarks of some parts.
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
