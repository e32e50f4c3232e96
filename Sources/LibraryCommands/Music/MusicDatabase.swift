package import ArgumentParser
import CommandKit
package import EarshotCore
package import EarshotMusic
package import Foundation

#if Service
    import EarshotPostgreSQL
#endif

/// The database of the music that commands know.
package struct MusicDatabase: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The database of music: a file, or the database in PostgreSQL of a service, as postgresql://user@host/name.",
            discussion: "Without it EARSHOT_DATABASE, or one in the user's data folder."
        ),
        completion: .file(extensions: ["sqlite"])
    )
    package var database: String?

    package init() {}

    /// The file; `nil` if the music is in PostgreSQL.
    package var file: URL? {
        get throws(EarshotError) {
            try DatabaseFile.music.address(database) == nil ? DatabaseFile.music.url(database) : nil
        }
    }

    /// A name that tells the database from others, without the password.
    var name: String {
        get throws(EarshotError) {
            guard let address = try DatabaseFile.music.address(database) else {
                return DatabaseFile.music.url(database).path
            }
            #if Service
                return PostgreSQLOptions(address).name
            #else
                return address
            #endif
        }
    }

    /// The database, to read from: one that is not there is not made.
    package func existing() async throws(EarshotError) -> any MusicStore {
        try await CommandStores.music(database, .existing)
    }

    /// The database, made where it is not there.
    package func made() async throws(EarshotError) -> any MusicStore {
        try await CommandStores.music(database, .making)
    }
}
