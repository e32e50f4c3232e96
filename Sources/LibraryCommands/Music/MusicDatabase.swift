package import ArgumentParser
import CommandKit
package import EarshotCore
package import EarshotSQLite
package import Foundation

/// Where the music is kept that commands know.
package struct MusicDatabase: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The database of music.",
            discussion: "Without it EARSHOT_DATABASE, or one in the user's data folder."
        ),
        completion: .file(extensions: ["sqlite"])
    )
    package var database: String?

    package init() {}

    package var url: URL { DatabaseFile.music.url(database) }

    /// The database, to read from: one that is not there is not made.
    package func existing() throws(EarshotError) -> SQLiteMusicStore {
        try DatabaseFile.music.existing(database) { url throws(EarshotError) in try SQLiteMusicStore(url: url) }
    }

    /// The database, made where it is not there.
    package func made() throws(EarshotError) -> SQLiteMusicStore {
        try DatabaseFile.music.made(database) { url throws(EarshotError) in try SQLiteMusicStore(url: url) }
    }
}
