package import ArgumentParser

/// The subcommands around databases of music, by the groups in which the help shows them.
package enum LibraryCommands {
    package static var library: [any ParsableCommand.Type] { [LibraryCommandGroup.self, HistoryCommand.self] }

    package static var music: [any ParsableCommand.Type] {
        [
            ImportCommand.self, SearchCommand.self, LyricsCommand.self, TrackCommand.self, AlbumCommand.self,
            ArtistCommand.self,
        ]
    }

    package static var broadcast: [any ParsableCommand.Type] { [EpgCommand.self, PlaylogCommand.self] }
}
