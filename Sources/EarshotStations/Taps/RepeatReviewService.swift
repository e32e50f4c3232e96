import Dispatch
public import EarshotBroadcast
public import EarshotCatalogs
public import EarshotCore
public import EarshotMusic
import EarshotSignatures
public import Foundation
import Synchronization

/// Finds audio that the stations of a monitor repeat and no reference explains, keeps recordings of it for review, and
/// creates references of named audio.
///
/// The finder runs on a queue of its own. Stations do not wait for it.
public final class RepeatReviewService: StationObserver {
    /// The retention and the limits.
    public struct Options: Hashable, Sendable {
        /// The settings of the finder.
        public var finding = RepeatFinder.Options()
        /// The largest total size of recordings on the disk, in bytes.
        public var clipBytes = 500_000_000
        /// The largest number of chunks of 4 s that wait for the finder; further ones are dropped.
        public var waitingLimit = 10_000
        /// The largest duration of audio that waits to be written to the disk, in seconds, summed over all channels.
        /// Further audio is dropped, and recordings have gaps.
        public var waitingAudio = 1_200.0

        /// Creates the default options.
        public init() {}
    }

    private struct Channel {
        var audio = UnexplainedAudio()
        var input = AnalysisInput()
    }

    private struct State {
        var shelf: ClipStore
        var offered: [RepeatCandidate] = []
        /// The files of instructions that failed and are retried; the failure was reported.
        var failing: Set<String> = []
        /// Repeats whose recordings were removed to free space. They are not recorded again.
        var dropped: Set<String> = []
    }

    /// The folder of the service.
    public let folder: RepeatFolder
    private let options: Options
    private let finder: RepeatFinder
    private let queue = DispatchQueue(label: "earshot.repeats", qos: .utility)
    private let channels = Mutex<[EntityID<BroadcastChannel>: Channel]>([:])
    private let state: Mutex<State>
    /// The numbers of chunks that wait for the finder, and of samples that wait for the disk. They are not part of the
    /// state, whose lock is held while files are written, because stations do not wait for files.
    private let waiting = Mutex((pieces: 0, samples: 0))
    private let report: @Sendable (EarshotError) -> Void
    private let onNamed: Mutex<(@Sendable (Catalog) -> Void)?> = Mutex(nil)

    /// Opens a service on a folder. The process may end at any moment without damage. Only one service may use a folder
    /// at a time.
    ///
    /// - Parameters:
    ///   - folder: The folder; created if needed.
    ///   - options: The retention and the limits.
    ///   - report: Called with failures, and with damaged files that were left out.
    /// - Throws: `writeFailed`; `catalogInvalid` if a file that cannot be left out is damaged.
    public init(
        _ folder: RepeatFolder,
        options: Options = .init(),
        report: @escaping @Sendable (EarshotError) -> Void = { _ in }
    ) throws(EarshotError) {
        (self.folder, self.options, self.report) = (folder, options, report)
        let (finder, notes) = try RepeatFinder.open(folder.heard, options: options.finding)
        self.finder = finder
        // The list that the last run wrote. It is written again only if it has changed.
        let offered = (try? folder.offered()) ?? []
        state = Mutex(State(shelf: try ClipStore(folder.recent), offered: offered))
        for note in notes { report(EarshotError(.storeDamaged, note)) }
        look()
    }

    /// Sets a function that is called with the catalog of named repeats whenever a repeat is named.
    public func onNaming(_ body: @escaping @Sendable (Catalog) -> Void) { onNamed.withLock { $0 = body } }

    /// The current candidates, by weight, highest first.
    public var offered: [RepeatCandidate] { state.withLock { $0.offered } }

    // MARK: - The stations

    /// Queues audio for the finder and for recordings; drops it if too much waits.
    public func hear(_ buffer: AudioBuffer, at date: Date, of channel: EntityID<BroadcastChannel>) {
        let taken = channels.withLock { channels -> ([UnexplainedAudio.Explained], [Int16])? in
            var one = channels[channel] ?? Channel()
            channels[channel] = nil
            defer { channels[channel] = one }
            let samples = one.input.samples(of: buffer).map { Int16(max(-1, min(1, $0)) * 32_767) }
            guard let pieces = try? one.audio.append(buffer, at: date) else { return nil }
            return (pieces, samples)
        }
        guard let (pieces, samples) = taken else { return }
        let limit = Int(max(0, min(options.waitingAudio, 1e6)) * Double(ClipStore.rate))
        let (takesSamples, takesPieces) = waiting.withLock { waiting in
            let (takesSamples, takesPieces) = (
                waiting.samples + samples.count <= limit, waiting.pieces + pieces.count <= options.waitingLimit
            )
            if takesSamples { waiting.samples += samples.count }
            if takesPieces { waiting.pieces += pieces.count }
            return (takesSamples, takesPieces)
        }
        if takesSamples {
            queue.async { [self] in
                attempt { try state.withLock { state in try state.shelf.append(samples, at: date, of: channel) } }
                waiting.withLock { $0.samples -= samples.count }
            }
        }
        if takesPieces, !pieces.isEmpty { queue.async { [self] in find(pieces, channel) } }
    }

    /// Records a play, whose audio is then explained.
    public func note(_ record: PlayRecord, isWithdrawn: Bool) {
        channels.withLock { $0[record.channel.id, default: Channel()].audio.note(record, isWithdrawn: isWithdrawn) }
    }

    /// Passes the remaining audio to the finder, at the end of the monitor.
    public func finish() async {
        let rest = channels.withLock { channels in
            channels.keys.sorted().map { ($0, (try? channels[$0]?.audio.finish()) ?? []) }
        }
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                for (channel, pieces) in rest {
                    waiting.withLock { $0.pieces += pieces.count }
                    find(pieces, channel)
                    attempt { try finder.finish(channel: channel) }
                }
                look()
                continuation.resume()
            }
        }
    }

    // MARK: - On the queue

    private func attempt(_ work: () throws -> Void) {
        do {
            try work()
        } catch let error as EarshotError {
            report(error)
        } catch {
            let path = folder.url.path
            report(EarshotError(.writeFailed, "\(path) cannot be written: check the room left.", cause: error))
        }
    }

    private func find(_ pieces: [UnexplainedAudio.Explained], _ channel: EntityID<BroadcastChannel>) {
        for one in pieces {
            attempt {
                try finder.append(
                    channel: channel,
                    signature: one.piece.signature,
                    at: one.piece.start,
                    explained: one.ranges
                )
            }
        }
        waiting.withLock { $0.pieces -= pieces.count }
    }

    /// Carries out instructions, makes recordings, and writes the list if it has changed. Call it every few seconds.
    public func refresh() { queue.async { [self] in look() } }

    private func look() {
        for (order, file) in folder.waitingOrders() {
            do throws(EarshotError) {
                try carryOut(order)
            } catch {
                // A failure that may be temporary is retried, and reported once.
                guard [.writeFailed, .catalogInvalid].contains(error.code) else {
                    report(error)
                    try? FileManager.default.removeItem(at: file)
                    continue
                }
                if state.withLock({ $0.failing.insert(file.lastPathComponent).inserted }) { report(error) }
                continue
            }
            try? FileManager.default.removeItem(at: file)
        }
        let audio = finder.repeats
        state.withLock { state in
            let offered = audio.map { audio in
                RepeatCandidate(audio, clip: state.dropped.contains(audio.id) ? nil : clip(of: audio, state.shelf))
            }
            guard offered != state.offered || !FileManager.default.fileExists(atPath: folder.offeredURL.path) else {
                return
            }
            state.offered = limited(offered, &state.dropped)
            attempt {
                let bytes = [UInt8](try PlaylogJSON.encode(state.offered, isPretty: true))
                try AtomicFile.write(bytes, to: folder.offeredURL, replacing: true)
            }
        }
    }

    private func carryOut(_ order: RepeatOrder) throws(EarshotError) {
        guard !order.isDismissed else { return try finder.dismiss(order.id) }
        var properties: [MediaItemKey: PropertyValue] = [.title: .string(order.title ?? order.id)]
        properties[.artist] = order.artist.map { .string($0) }
        properties["kind"] = order.kind.map { .string($0) }
        let item = try MediaItem(properties: properties)
        // The reference is added to the catalog first. If the finder then fails and the instruction is repeated, it
        // replaces the same reference.
        guard let audio = finder.repeats.first(where: { $0.id == order.id }) else {
            throw EarshotError(.entityNotFound, "There is no candidate \(order.id) any more: list the current ones.")
        }
        var catalog = try folder.catalog()
        let id = ReferenceID(order.id)
        if catalog.contains(id) { try catalog.remove(id) }
        try catalog.add(audio.signature, representing: [item], id: id)
        try catalog.write(to: folder.catalogURL, replacing: true)
        onNamed.withLock { $0 }?(catalog)
        _ = try finder.name(order.id, item)
    }

    // MARK: - Recordings

    /// Returns the path of the recording of a repeat, made from its latest occurrence whose audio is still stored;
    /// `nil` if there is none.
    private func clip(of audio: RepeatedAudio, _ shelf: ClipStore) -> String? {
        let name = "\(audio.id).wav"
        let url = folder.clips.appendingPathComponent(name)
        if FileManager.default.fileExists(atPath: url.path) { return "clips/\(name)" }
        for occurrence in audio.occurrences.suffix(20).reversed() {
            guard let samples = shelf.cut(occurrence.start..<occurrence.end, of: occurrence.channel) else { continue }
            try? FileManager.default.createDirectory(at: folder.clips, withIntermediateDirectories: true)
            attempt { try AtomicFile.write([UInt8](ClipStore.wave(samples)), to: url, replacing: true) }
            return "clips/\(name)"
        }
        return nil
    }

    /// Removes the recordings of audio that is no longer offered, and those of lowest weight beyond the limit on the
    /// disk.
    private func limited(_ offered: [RepeatCandidate], _ dropped: inout Set<String>) -> [RepeatCandidate] {
        var offered = offered
        var left = options.clipBytes
        var kept: Set<String> = []
        for index in offered.indices {
            guard let clip = offered[index].clip else { continue }
            let path = folder.url.appendingPathComponent(clip).path
            let size = ((try? FileManager.default.attributesOfItem(atPath: path)[.size]) as? Int) ?? 0
            if size <= left {
                left -= size
                kept.insert(String(clip.dropFirst("clips/".count)))
            } else {
                offered[index].clip = nil
                dropped.insert(offered[index].id)
            }
        }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.clips.path)) ?? []
        where !kept.contains(name) {
            try? FileManager.default.removeItem(at: folder.clips.appendingPathComponent(name))
        }
        return offered
    }
}
