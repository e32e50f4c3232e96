import ArgumentParser
import EarshotCore
import EarshotPieces
import Foundation

struct PieceRegisterSchemeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register-scheme",
        abstract: "Have the desktop open addresses of pieces for an app.",
        discussion: """
            Addresses such as piece-sketcher://open?id=… are then opened by the program that is named behind --, which is given the \
            address as its last argument; without one by `earshot piece open`, which saves the piece in a folder.

            EXAMPLES
              earshot piece register-scheme earshot --folder ~/Music/Pieces
              earshot piece register-scheme sketcher --name Sketcher -- /opt/sketcher/bin/sketcher --open
              earshot piece register-scheme sketcher --remove
            """
    )

    @Argument(help: "The identifier of the app.")
    var application: String

    @Argument(help: "The program and its arguments.")
    var command: [String] = []

    @Option(name: .long, help: "What people call the app.")
    var name: String?

    @Option(name: .long, help: "Where pieces are saved when no program is named.", completion: .directory)
    var folder: String?

    @Flag(name: .long, help: "Take it back.")
    var remove = false

    func validate() throws {
        if remove, !command.isEmpty || folder != nil || name != nil {
            throw ValidationError("--remove goes with nothing else.")
        }
        if !command.isEmpty, folder != nil { throw ValidationError("Name a program, or a --folder, not both.") }
    }

    func run() throws {
        #if os(Linux)
            let environment = ProcessInfo.processInfo.environment
            let handler = SchemeHandler(try PieceScheme(application: application), environment: environment)
            guard !remove else {
                Console.say(
                    try handler.remove()
                        ? "Removed \(handler.entry.path)." : "\(handler.scheme.name) was not registered."
                )
                return
            }
            var command = command
            if command.isEmpty {
                let folder = folder.map { URL(fileURLWithPath: $0).path } ?? NSHomeDirectory() + "/Music/Pieces"
                command = [
                    try Self.program(), "piece", "open", "--application", handler.scheme.application, "-o", folder,
                ]
            }
            let isKnown = try handler.install(command: command, name: name ?? "Earshot (\(application))")
            Console.say("\(handler.scheme.name):// is opened by \(command[0]).")
            guard !isKnown else { return }
            Console.note(
                "The desktop could not be told: install xdg-utils and desktop-file-utils and run this again, or log in anew."
            )
        #else
            throw EarshotError(
                .setupInvalid,
                "On this system an app declares its scheme itself: add \(try PieceScheme(application: application).name) to its Info.plist."
            )
        #endif
    }

    /// This program.
    private static func program() throws -> String {
        guard let url = Bundle.main.executableURL else {
            throw EarshotError(.internalError, "The program does not know where it is: name it behind --.")
        }
        return url.resolvingSymlinksInPath().path
    }
}
