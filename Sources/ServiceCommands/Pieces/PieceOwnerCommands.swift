import ArgumentParser
import CommandKit
import EarshotAPI
import EarshotClient
import EarshotCore
import EarshotPieces
import Foundation

struct PieceEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change title, description, cover or visibility of your piece.",
        discussion: """
            EXAMPLES
              earshot piece edit 0b7c5f52-… --title "Night Loop II"
              earshot piece edit 0b7c5f52-… --visibility private
              earshot piece edit 0b7c5f52-… --no-cover
            """
    )

    @Argument(help: "The identifier of a piece, or the address of its page.")
    var piece: String

    @Option(name: .long, help: "The title.")
    var title: String?

    @Option(name: .long, help: "What you say of it.")
    var description: String?

    @Option(name: .long, help: "Who may see it: listed, unlisted or private.")
    var visibility: Piece.Visibility?

    @Option(name: .long, help: "A picture; it is cropped and scaled to 640 x 640 pixels.", completion: .file())
    var cover: String?

    @Flag(name: .long, help: "Take the cover away.")
    var noCover = false

    @OptionGroup
    var connection: PieceConnection

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    func validate() throws {
        if cover != nil, noCover { throw ValidationError("Choose --cover or --no-cover, not both.") }
        if title == nil, description == nil, visibility == nil, cover == nil, !noCover {
            throw ValidationError("Say what to change: --title, --description, --visibility, --cover or --no-cover.")
        }
    }

    func run() async throws {
        let picture = try await cover.asyncMap { try await CoverPicture.cover(URL(fileURLWithPath: $0)) }
        let client = try connection.client()
        let id = try connection.piece(piece)
        if picture != nil || noCover { try await client.setCover(of: id, picture) }
        let change = PieceChange(title: title, description: description, visibility: visibility)
        let changed =
            change == PieceChange() ? try await client.fetch(id) : try await client.change(id, change)
        if json { return Terminal.print(try JSON.document(changed)) }
        PieceText.show(changed)
    }
}

struct PieceRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove your pieces from a service; what is based on them still names them.",
        aliases: ["rm"]
    )

    @Argument(help: "The identifiers of pieces, or the addresses of their pages.")
    var pieces: [String]

    @OptionGroup
    var connection: PieceConnection

    @OptionGroup
    var format: JSONOption

    func run() async throws {
        let ids = try pieces.map { try connection.piece($0) }
        let client = try connection.client()
        for id in ids {
            try await client.remove(id)
            if !format.json { Terminal.print("Removed \(id).") }
        }
        if format.json { try format.print("", ["removed": .array(ids.map { .string("\($0)") })]) }
    }
}

struct PieceFindingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "findings",
        abstract:
            "Show what the service heard in your piece: music that it quotes, and what is otherwise than you said.",
        discussion: "Exit status: 0 listened to, 1 failed, 3 the service has not listened to it yet."
    )

    @Argument(help: "The identifier of a piece, or the address of its page.")
    var piece: String

    @OptionGroup
    var connection: PieceConnection

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    func run() async throws {
        let findings = try await connection.client().findings(of: try connection.piece(piece))
        if json {
            Terminal.print(try JSON.document(findings))
        } else {
            for quotation in findings.contains {
                Terminal.print("This contains \(Terminal.shown(quotation.sentence)).")
            }
            PieceText.warn(findings.warnings.map(\.reason))
            PieceText.warn((findings.unheard ?? []).map { "The service could not listen to the sound \"\($0)\"." })
            if !findings.isComplete {
                Terminal.print("The service has not listened to it yet.")
            } else if findings.contains.isEmpty {
                Terminal.print("Nothing that the service knows is heard in it.")
            }
        }
        if !findings.isComplete { throw ExitCode(3) }
    }
}

struct PieceLoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Log in at a service of pieces, with a code that is typed in at its page."
    )

    @OptionGroup
    var connection: PieceConnection

    @OptionGroup
    var format: JSONOption

    func run() async throws {
        let account = try await connection.client(isWatched: true).logIn()
        try format.print("Logged in as \(Terminal.shown(account.author)).", ["author": .string(account.author)])
    }
}

struct PieceLogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Forget who is logged in at a service of pieces."
    )

    @OptionGroup
    var connection: PieceConnection

    @OptionGroup
    var format: JSONOption

    func run() async throws {
        try await connection.client(mayLogIn: false).logOut()
        try format.print("Logged out.", ["isLoggedIn": .boolean(false)])
    }
}

extension Optional {
    /// Transforms the value by a function that is asynchronous; `nil` if there is none.
    fileprivate func asyncMap<Result>(_ transform: (Wrapped) async throws -> Result) async rethrows -> Result? {
        guard let self else { return nil }
        return try await transform(self)
    }
}
