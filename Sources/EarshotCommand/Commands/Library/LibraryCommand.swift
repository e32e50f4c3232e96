import ArgumentParser

struct LibraryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library",
        abstract: "Identify, tag and rename a collection of music.",
        discussion: """
            EXAMPLES
              earshot library identify ~/Music --catalog music.earcat
              earshot library identify ~/Music --server https://music.example --client 12345678-ABC…
              earshot library identify ~/Music --write
              earshot library undo
              earshot library missing ~/Music
              earshot library replaygain ~/Music
            """,
        subcommands: [
            LibraryIdentifyCommand.self, LibraryDuplicatesCommand.self, LibraryMissingCommand.self,
            LibraryReportCommand.self, LibraryReplayGainCommand.self, LibraryUndoCommand.self,
        ]
    )
}
