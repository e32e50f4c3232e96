import ArgumentParser

struct LibraryCommandGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library",
        abstract: "Scan, search, identify, tag and rename a collection of music.",
        discussion: """
            EXAMPLES
              earshot library identify ~/Music --catalog music.earcat
              earshot library identify ~/Music --server https://music.example --client 12345678-ABC…
              earshot library identify ~/Music --write
              earshot library apply plan.json ~/Music --write
              earshot library undo
              earshot library missing ~/Music
              earshot library replaygain ~/Music
              earshot library scan ~/Music
              earshot library find "play album more friends"
            """,
        subcommands: [
            LibraryIdentifyCommand.self, LibraryDuplicatesCommand.self, LibraryMissingCommand.self,
            LibraryReportCommand.self, LibraryReplayGainCommand.self, LibraryApplyCommand.self, LibraryUndoCommand.self,
            LibraryScanCommand.self, LibraryWatchCommand.self,
            LibraryListCommand.self, LibraryFindCommand.self, LibraryPlayCommand.self, LibraryUntaggedCommand.self,
        ]
    )
}
