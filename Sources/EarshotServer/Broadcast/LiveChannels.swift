import EarshotAPI
import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotNodes
import EarshotRecognition
import EarshotSignatures
import EarshotStations
import Foundation
import Logging
import Synchronization

/// The last hours of the channels that are fed to a service, stored in its folder. If nodes share the channels, each node follows the chunks
/// that all of them receive, and has an index of its own.
final class LiveChannels: Sendable {
    let index: LiveIndex
    /// Follows the chunks that all nodes receive; `nil` for the only node.
    let follower: LiveChannelFollower?
    private let folder: URL
    /// `true` if chunks came since the index was last written.
    private let hasChanged = Mutex(false)

    /// The most channels that are fed to a service.
    private static let channelLimit = LiveIndex.Options().channelLimit

    /// Restores the channels of a service's folder.
    ///
    /// - Parameters:
    ///   - folder: The service's data.
    ///   - hours: The number of hours of each channel that are kept.
    ///   - shared: The store that nodes share; `nil` for the only node.
    ///   - now: The time.
    ///   - logger: Logs the parts that could not be read.
    init(
        folder: URL,
        hours: Int,
        shared: (any LiveChannelStore)? = nil,
        now: @escaping @Sendable () -> Date,
        logger: Logger,
        clock: MediaClock = .system
    ) {
        self.folder = folder.appendingPathComponent("live")
        var options = LiveIndex.Options(retention: MediaTime(value: Int64(hours) * 3_600, timescale: 1))
        // The store enforces the limit. A channel that has expired there may still be in this index.
        if shared != nil { options.channelLimit = .max }
        let (index, notes) = LiveIndex.restore(from: self.folder, options: options, now: now())
        for note in notes { logger.warning("A part of the live channels is left out", metadata: ["reason": "\(note)"]) }
        self.index = index
        // If parts of the folder could not be read, the store's log is read from its beginning: it still has them.
        let isWhole = notes.isEmpty && !index.channels.isEmpty
        let position = isWhole ? Self.position(in: self.folder) : nil
        follower = shared.map { store in
            LiveChannelFollower(store, index: index, from: position, now: now, logger: logger, clock: clock)
        }
    }

    /// Returns the positions of a recording on the channels, best first. Blocks for some milliseconds.
    ///
    /// - Parameters:
    ///   - signature: The recording.
    ///   - heard: The time at which its last sample was heard.
    /// - Throws: The errors of the index.
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

    /// Adds chunks of a channel. When this returns, they can be found.
    ///
    /// - Returns: The numbers of chunks that were added, and of those that were known or too old.
    /// - Throws: `requestInvalid` for an invalid channel or chunk; the chunks before it are added. `storeUnavailable` if the shared store cannot be
    ///   reached.
    func take(
        _ chunks: [LiveChunk],
        of channel: EntityID<BroadcastChannel>,
        now: Date
    ) async throws(EarshotError) -> (taken: Int, passed: Int) {
        guard let follower else {
            var taken = 0
            for chunk in chunks {
                switch try index.append(chunk, channel: channel, now: now) {
                case .taken, .trimmed:
                    taken += 1
                    hasChanged.withLock { $0 = true }
                case .known, .expired: break
                }
            }
            return (taken, chunks.count - taken)
        }
        var admitted: [LiveChunk] = []
        var failure: EarshotError?
        do throws(EarshotError) {
            for chunk in chunks where try index.admits(chunk, channel: channel, now: now) { admitted.append(chunk) }
        } catch {
            failure = error
        }
        var taken = 0
        if !admitted.isEmpty {
            let kept = try await follower.store.append(
                admitted.map {
                    LiveChannelChunk(start: $0.span.lowerBound, end: $0.span.upperBound, signature: $0.signature.data)
                },
                to: channel.rawValue,
                channelLimit: Self.channelLimit
            )
            taken = kept.count { $0 }
            // All nodes read the chunks soon, this one at once. If the store fails right now, the follower reads them later.
            if taken > 0 { try? await follower.refresh() }
        }
        if let failure { throw failure }
        return (taken, chunks.count - taken)
    }

    // MARK: - Keeping

    private static func positionURL(in folder: URL) -> URL { folder.appendingPathComponent("position.json") }

    /// Returns the position up to which the shared log was read when the index was last written; `nil` if it is not known.
    private static func position(in folder: URL) -> LiveChannelFollower.Position? {
        let data = FileManager.default.contents(atPath: positionURL(in: folder).path)
        return data.flatMap { try? JSONDecoder().decode(LiveChannelFollower.Position.self, from: $0) }
    }

    /// Removes expired chunks from the shared store, if no other node does.
    ///
    /// - Throws: `storeUnavailable`.
    func removeExpired(_ leases: LeaseKeeper) async throws(EarshotError) {
        guard let store = follower?.store else { return }
        let seconds = index.options.retention.seconds
        _ = try await leases.run("live-channels") { _ async throws(EarshotError) in
            try await store.remove(olderThan: seconds)
        }
    }

    /// Writes the index into the folder, if it has changed since the last time. Blocks.
    ///
    /// - Throws: `writeFailed`.
    func keep() throws(EarshotError) {
        // Read before the index is written: chunks that come in between are read again after a restart, which changes nothing.
        let position = follower?.position
        if follower?.takeChanges() == true { hasChanged.withLock { $0 = true } }
        let isNew = hasChanged.withLock { changed in
            defer { changed = false }
            return changed
        }
        guard isNew else { return }
        do {
            try index.write(to: folder)
            if let position, let data = try? JSONEncoder().encode(position) {
                try AtomicFile.write([UInt8](data), to: Self.positionURL(in: folder), replacing: true)
            }
        } catch {
            hasChanged.withLock { $0 = true }
            throw error
        }
    }

    /// Receives the live feed of one channel.
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

        /// `true` if chunks were added.
        var hasTaken: Bool { record.taken > 0 }

        /// Processes the next bytes of the feed.
        ///
        /// - Throws: `requestInvalid` for bytes that are no feed of the channel, `storeUnavailable`.
        mutating func take(_ bytes: some Sequence<UInt8>, now: Date) async throws(EarshotError) {
            reader.append(bytes)
            var chunks: [LiveChunk] = []
            var failure: EarshotError?
            do throws(EarshotError) {
                while let chunk = try reader.next() {
                    guard reader.channel == channel else {
                        throw EarshotError(
                            .requestInvalid,
                            "The feed is of the channel \(reader.channel?.rawValue.prefix(80) ?? ""), and the path names another: correct one of them."
                        )
                    }
                    chunks.append(chunk)
                }
            } catch {
                failure = error
            }
            let (taken, passed) = try await live.take(chunks, of: channel, now: now)
            (record.taken, record.passed) = (record.taken + taken, record.passed + passed)
            if let failure { throw failure }
        }

        /// Ends the feed and returns the outcome of its chunks.
        ///
        /// - Throws: `requestInvalid` if the last record is cut short.
        mutating func finish() throws(EarshotError) -> LiveFeedRecord {
            try reader.finish()
            record.end = live.index.channels.first { $0.id == channel }?.end
            return record
        }
    }
}
