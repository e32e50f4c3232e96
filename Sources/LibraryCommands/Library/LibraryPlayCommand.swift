import ArgumentParser
import CommandKit
import Earshot
import EarshotIngest
import EarshotLibrary
import EarshotMusic
import Foundation

struct LibraryPlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Play what a typed or spoken command means, through the system's output or a Music Player Daemon.",
        discussion: """
            The commands are those of `library find`. A track plays on its album, and the album goes on behind it. Where it is not clear \
            what is meant, nothing plays and the candidates are listed. In their place --matching names a recording: the song that a \
            catalog recognizes in it plays from the part that was heard.

            With --player the songs are those of a Music Player Daemon (MPD), which plays them: they are added at the end of its queue. \
            Ctrl-C ends the command, and the daemon plays on.

            On a terminal, the position is shown, and these keys are taken: space pauses and resumes, ← and → go 5 s back and on, \
            p and n go to the previous and the next song, q stops and ends.

            EXAMPLES
              earshot library play "play album moondance"
              earshot library play hello goodbye --device alsa:hw:0 --at 1:15
              earshot library play warm ink --player mpd://localhost:6600
              earshot library play --matching clip.wav --catalog music.earcat --player /run/mpd/socket --jsonl

            Exit status 3: nothing is found, or it is not clear what is meant.
            """
    )

    @Argument(help: "The command; several words need no quotes.")
    var words: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Play through this: a system (\(OutputDevice.System.allCases.map(\.rawValue).joined(separator: ", "))), and what it calls the device.",
            valueName: "system[:device]"
        )
    )
    var device: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Play songs of a Music Player Daemon: mpd://HOST:PORT, mpd://PASSWORD@HOST, or the path of its socket.",
            valueName: "address"
        )
    )
    var player: String?

    @Option(name: .long, help: "Begin the first song at this time: seconds, or m:ss.")
    var at: TimeArgument?

    @Option(name: .long, help: "Play the song that this recording is a part of.", completion: .file())
    var matching: String?

    @OptionGroup var catalog: CatalogOption

    @Flag(name: .long, help: "Print one JSON object a line: each change, and the position once a second.")
    var jsonl = false

    @OptionGroup var known: KnownItems

    private var output: OutputDevice? {
        get throws {
            guard let device else { return nil }
            let parts = device.split(separator: ":", maxSplits: 1).map(String.init)
            guard let system = parts.first.flatMap(OutputDevice.System.init(rawValue:)) else {
                let systems = OutputDevice.System.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("There is no sound system \"\(device)\": choose of \(systems).")
            }
            return OutputDevice(id: parts.count > 1 ? parts[1] : nil, system: system)
        }
    }

    private var daemon: MPDPlayer? {
        get throws {
            do throws(EarshotError) {
                return try player.map { address throws(EarshotError) in MPDPlayer(try MPDAddress(address)) }
            } catch {
                throw ValidationError(error.message)
            }
        }
    }

    func validate() throws {
        _ = try output
        _ = try daemon
        guard words.isEmpty != (matching == nil) else {
            throw ValidationError("Say what to play, or name a recording with --matching: one of both.")
        }
        guard matching != nil || catalog.path == nil else {
            throw ValidationError("--catalog is of recordings: name one with --matching.")
        }
        guard player == nil || device == nil && known.folders.isEmpty && known.database.database == nil else {
            throw ValidationError(
                "--player has songs and an output of its own: leave --device, --in and --database out."
            )
        }
    }

    func run() async throws {
        let daemon = try daemon
        let items = if let daemon { try await daemon.items() } else { try await known.items() }
        let index = LibraryIndex(items)
        let (choice, time) = if let matching { try await matched(matching, in: index) } else { try named(in: index) }
        let interruption = Interruption(
            daemon == nil ? "Stopped." : "The player plays on: stop it with `mpc stop`."
        )
        defer { _ = interruption }
        var queue = PlayQueue()
        queue.play(choice, in: index)
        let player: any MusicPlayer = try daemon ?? LibraryPlayer(through: AudioOutput(output))
        try await player.play(queue.items, at: queue.position ?? 0, from: at?.time ?? time)
        guard try await PlayDisplay(player, printsJSON: jsonl).follow() else { throw ExitCode(1) }
    }

    /// The candidate that the words mean.
    private func named(in index: LibraryIndex) throws -> (LibraryCandidate, MediaTime) {
        let text = words.joined(separator: " ")
        // A name alone is a command too.
        let command = try (try? LibraryCommand(text)) ?? LibraryCommand("play \(text)")
        guard command.name != nil else {
            throw ValidationError("\"\(text)\" names no music: say for example \"play album moondance\".")
        }
        let resolution = CommandResolver(index).resolve(command)
        guard let choice = resolution.choice else {
            for candidate in resolution.candidates { Terminal.print(Terminal.shown(candidate.name)) }
            Terminal.printError(
                resolution.candidates.isEmpty
                    ? player == nil
                        ? "Nothing is called so: see `earshot library list`."
                        : "The player has nothing that is called so: see `mpc listall`."
                    : "It is not clear which of these is meant: say more of its name."
            )
            throw ExitCode(3)
        }
        return (choice, .zero)
    }

    /// The song of the library that a recording is a part of, and the time at which the part begins.
    private func matched(_ clip: String, in index: LibraryIndex) async throws -> (LibraryCandidate, MediaTime) {
        let catalog = try self.catalog.open()
        let audio = try await Clip.audio(clip, spectrogram: .all, onCut: RecordingSearch.noteCut)
        let signature = try audio.recognizable(named: clip, atLeast: catalog.queryLimits.minimum)
        let plays = try RecordingSearch.plays(in: signature, named: clip, catalog: catalog)
        guard let play = plays.bestPerReference().first else {
            Terminal.printError("\(clip) is nothing that the catalog has.")
            throw ExitCode(3)
        }
        guard let item = play.items.first, let title = item.title,
            let choice = Self.song(titled: title, by: item.artist, in: index)
        else {
            let name = play.items.first.flatMap { $0.title }.map { "\"\($0)\"" } ?? play.id.rawValue
            Terminal.printError("\(clip) is \(name), which the library does not have by its title and artist.")
            throw ExitCode(3)
        }
        return (choice, max(play.placement.referenceRange.lowerBound, .zero))
    }

    /// The song of a title and an artist. Of several with both, which are one recording on several albums, the first.
    static func song(titled title: String, by artist: String?, in index: LibraryIndex) -> LibraryCandidate? {
        let resolution = CommandResolver(index).resolve(.playTrack(title))
        let key = artist.map { SearchText($0).folded }
        return resolution.candidates.first { candidate in
            guard candidate.reason.isWhole, case .track(let item) = candidate.subject else { return false }
            return key == nil || item.artist.map { SearchText($0).folded } == key
        } ?? (key == nil ? resolution.choice : nil)
    }
}
