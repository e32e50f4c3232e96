import ArgumentParser

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Bring music metadata into a database.",
        subcommands: [
            ImportMusicBrainzCommand.self, ImportTableCommand.self, ImportFolderCommand.self, ImportLyricsCommand.self,
            ImportCoversCommand.self,
        ]
    )
}
