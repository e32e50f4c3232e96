package import CommandKit
import EarshotFingerprints
import EarshotSQLite

/// Looks at what the subcommands around databases of music need.
package enum LibraryCheckup {
    package static func findings() -> [Finding] {
        [
            .good("Chromaprint", FingerprintStream.libraryVersion),
            SQLiteLibrary.version.map { .good("SQLite", $0) }
                ?? .missing(
                    "SQLite",
                    "It makes no database in memory.",
                    remedy: "Install SQLite 3.35 or later, with FTS5, as distributions have it."
                ),
        ]
    }
}
