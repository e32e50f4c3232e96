import ArgumentParser
import CommandKit
import EarshotCore
import EarshotLibrary
import EarshotMedia
import Foundation

struct LibraryPlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Play what a typed or spoken command means, through the system's output.",
        discussion: """
            The commands are those of `library find`. A track plays on its album, and the album goes on behind it. Where it is not clear \
            what is meant, nothing plays and the candidates are listed. Ctrl-C ends it.

            EXAMPLES
              earshot library play "play album moondance"
              earshot library play hello goodbye --device alsa:hw:0

            Exit status 3: nothing is found, or it is not clear what is meant.
            """
    )

    @Argument(help: "The command; several words need no quotes.")
    var words: [String]

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Play through this: a system (\(OutputDevice.System.allCases.map(\.rawValue).joined(separator: ", "))), and what it calls the device.",
            valueName: "system[:device]"
        )
    )
    var device: String?

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

    func validate() throws {
        _ = try output
    }

    func run() async throws {
        let text = words.joined(separator: " ")
        let index = LibraryIndex(try await known.items())
        let resolver = CommandResolver(index)
        // A name alone is a command too.
        let command =
            try (try? LibraryCommand(text)) ?? LibraryCommand("play \(text)")
        guard command.name != nil else {
            throw ValidationError("\"\(text)\" names no music: say for example \"play album moondance\".")
        }
        let resolution = resolver.resolve(command)
        guard let choice = resolution.choice else {
            for candidate in resolution.candidates { Terminal.print(Terminal.shown(candidate.name)) }
            Terminal.printError(
                resolution.candidates.isEmpty
                    ? "Nothing is called so: see `earshot library list`."
                    : "It is not clear which of these is meant: say more of its name."
            )
            throw ExitCode(3)
        }
        let interruption = Interruption("Stopped.")
        defer { _ = interruption }
        let player = LibraryPlayer(through: AudioOutput(try output))
        await player.play(choice, in: index)
        var hasFailed = false
        events: for await event in player.events {
            switch event {
            case .queue(.began(let item)):
                Terminal.print(
                    Terminal.shown(
                        [item.artist, item.title ?? item.id.rawValue].compactMap(\.self).joined(separator: " – ")
                    )
                )
            case .queue(.contextChanged), .heard: break
            case .failed(_, let error):
                hasFailed = true
                Terminal.printError(error.message)
                // None of the others would be heard either.
                if error.code == .deviceUnavailable { break events }
            case .queue(.ended), .stopped: break events
            }
        }
        await player.stop()
        if hasFailed { throw ExitCode(1) }
    }
}
