import ArgumentParser
import CommandKit
import EarshotAPI
import EarshotCore
import EarshotMusic
import EarshotPieces
import EarshotRecognition
import EarshotSQLite
import EarshotServer
import Foundation

extension AdminCommand {
    struct App: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "app",
            abstract: "Apps that open pieces, and that people log in to.",
            subcommands: [List.self, Add.self, Remove.self]
        )

        /// An app as it is printed.
        private struct Line: Encodable {
            let identifier: String
            let name: String
            let site: URL?
            let client: String
            let scheme: String
            /// The identifier of a client that was made for it.
            var clientIdentifier: String?

            init(_ application: PieceApplication, clientIdentifier: String? = nil) {
                identifier = application.id
                name = application.name
                site = application.site
                client = application.client
                scheme = PieceScheme.prefix + application.id
                self.clientIdentifier = clientIdentifier
            }
        }

        private static func show(_ lines: [Line], asJSON: Bool) throws {
            if asJSON { return Terminal.print(try JSON.document(["applications": lines])) }
            for line in lines {
                let notes =
                    ["client \(line.client)", "opened by \(line.scheme):"]
                    + [line.site?.absoluteString].compactMap { $0 }
                Terminal.print(
                    "\(Terminal.bold(line.identifier))  \(Terminal.shown(line.name))  "
                        + Terminal.dim(notes.joined(separator: "; "))
                )
                if let identifier = line.clientIdentifier {
                    Terminal.print("client identifier, shown this once: \(identifier)")
                }
            }
            if lines.isEmpty { Terminal.print("No apps are registered.") }
        }

        struct List: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "List the apps.")
            @OptionGroup var folder: DataFolder
            @Flag(name: .long, help: "Print one JSON object.") var json = false

            func run() async throws {
                try App.show(try await folder.pieces().applications().map { Line($0) }, asJSON: json)
            }
        }

        struct Add: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract:
                    "Register an app, make a client for it, and print the client's identifier, of which only a digest is kept.",
                discussion: """
                    The app is opened by addresses that begin with piece- and its identifier, such as piece-sketcher:. One that is \
                    registered already keeps its client.

                    EXAMPLES
                      earshot admin app add sketcher --name Sketcher --site https://sketcher.example
                      earshot admin app add sketcher --name "Sketcher 2" --client 12345678
                    """
            )
            @Argument(help: "The identifier: letters, digits, plus, minus and full stops.") var identifier: String
            @Option(name: .long, help: "What people call it; the identifier where nothing is said.") var name: String?
            @Option(name: .long, help: "The address of a page that says where to get it.") var site: String?
            @Option(name: .long, help: "The id of the client that it asks as; one is made where nothing is said.")
            var client: String?
            @OptionGroup var folder: DataFolder
            @Flag(name: .long, help: "Print one JSON object.") var json = false

            func run() async throws {
                let accounts = try await folder.accounts()
                let store = try await folder.pieces()
                let page = try site.map { text throws(EarshotError) in
                    guard let url = URL(string: text) else {
                        throw EarshotError(
                            .requestInvalid,
                            "\(text) is no address: give one such as https://app.example."
                        )
                    }
                    return url
                }
                let scheme = try PieceScheme(application: identifier)
                let known = try await store.application(scheme.application)
                var (id, made): (String?, String?) = (client, nil)
                if id == nil, known == nil {
                    var wanted = ClientChange()
                    wanted.name = name ?? identifier
                    let (client, identifier) = try await ClientRegister(accounts).make(wanted, at: Date())
                    (id, made) = (client.id, identifier)
                }
                let application = try await ApplicationRegister(store, accounts).put(
                    identifier,
                    name: name ?? known?.name ?? identifier,
                    site: page ?? known?.site,
                    client: id
                )
                folder.record("admin app add", ["id": scheme.application])
                try App.show([Line(application, clientIdentifier: made)], asJSON: json)
            }
        }

        struct Remove: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Forget an app. Its client stays.")
            @Argument(help: "The identifier.") var identifier: String
            @OptionGroup var folder: DataFolder
            @OptionGroup var format: JSONOption

            func run() async throws {
                guard try await folder.pieces().removeApplication(identifier.lowercased()) else {
                    throw EarshotError(
                        .entityNotFound,
                        "There is no app \(identifier): list them with `earshot admin app list`."
                    )
                }
                folder.record("admin app remove", ["id": identifier.lowercased()])
                try format.print("Forgotten: \(identifier.lowercased())", ["removed": .string(identifier.lowercased())])
            }
        }
    }
}
