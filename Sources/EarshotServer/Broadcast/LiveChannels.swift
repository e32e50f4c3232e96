import EarshotAPI
import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition
import EarshotSignatures
import EarshotStations
import Foundation
import Logging
import Synchronization

/// The last hours of the channels that are fed to a service, kept in its folder.
final class LiveChannels: Sendable {
    let index: LiveIndex
    private let folder: URL
    /// Whether pieces came since the index was last written.
    private let hasChanged = Mutex(false)

    /// - Parameters:
    ///   - folder: The service's data.
    ///   - hours: How many hours of each channel are kept.
    ///   - now: The instant.
    ///   - logger: Told what could not be read.
    init(folder: URL, hours: Int, now: Date, logger: Logger) {
        self.folder = folder.appendingPathComponent("live")
        let options = LiveIndex.Options(retention: MediaTime(value: Int64(hours) * 3_600, timescale: 1))
        let (index, notes) = LiveIndex.restore(from: self.folder, options: options, now: now)
        for note in notes { logger.warning("A part of the live channels is left out", metadata: ["reason": "\(note)"]) }
        self.index = index
    }

    /// Where a recording was heard on the channels, best first. Blocks for some milliseconds.
    ///
    /// - Parameters:
    ///   - signature: The recording.
    ///   - heard: The instant at which its last sample was heard.
    /// - Throws: What the index throws.
    func places(of signature: Signature, heard: Date) throws(EarshotError) -> [BroadcastSources.ChannelPosition] {
        guard !index.channels.isEmpty else { return [] }
        let longest = index.options.longestQuery
        let shortest = QueryLimits.standard.minimum
        let slices =
            signature.duration > longest
            ? Array(signature.slices(duration: longest)) : [signature.slice(from: .zero, duration: longest)]
        for slice in slices where slice.signature.duration >= shortest && !slice.signature.isEmpty {
            let behind = (signature.duration - slice.offset - slice.signature.duration).seconds
            let matches = try index.lookup(slice.signature, now: heard.addingTimeInterval(-behind))
            guard !matches.isEmpty else { continue }
            return matches.map { match in
                BroadcastSources.ChannelPosition(
                    channel: match.channel,
                    broadcast: match.broadcast.addingTimeInterval(-slice.offset.seconds * match.speed),
                    behindLive: match.behindLive.seconds
                )
            }
        }
        return []
    }

    /// Writes what came since the last time. Blocks.
    ///
    /// - Throws: `writeFailed`.
    func keep() throws(EarshotError) {
        let isNew = hasChanged.withLock { changed in
            defer { changed = false }
            return changed
        }
        guard isNew else { return }
        do {
            try index.write(to: folder)
        } catch {
            hasChanged.withLock { $0 = true }
            throw error
        }
    }

    /// Takes the feed of one channel.
    struct Intake {
        private let channel: EntityID<BroadcastChannel>
        private let live: LiveChannels
        private var reader: LiveFeedReader
        private var record: LiveFeedRecord

        init(channel: EntityID<BroadcastChannel>, live: LiveChannels) {
            self.channel = channel
            self.live = live
            reader = LiveFeedReader(name: "The feed of \(channel.rawValue.prefix(80))")
            record = LiveFeedRecord(channel: channel.rawValue, taken: 0, passed: 0, end: nil)
        }

        /// Whether pieces were taken.
        var hasTaken: Bool { record.taken > 0 }

        /// Takes bytes as they come.
        ///
        /// - Throws: `requestInvalid` for what is no feed of the channel.
        mutating func take(_ bytes: some Sequence<UInt8>, now: Date) throws(EarshotError) {
            reader.append(bytes)
            while let piece = try reader.next() {
                guard reader.channel == channel else {
                    throw EarshotError(
                        .requestInvalid,
                        "The feed is of channel \(reader.channel?.rawValue.prefix(80) ?? ""), and the path names another: correct one of them."
                    )
                }
                switch try live.index.append(piece, channel: channel, now: now) {
                case .taken, .trimmed:
                    record.taken += 1
                    live.hasChanged.withLock { $0 = true }
                case .known, .expired: record.passed += 1
                }
            }
        }

        /// What became of the pieces, when the feed has ended.
        ///
        /// - Throws: `requestInvalid` when its last record is cut short.
        mutating func finish() throws(EarshotError) -> LiveFeedRecord {
            try reader.finish()
            record.end = live.index.channels.first { $0.id == channel }?.end
            return record
        }
    }
}
