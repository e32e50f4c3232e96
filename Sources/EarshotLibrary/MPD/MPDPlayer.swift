public import EarshotCore
import Foundation
import Synchronization

/// A Music Player Daemon (MPD): its library, and what it plays.
///
/// ```swift
/// let player = MPDPlayer(try MPDAddress("mpd://localhost"))
/// let songs = try await player.items()
/// try await player.play(songs, at: 0, from: MediaTime(value: 75, timescale: 1))
/// for try await status in player.statuses() { show(status) }
/// ```
///
/// It needs MPD 0.21 or later. The daemon's library is read and never changed; its queue is: songs that are played are
/// added at its end. What the daemon is set to, such as repeating, stays.
///
/// The errors of its calls are `storeUnavailable` for a daemon that cannot be reached or does not answer within 10 s,
/// `malformedResponse` for an answer that cannot be read or is too large, `libraryAccessDenied` without the password that
/// a daemon wants, `assetUnavailable` for a song that it does not have, `serviceFailure` for what else it refuses, and
/// `cancelled`.
public final class MPDPlayer: MusicLibrary, MusicPlayer {
    /// The address of the daemon.
    public let address: MPDAddress

    /// The most items that ``play(_:at:from:)`` adds to the queue.
    public static let maximumQueueCount = 1_000
    /// The most items of a library.
    public static let maximumItemCount = 1_000_000
    /// The time between two positions while something plays.
    private static let interval = MediaTime(value: 1, timescale: 4)
    /// The songs that are asked for at a time: a daemon closes a connection whose answer is too large.
    private static let pageCount = 2_000
    /// The daemon's number of a refusal because nothing plays.
    private static let nothingPlays: Set = [55]

    private let clock: MediaClock
    private let connection: MPDConnection
    /// The daemon's addresses of the songs that it told of.
    private let files = Mutex<[ItemID: String]>([:])
    /// The daemon's music folder, where that was asked for.
    private let folder = Mutex<String??>(nil)

    /// A daemon. It is asked with the first call.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - clock: The clock that limits waiting.
    public init(_ address: MPDAddress, clock: MediaClock = .system) {
        (self.address, self.clock) = (address, clock)
        connection = MPDConnection(address, clock: clock)
    }

    // MARK: - Library

    /// All songs, in the daemon's order. An item has an address if the daemon is reached through a socket of this machine.
    ///
    /// - Throws: The errors of a daemon.
    public func items() async throws(EarshotError) -> [MusicItem] {
        let folder = try await musicFolder()
        var (items, known) = ([MusicItem](), Set<ItemID>())
        var start = 0
        while true {
            let window = "\(start):\(start + Self.pageCount)"
            let songs = try await songs("find", ["(file != '')", "window", window])
            // A page may repeat songs, if the library changes meanwhile.
            for item in take(songs, folder) where known.insert(item.id).inserted { items.append(item) }
            start += Self.pageCount
            guard songs.count >= Self.pageCount else { return items }
            guard start < Self.maximumItemCount else {
                throw EarshotError(
                    .malformedResponse,
                    "The player at \(address) tells of more than \(Self.maximumItemCount) songs: ask for some with search."
                )
            }
        }
    }

    /// Songs of which any tag or the file's name contains a text, in the daemon's order; letter case does not count.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - count: The most songs; 1 to 2,000.
    /// - Throws: `requestInvalid` for an empty text, and the errors of a daemon.
    public func search(_ text: String, limit count: Int = 100) async throws(EarshotError) -> [MusicItem] {
        guard !text.isEmpty else {
            throw EarshotError(.requestInvalid, "There is nothing to search for: give a part of a name.")
        }
        let window = "0:\(min(max(1, count), Self.pageCount))"
        let songs = try await songs("search", ["any", text, "window", window])
        return take(songs, try await musicFolder())
    }

    private func songs(_ command: String, _ arguments: [String]) async throws(EarshotError) -> [MPDSong] {
        MPDSong.songs(try await connection.exchange([MPDCommand(command, arguments)]).first ?? [])
    }

    /// The items of songs, whose files are kept for playing them.
    private func take(_ songs: [MPDSong], _ folder: String?) -> [MusicItem] {
        songs.map { song in
            let item = MusicItem(song, in: folder)
            files.withLock { $0[item.id] = song.file }
            return item
        }
    }

    /// The daemon's music folder; `nil` if the daemon may be on another machine.
    private func musicFolder() async throws(EarshotError) -> String? {
        guard case .socket = address.place else { return nil }
        if let known = folder.withLock({ $0 }) { return known }
        // A daemon without a folder of its own does not know the command.
        let pairs = try await connection.exchange([MPDCommand("config")], ignoring: [4, 5])
        let found = pairs.first?.first { $0.name == "music_directory" && $0.value.hasPrefix("/") }?.value
        folder.withLock { $0 = .some(found) }
        return found
    }

    // MARK: - Playing

    /// Adds items at the end of the daemon's queue, and plays them.
    ///
    /// - Parameters:
    ///   - items: The items in order: of this library or, where the daemon is reached through a socket of this machine,
    ///     any with a file. At most ``maximumQueueCount`` are added; those that the daemon does not have are left out.
    ///   - place: The index of the first item to play.
    ///   - time: The time of the first item at which it begins.
    /// - Throws: The errors of a daemon.
    public func play(_ items: [MusicItem], at place: Int, from time: MediaTime) async throws(EarshotError) {
        guard !items.isEmpty else { return }
        let first = min(max(0, place), items.count - 1)
        var wanted = [try await file(of: items[first])]
        for item in items[first...].dropFirst().prefix(Self.maximumQueueCount - 1) {
            if let file = try? await file(of: item) { wanted.append(file) }
        }
        let added = try await connection.exchange([MPDCommand("clearerror"), MPDCommand("addid", [wanted[0]])])
        guard let id = added.last?.first(where: { $0.name == "Id" })?.value, UInt32(id) != nil else {
            throw EarshotError(
                .malformedResponse,
                "The player at \(address) does not say where in its queue the song is: restart MPD, and try again."
            )
        }
        var rest = wanted.dropFirst()
        while !rest.isEmpty {
            var commands: [MPDCommand] = []
            for file in rest.prefix(100) { commands.append(try MPDCommand("add", [file])) }
            // One that is gone by now keeps those of its list from being added, not the first from being played.
            _ = try await connection.exchange(commands, ignoring: [50])
            rest = rest.dropFirst(100)
        }
        // Seeking begins to play, except where something is paused.
        _ = try await connection.exchange([MPDCommand("seekid", [id, time.mpd]), MPDCommand("pause", ["0"])])
    }

    /// The daemon's address of an item.
    private func file(of item: MusicItem) async throws(EarshotError) -> String {
        if let known = files.withLock({ $0[item.id] }) { return known }
        if case .socket = address.place, let url = item.assetURL, url.isFileURL { return url.path }
        if files.withLock({ $0.isEmpty }) {
            _ = try await items()
            if let known = files.withLock({ $0[item.id] }) { return known }
        }
        throw EarshotError(
            .assetUnavailable,
            "\"\(item.title ?? item.id.rawValue)\" is not in the library of the player at \(address): let it read its folder "
                + "again with `mpc update`."
        )
    }

    /// Pauses. Has no effect if nothing plays.
    public func pause() async throws(EarshotError) { try await tell("pause", "1") }

    /// Resumes after ``pause()``.
    public func resume() async throws(EarshotError) { try await tell("pause", "0") }

    /// Goes to a time of the current song.
    public func seek(to time: MediaTime) async throws(EarshotError) { try await tell("seekcur", time.mpd) }

    /// Goes to the next song of the daemon's queue.
    public func next() async throws(EarshotError) { try await tell("next") }

    /// Goes to the previous song of the daemon's queue.
    public func previous() async throws(EarshotError) { try await tell("previous") }

    /// Stops playback; the daemon's queue is unchanged.
    public func stop() async throws(EarshotError) { try await tell("stop") }

    private func tell(_ command: String, _ arguments: String...) async throws(EarshotError) {
        _ = try await connection.exchange([MPDCommand(command, arguments)], ignoring: Self.nothingPlays)
    }

    // MARK: - Status

    /// The status now, whoever began to play.
    ///
    /// - Throws: The errors of a daemon.
    public func status() async throws(EarshotError) -> MusicPlayerStatus {
        let folder = try await musicFolder()
        let answer = try await connection.exchange([MPDCommand("status"), MPDCommand("currentsong")])
        let item = answer.dropFirst().first.flatMap { take(MPDSong.songs($0), folder).first }
        return MusicPlayerStatus(answer.first ?? [], item: item, of: address)
    }

    /// Returns the status now, each change that the daemon tells of, and the position four times a second while it plays.
    ///
    /// The stream throws the errors of a daemon, and ends with them.
    public func statuses() -> AsyncThrowingStream<MusicPlayerStatus, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: MusicPlayerStatus.self,
            bufferingPolicy: .bufferingNewest(64)
        )
        let watch = MPDConnection(address, clock: clock)
        let task = Task { [self] in
            do {
                // Changes are told from here on, so that none is missed between the first status and waiting.
                var time: MediaTime? = .zero
                while !Task.isCancelled {
                    _ = try await watch.waitForChange(of: ["player", "playlist"], atMost: time)
                    let status = try await status()
                    continuation.yield(status)
                    time = status.state == .playing ? Self.interval : nil
                }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}

extension MusicPlayerStatus {
    /// The status that a daemon tells of.
    ///
    /// - Parameters:
    ///   - pairs: Its answer to `status`.
    ///   - item: The current item.
    ///   - address: The address, for the message of a failure.
    init(_ pairs: [MPDDecoder.Pair], item: MusicItem?, of address: MPDAddress) {
        let values = Dictionary(pairs.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        let state: State =
            switch values["state"] {
            case "play": .playing
            case "pause": .paused
            default: .stopped
            }
        let failure = values["error"].map {
            EarshotError(
                .assetUnreadable,
                "The player at \(address) could not play a song (\($0.prefix(500))): see its log."
            )
        }
        guard state != .stopped else {
            self.init(.stopped, failure: failure)
            return
        }
        self.init(
            state,
            item: item,
            position: values["elapsed"].flatMap(MediaTime.init(mpd:)),
            duration: values["duration"].flatMap(MediaTime.init(mpd:)) ?? item?.duration,
            failure: failure
        )
    }
}
