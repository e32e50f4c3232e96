import ArgumentParser

struct PieceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "piece",
        abstract: "Publish music that others open in their own app, and open theirs.",
        discussion: """
            A piece is sound with its tempo, key, loop points and ancestry, in a package (.earpiece) or at a service.

            EXAMPLES
              earshot piece new loop.wav -o loop.earpiece --tempo 120 --loop all --key "A minor"
              earshot piece validate loop.earpiece
              earshot piece drop loop.earpiece --server https://pieces.example --client 12345678-ABC…
              earshot piece show 0b7c…
              earshot piece open piece-earshot://open?id=0b7c… -o ~/Music/Pieces
              earshot piece tree 0b7c…
              earshot piece key "F# Dorian"
            """,
        subcommands: [
            PieceNewCommand.self, PieceValidateCommand.self, PieceDropCommand.self, PieceOpenCommand.self,
            PieceShowCommand.self, PieceGetCommand.self, PieceTreeCommand.self, PieceFindCommand.self,
            PieceEditCommand.self, PieceRemoveCommand.self, PieceFindingsCommand.self, PieceLoginCommand.self,
            PieceLogoutCommand.self, PieceKeyCommand.self, PieceRegisterSchemeCommand.self,
        ]
    )
}
