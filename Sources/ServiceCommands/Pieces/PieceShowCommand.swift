import ArgumentParser
import CommandKit
import EarshotClient
import EarshotCore
import EarshotPieces
import Foundation

struct PieceShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a piece of a service, or one in a package.",
        discussion: """
            EXAMPLES
              earshot piece show 0b7c5f52-…
              earshot piece show https://pieces.example/pieces/0b7c5f52-…
              earshot piece show loop.earpiece --json
            """
    )

    @Argument(help: "The identifier of a piece, the address of its page, or a package.", completion: .file())
    var piece: String

    @OptionGroup
    var connection: PieceConnection

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    func run() async throws {
        if FileManager.default.fileExists(atPath: piece) {
            let reader = try await PiecePackageReader.open(URL(fileURLWithPath: piece))
            if json { return Terminal.print(try JSON.document(reader.manifest)) }
            return PieceText.show(reader.manifest, reader.draft)
        }
        try PieceConnection.checkFile(piece)
        let found = try await connection.client(mayLogIn: false).fetch(try connection.piece(piece))
        if json { return Terminal.print(try JSON.document(found)) }
        PieceText.show(found)
    }
}
