import EarshotCatalogs
public import EarshotCore
import EarshotMusic
import EarshotSignatures
public import Foundation
import Synchronization

extension LiveIndex {
    /// The suffix of the files of growing parts.
    static let openSuffix = ".earlive"

    /// Saves the index in a folder. Existing blocks are not rewritten, so it can be called every minute. The folder can
    /// be restored at any moment.
    ///
    /// - Parameter folder: The folder; created if needed. It must contain nothing else.
    /// - Throws: `writeFailed`; `catalogInvalid` if a part in a file is damaged.
    public func write(to folder: URL) throws(EarshotError) {
        let (kept, timelines) = state.withLock { ($0.blocks, $0.timelines) }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw EarshotError(
                .writeFailed,
                "Cannot make the folder \(folder.path): check that you may write there.",
                cause: error
            )
        }
        // A copy of the blocks is written, so that chunks that arrive meanwhile do not wait.
        var blocks = kept
        var names = try blocks.write(to: folder)
        for (index, (channel, timeline)) in timelines.sorted(by: { $0.key < $1.key }).enumerated() {
            let name = "open-\(index)\(Self.openSuffix)"
            names.insert(name)
            try AtomicFile.write(
                try Self.feed(timeline, channel),
                to: folder.appendingPathComponent(name),
                replacing: true
            )
        }
        // Files are removed last, so that none is removed before its successor exists.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where Self.isOurs(name) && !names.contains(name) {
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
    }

    private static func isOurs(_ name: String) -> Bool {
        CatalogBlocks.isOurs(name) || name.hasPrefix("open-") && name.hasSuffix(openSuffix)
    }

    /// Returns the growing part of a channel as a feed.
    private static func feed(_ timeline: ChannelTimeline, _ channel: String) throws(EarshotError) -> [UInt8] {
        var writer = try LiveFeedWriter(channel: EntityID(channel))
        var bytes = [UInt8](writer.header)
        let whole = Signature(
            configuration: .standard,
            duration: LiveTime.time(timeline.end - timeline.begin),
            landmarks: timeline.landmarks
        )
        let length = LiveTime.steps(MediaTime(value: 10, timescale: 1))
        var place: Int64 = 0
        while place < timeline.end - timeline.begin {
            let count = min(length, timeline.end - timeline.begin - place)
            let slice = whole.slice(from: LiveTime.time(place), duration: LiveTime.time(count))
            let piece = try LiveChunk(
                sequence: UInt64(place / length),
                milliseconds: (timeline.begin + place) * 2,
                signature: slice.signature
            )
            bytes += try writer.data(of: piece)
            place += count
        }
        return bytes
    }

    /// Restores an index from a folder. Damaged files are left out.
    ///
    /// - Parameters:
    ///   - folder: The folder; a missing one counts as empty.
    ///   - options: The retention and the sizes of parts.
    ///   - now: The current time: parts older than the retention are dropped.
    /// - Returns: The index, and a sentence for each file that was left out.
    public static func restore(
        from folder: URL,
        options: Options = Options(),
        now: Date = Date()
    ) -> (index: LiveIndex, notes: [String]) {
        let index = LiveIndex(options: options)
        var notes: [String] = []
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter(isOurs).sorted()
        index.state.withLock { state in
            let (blocks, left) = CatalogBlocks.restore(from: folder, limits: index.limits)
            state.blocks = blocks
            notes += left
            index.resumeTimelines(&state)
            for name in names where name.hasSuffix(openSuffix) {
                do {
                    try index.restoreOpen(folder.appendingPathComponent(name), &state)
                } catch {
                    notes.append("\(name) is read in part: \(error)")
                }
            }
            do {
                try index.expire(&state, now)
            } catch {
                notes.append("\(error)")
            }
        }
        return (index, notes)
    }

    /// Lets every channel continue after its last complete part.
    private func resumeTimelines(_ state: inout State) {
        for block in state.blocks.blocks {
            try? block.catalog.forEachReference { reference in
                guard let place = CatalogBlocks.place(of: reference.id) else { return }
                let part = TimelinePart(begin: place.begin, signature: reference.signature)
                state.timelines[place.channel, default: emptyTimeline].resume(behind: part.end)
            }
        }
    }

    private func restoreOpen(_ url: URL, _ state: inout State) throws(EarshotError) {
        guard let bytes = FileManager.default.contents(atPath: url.path) else {
            throw EarshotError(.requestInvalid, "\(url.path) cannot be read: check its rights.")
        }
        var reader = LiveFeedReader(name: url.lastPathComponent)
        reader.append(bytes)
        var timeline = emptyTimeline
        var failure: EarshotError?
        do {
            while let piece = try reader.next() {
                let (_, closed) = timeline.append(
                    piece.signature,
                    at: LiveTime.step(milliseconds: piece.milliseconds)
                )
                if let channel = reader.channel?.rawValue {
                    for part in closed { try state.blocks.add(part, channel: channel) }
                }
            }
            try reader.finish()
        } catch {
            failure = error
        }
        if let channel = reader.channel?.rawValue, timeline.end > state.timelines[channel]?.end ?? 0 {
            state.open[channel] = try openCatalog(timeline, channel)
            state.timelines[channel] = timeline
        }
        if let failure { throw failure }
    }
}
