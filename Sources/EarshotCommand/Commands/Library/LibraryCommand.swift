import ArgumentParser

struct LibraryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library",
        abstract: "Identify and group a collection of music.",
        discussion: """
            EXAMPLES
              earshot library identify ~/Music --catalog music.earcat
              earshot library identify ~/Music --server https://music.example --client 12345678-ABC…
            """,
        subcommands: [
            LibraryIdentifyCommand.self, LibraryDuplicatesCommand.self, LibraryMissingCommand.self,
            LibraryReportCommand.self,
        ]
    )
}
