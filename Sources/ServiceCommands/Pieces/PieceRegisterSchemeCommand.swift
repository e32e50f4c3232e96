import ArgumentParser
import CommandKit
import EarshotCore
import EarshotPieces
import Foundation

struct PieceRegisterSchemeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register-scheme",
        abstract: "Have the desktop open addresses of pieces for an app.",
        discussion: """
            Addresses such as piece-sketcher://open?id=… are then opened by the program that is named behind --, which is given the \
            address as its last argument; without one by `earshot piece open`, which saves the piece in a folder. A desktop knows nothing of \
            EARSHOT_SERVER and EARSHOT_CLIENT: what they say now, or --server and --client, is kept for it in a file that nobody else can read. \
            Private pieces are opened for who has logged in with `earshot piece login`.

            EXAMPLES
              earshot piece register-scheme earshot --folder ~/Music/Pieces --server https://pieces.example --client 12345678-ABC…
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

    @OptionGroup(title: "Service")
    var service: ServiceOptions

    @OptionGroup
    var format: JSONOption

    func validate() throws {
        let namesService = service.server != nil || service.client != nil
        if remove, !command.isEmpty || folder != nil || name != nil || namesService {
            throw ValidationError("--remove goes with nothing else.")
        }
        if !command.isEmpty, folder != nil { throw ValidationError("Name a program, or a --folder, not both.") }
        if !command.isEmpty, namesService {
            throw ValidationError("--server and --client are of `earshot piece open`: name a program, or these.")
        }
    }

    func run() throws {
        #if os(Linux)
            let environment = ProcessInfo.processInfo.environment
            let handler = SchemeHandler(try PieceScheme(application: application), environment: environment)
            guard !remove else {
                let wasThere = try handler.remove()
                return try format.print(
                    wasThere ? "Removed \(handler.entry.path)." : "\(handler.scheme.name) was not registered.",
                    ["scheme": .string(handler.scheme.name), "wasRegistered": .boolean(wasThere)]
                )
            }
            var command = command
            if let program = command.first {
                command[0] = try SchemeHandler.program(program)
            } else {
                let folder =
                    folder.map { URL(fileURLWithPath: $0) }
                    ?? UserFolders(environment: environment).home.appendingPathComponent("Music/Pieces")
                let (server, client) = try known()
                command = handler.opening(try Self.program(), server: server, client: client, folder: folder.path)
            }
            let isKnown = try handler.install(command: command, name: name ?? "Earshot (\(application))")
            try format.print(
                "\(handler.scheme.name):// is opened by \(command[0]).",
                ["scheme": .string(handler.scheme.name), "command": .array(command.map { .string($0) })]
            )
            guard !isKnown else { return }
            Terminal.note(
                "The desktop could not be told: install xdg-utils and desktop-file-utils and run this again, or log in anew."
            )
        #else
            throw EarshotError(
                .setupInvalid,
                "On this system an app declares its scheme itself: add \(try PieceScheme(application: application).name) to its Info.plist."
            )
        #endif
    }

    /// The service that pieces are opened from, and what it is asked with.
    private func known() throws -> (server: String, client: String) {
        // All that `earshot piece open` would say of them is said now.
        _ = try service.connect()
        guard let server = service.address, let client = service.identifier else {
            throw EarshotError(.configurationInvalid, "No service is named: give --server and --client.")
        }
        return (server, client)
    }

    /// This program.
    private static func program() throws -> String {
        guard let url = Bundle.main.executableURL else {
            throw EarshotError(.internalError, "The program does not know where it is: name it behind --.")
        }
        return url.resolvingSymlinksInPath().path
    }
}
