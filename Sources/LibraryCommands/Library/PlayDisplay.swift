import CommandKit
import EarshotCore
import EarshotIngest
import EarshotLibrary
import Foundation

/// Follows a player until it stops: prints what it plays and where it is, and passes the keys of a terminal on.
struct PlayDisplay {
    /// The status of a player as JSON. Times are in seconds; members that are not known are left out.
    struct Record: Encodable {
        let state: String
        let item: MusicItem?
        let position, duration: Double?
        let error: ErrorRecord?

        init(_ status: MusicPlayerStatus) {
            (state, item) = (status.state.rawValue, status.item)
            (position, duration) = (status.position?.seconds, status.duration?.seconds)
            error = status.failure.map(ErrorRecord.init)
        }
    }

    /// The way that an arrow key goes.
    private static let step = MediaTime(value: 5, timescale: 1)

    private let player: any MusicPlayer
    private let printsJSON: Bool

    init(_ player: any MusicPlayer, printsJSON: Bool) {
        (self.player, self.printsJSON) = (player, printsJSON)
    }

    /// Follows the player.
    ///
    /// - Returns: `false` if a song could not be played.
    /// - Throws: The errors of the player.
    func follow() async throws -> Bool {
        let input = KeyInput()
        let player = player
        let control = input.map { input in
            let keys = input.keys
            return Task { for await key in keys { await Self.press(key, on: player) } }
        }
        defer {
            control?.cancel()
            Terminal.clearProgress()
            withExtendedLifetime(input) {}
        }
        var last: MusicPlayerStatus?
        var hasFailed = false
        for try await status in player.statuses() {
            if let failure = status.failure, failure.message != last?.failure?.message {
                hasFailed = true
                Terminal.clearProgress()
                Terminal.printError(failure.message)
            }
            show(status, after: last)
            last = status
            if status.state == .stopped { break }
            // None of the others would be heard either.
            if status.failure?.code == .deviceUnavailable {
                try await player.stop()
                break
            }
        }
        return !hasFailed
    }

    private func show(_ status: MusicPlayerStatus, after last: MusicPlayerStatus?) {
        if printsJSON {
            if Self.isWorthALine(status, after: last), let line = try? JSON.line(Record(status)) {
                Terminal.print(line)
            }
            return
        }
        if let item = status.item, item.id != last?.item?.id {
            Terminal.clearProgress()
            let name = [item.artist, item.title ?? item.fileTitle ?? item.id.rawValue].compactMap(\.self)
            Terminal.print(Terminal.shown(name.joined(separator: " – ")))
        }
        guard let position = status.position else { return }
        let part = status.duration.flatMap { $0 > .zero ? position.seconds / $0.seconds : nil }
        Terminal.draw(part, Self.figures(status))
    }

    /// Says that a status is another one than before, or that a second has passed in it.
    static func isWorthALine(_ status: MusicPlayerStatus, after last: MusicPlayerStatus?) -> Bool {
        guard let last else { return true }
        return status.state != last.state || status.item?.id != last.item?.id
            || status.failure?.message != last.failure?.message || status.position?.label != last.position?.label
    }

    /// The position as a person reads it: `01:03 / 04:00`.
    static func figures(_ status: MusicPlayerStatus) -> String {
        let times = [status.position, status.duration].compactMap(\.self).map(\.label).joined(separator: " / ")
        return status.state == .paused ? "\(times)  paused" : times
    }

    private static func press(_ key: Key, on player: any MusicPlayer) async {
        do throws(EarshotError) {
            switch key {
            case .left: try await player.seek(by: .zero - step)
            case .right: try await player.seek(by: step)
            case .character(" "):
                let state = try await player.status().state
                if state == .paused { try await player.resume() } else { try await player.pause() }
            case .character("n"): try await player.next()
            case .character("p"): try await player.previous()
            case .character("q"): try await player.stop()
            default: break
            }
        } catch {
            Terminal.clearProgress()
            Terminal.printError(error.message)
        }
    }
}
