import EarshotCore
import EarshotLibrary
import Foundation
import TestSupport
import Testing

@testable import CommandKit
@testable import LibraryCommands

@Suite("earshot library play: players", .timeLimit(.minutes(2)))
struct PlayerCommandTests {
    private static let song = Recordings.samples.appendingPathComponent("Music/warm-ink.ogg")

    private func play(_ arguments: [String]) async throws -> Tool.Outcome {
        try await Workshop.earshot.run(["library", "play"] + arguments)
    }

    @Test(
        "a song of a daemon plays from a time on to its end, and each second is a line of JSON",
        .enabled(if: MusicPlayerDaemon.program != nil, "MPD is not installed (Debian: mpd)")
    )
    func lines() async throws {
        try await MusicPlayerDaemon.run([Self.song]) { daemon in
            let outcome = try await play(["warm", "ink", "--player", daemon.socket, "--at", "1:19", "--jsonl"])
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
            let lines = try outcome.output.split(separator: "\n").map { try Document(String($0)) }
            let first = try #require(lines.first)
            #expect(first["state"] as? String == "playing" && first["item", "title"] as? String == "Warm Ink")
            #expect(first["duration"] as? Double == 80)
            #expect(try #require(first["position"] as? Double) >= 79)
            #expect(lines.last?["state"] as? String == "stopped" && lines.last?["item"] == nil)
            let none = try await play(["nothing at all", "--player", "mpd://\(daemon.socket)"])
            #expect(none.status == 3 && none.errors.contains("player"), "\(none.errors)")
        }
    }

    @Test(
        "what is recognized in a recording plays in a daemon from the part that was heard",
        .enabled(if: MusicPlayerDaemon.program != nil, "MPD is not installed (Debian: mpd)")
    )
    func matching() async throws {
        try await withTemporaryFolder { folder in
            let music = folder.appendingPathComponent("music")
            try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: Self.song, to: music.appendingPathComponent("warm-ink.ogg"))
            let catalog = folder.appendingPathComponent("music.earcat").path
            let made = try await Workshop.earshot.run(["catalog", "create", music.path, "-o", catalog])
            #expect(made.status == 0, "\(made.errors)")
            let clip = folder.appendingPathComponent("clip.wav")
            try Recordings.wave(try await Recordings.audio(Self.song, seconds: 40..<50)).write(to: clip)
            let foreign = try await Workshop.shared().foreign.path
            try await MusicPlayerDaemon.run([Self.song]) { daemon in
                let arguments = ["--catalog", catalog, "--player", daemon.socket, "--jsonl", "--matching"]
                async let outcome = play(arguments + [clip.path])
                let player = MPDPlayer(try MPDAddress(daemon.socket))
                for try await status in player.statuses() where status.state == .playing { break }
                // Whoever stops the daemon ends the command too.
                try await player.stop()
                let ended = try await outcome
                #expect(ended.status == 0, "\(ended.errors)")
                let first = try Document(try #require(ended.output.split(separator: "\n").map(String.init).first))
                if first["state"] as? String == "playing" {
                    #expect(try #require(first["position"] as? Double) > 39)
                }
                let unknown = try await play(arguments + [foreign])
                #expect(unknown.status == 3 && unknown.errors.contains("nothing that the catalog has"))
            }
        }
    }

    @Test("a daemon that is not there is named, and arguments that do not fit are refused")
    func refused() async throws {
        let absent = try await play(["x", "--player", "/nowhere/socket"])
        #expect(absent.status == 1 && absent.errors.contains("mpd:///nowhere/socket"), "\(absent.errors)")
        #expect(absent.errors.contains("start MPD"))
        for arguments in [
            ["x", "--player", "localhost"], ["x", "--player", "/s", "--device", "alsa"], [],
            ["x", "--matching", "y.wav"],
            ["x", "--player", "/s", "--in", "/"], ["x", "--catalog", "y.earcat"], ["x", "--at", "soon"],
        ] {
            let outcome = try await play(arguments)
            #expect(outcome.status == 2, "\(arguments) \(outcome.errors)")
        }
    }

    @Test("the song of a title and an artist is found, whatever its letters, and no other")
    func songs() {
        func item(_ id: String, _ title: String, _ artist: String?) -> MusicItem {
            MusicItem(id: ItemID(rawValue: id), title: title, artist: artist)
        }
        let index = LibraryIndex([
            item("1", "Hello", "Adele"), item("2", "Hello", "Beyoncé"), item("3", "Halo", "Beyoncé"),
            item("4", "Ink", nil),
        ])
        func found(_ title: String, _ artist: String?) -> String? {
            guard case .track(let item) = LibraryPlayCommand.song(titled: title, by: artist, in: index)?.subject else {
                return nil
            }
            return item.id.rawValue
        }
        #expect(found("HELLO", "beyonce") == "2")
        #expect(found("Hello", "Adele") == "1")
        #expect(found("Hello", "Somebody") == nil)
        #expect(found("Ink", nil) == "4" && found("Nothing", nil) == nil)
    }

    @Test("a line is printed for each change and each second")
    func display() {
        func status(_ state: MusicPlayerStatus.State, _ tenths: Int64) -> MusicPlayerStatus {
            let item = MusicItem(id: ItemID(rawValue: "1"), title: "Song")
            let end = MediaTime(value: 240, timescale: 1)
            return MusicPlayerStatus(
                state,
                item: item,
                position: MediaTime(value: tenths, timescale: 10),
                duration: end
            )
        }
        #expect(PlayDisplay.figures(status(.playing, 634)) == "01:03 / 04:00")
        #expect(PlayDisplay.figures(status(.paused, 634)) == "01:03 / 04:00  paused")
        #expect(PlayDisplay.isWorthALine(status(.playing, 634), after: nil))
        #expect(!PlayDisplay.isWorthALine(status(.playing, 638), after: status(.playing, 634)))
        #expect(PlayDisplay.isWorthALine(status(.playing, 640), after: status(.playing, 638)))
        #expect(PlayDisplay.isWorthALine(status(.paused, 638), after: status(.playing, 638)))
        #expect(PlayDisplay.isWorthALine(MusicPlayerStatus(.stopped), after: status(.playing, 638)))
    }

    @Test("keys are decoded however their bytes are cut, and unknown ones are left out")
    func keys() {
        let bytes = Array(" n\u{1B}[C\u{1B}OD\u{1B}[1;5A\u{1B}[3~\u{1B}[B\u{1B}xq\r\u{7F}é\u{1B}\u{1B}[D".utf8)
        let keys: [Key] = [
            .character(" "), .character("n"), .right, .left, .up, .down, .character("q"), .left,
        ]
        var whole = KeyDecoder()
        #expect(whole.append(bytes) == keys)
        var one = KeyDecoder()
        #expect(bytes.flatMap { one.append([$0]) } == keys)
    }
}
