import ArgumentParser
import EarshotCore
import EarshotSQLite
import Foundation

/// Where the music is kept that commands know.
struct MusicDatabase: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The database of music.",
            discussion: "Without it EARSHOT_DATABASE, or one in the user's data folder."
        ),
        completion: .file(extensions: ["sqlite"])
    )
    var database: String?

    var url: URL { DatabaseFile.music.url(database) }

    /// The database, to read from: one that is not there is not made.
    func existing() throws(EarshotError) -> SQLiteMusicStore {
        try DatabaseFile.music.existing(database) { url throws(EarshotError) in try SQLiteMusicStore(url: url) }
    }

    /// The database, made where it is not there.
    func made() throws(EarshotError) -> SQLiteMusicStore {
        try DatabaseFile.music.made(database) { url throws(EarshotError) in try SQLiteMusicStore(url: url) }
    }
}
