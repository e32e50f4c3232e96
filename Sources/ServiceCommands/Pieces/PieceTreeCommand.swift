import ArgumentParser
import CommandKit
import EarshotAPI
import EarshotClient
import EarshotCore
import EarshotPieces
import Foundation

struct PieceTreeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tree",
        abstract: "Show what a piece is based on, and what is based on it.",
        discussion: """
            EXAMPLES
              earshot piece tree 0b7c5f52-…
              earshot piece tree 0b7c5f52-… --json
            """
    )

    @Argument(help: "The identifier of a piece, or the address of its page.")
    var piece: String

    @OptionGroup
    var connection: PieceConnection

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    /// The most relatives of one kind that a service tells of.
    private static let most = 1_000

    private struct Report: Encodable {
        let piece: Piece
        let ancestors: [RelativeList.Entry]
        let descendants: [RelativeList.Entry]
    }

    func run() async throws {
        let client = try connection.client(mayLogIn: false)
        let id = try connection.piece(piece)
        let found = try await client.fetch(id)
        let ancestors = try await client.ancestors(of: id, limit: Self.most).relatives
        let descendants = try await client.descendants(of: id, limit: Self.most).relatives
        for (what, relatives) in [("ancestors", ancestors), ("descendants", descendants)]
        where relatives.count >= Self.most {
            Terminal.note("The \(Self.most) nearest \(what) are shown: there may be more.")
        }
        if json {
            return Terminal.print(
                try JSON.document(Report(piece: found, ancestors: ancestors, descendants: descendants))
            )
        }
        let tree = PieceTree(found, ancestors: ancestors, descendants: descendants)
        Terminal.print(Terminal.bold(PieceTree.name(found.id, found.title, found.author)))
        if found.basedOn.isEmpty { Terminal.print("  based on nothing") }
        for line in tree.ancestorLines { Terminal.print(line) }
        if descendants.isEmpty { Terminal.print("  nothing is based on it") }
        for line in tree.descendantLines { Terminal.print(line) }
    }
}
