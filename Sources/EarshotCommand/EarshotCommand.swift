import ArgumentParser
import CommandKit
import EarshotCore
import Foundation
import RecognitionCommands

#if Library
    import LibraryCommands
#endif
#if Service
    import ServiceCommands
#endif

/// The `earshot` command.
@main
struct EarshotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "earshot",
        abstract: "Recognize recordings: make catalogs of signatures and find audio in them.",
        discussion: """
            EXAMPLES
              earshot catalog create ~/Music -o music.earcat     make a catalog of a folder
              earshot identify clip.wav --catalog music.earcat   say what a recording is
              earshot tracklist mix.flac --catalog music.earcat  list what a long recording is made of
              earshot listen --catalog music.earcat              say what the microphone hears, and where it is
              earshot plot clip.wav --catalog music.earcat -o clip.png   see why
              earshot --generate-completion-script bash          completions for a shell

            Exit status: 0 done, 1 failed, 2 wrong usage, 3 nothing matched, 4 the destination exists.
            """,
        version: CommandVersion.report,
        groupedSubcommands: groups
    )

    /// The subcommands of this build; ``LeftOutCommand`` knows the others.
    private static var groups: [CommandGroup] {
        var rest: [CommandGroup] = []
        var broadcast: [any ParsableCommand.Type] = []
        #if Library
            broadcast += LibraryCommands.broadcast
            rest.append(CommandGroup(name: "Library", subcommands: LibraryCommands.library))
            rest.append(CommandGroup(name: "Music data", subcommands: LibraryCommands.music))
        #endif
        #if Service
            broadcast = ServiceCommands.broadcast + broadcast
            rest.append(CommandGroup(name: "Service", subcommands: ServiceCommands.service))
            rest.append(CommandGroup(name: "Pieces", subcommands: ServiceCommands.pieces))
        #endif
        if !broadcast.isEmpty { rest.append(CommandGroup(name: "Broadcast", subcommands: broadcast)) }
        rest.append(CommandGroup(name: "Installation", subcommands: [DoctorCommand.self]))
        return [
            CommandGroup(name: "Recognize", subcommands: RecognitionCommands.recognition),
            CommandGroup(name: "Live", subcommands: RecognitionCommands.live),
            CommandGroup(name: "Files", subcommands: RecognitionCommands.files),
        ] + rest
    }

    static func main() async {
        // A reader that goes away is told by the failing write.
        signal(SIGPIPE, SIG_IGN)
        #if Service
            // While there is one thread.
            ServiceCommands.confine(CommandLine.arguments)
        #endif
        var parsed: (any ParsableCommand)?
        do {
            #if Service
                if var worker = ServiceCommands.worker(CommandLine.arguments) {
                    parsed = worker
                    return try await worker.run()
                }
            #endif
            if let error = LeftOutCommand.error(CommandLine.arguments) { throw error }
            var command = try parseAsRoot()
            parsed = command
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            finish(with: error, of: parsed)
        }
    }

    /// The sentence about a failure; where an output exists, with the flag that replaces it, if the command has it.
    static func sentence(
        of error: EarshotError,
        from command: (any ParsableCommand.Type)?,
        arguments: [String] = CommandLine.arguments
    ) -> String {
        let (flag, ending) = ("--replace", ": choose another name.")
        // A library does not know what its caller offers; the help does.
        guard error.code == .destinationExists, error.message.hasSuffix(ending), !arguments.contains(flag),
            let command, helpMessage(for: command).contains(flag)
        else { return error.message }
        return error.message.dropLast() + ", or replace it with \(flag)."
    }

    /// Says in one sentence what went wrong and ends with the status that belongs to it.
    private static func finish(with error: any Error, of command: (any ParsableCommand)?) -> Never {
        switch error {
        case let error as EarshotError:
            Terminal.printError(sentence(of: error, from: command.map { type(of: $0) }))
            Foundation.exit(error.code == .destinationExists ? 4 : 1)
        case is CancellationError:
            Terminal.printError("Canceled.")
            Foundation.exit(1)
        case is ExitCode:
            exit(withError: error)
        default:
            // The parser's own: help and version go to standard output, a mistake in the arguments is status 2.
            guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
            Terminal.write(fullMessage(for: error) + "\n", to: .standardError)
            Foundation.exit(2)
        }
    }
}
