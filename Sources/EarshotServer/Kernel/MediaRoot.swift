package import EarshotCore
package import Foundation

/// A folder of media files that a service reads and never writes.
package struct MediaRoot: Hashable, Sendable {
    /// The name in the identifiers of assets: 1 to 64 letters, digits, hyphens, periods and underscores.
    package let name: String
    /// The address of the folder.
    package let folder: URL

    /// Creates a media folder with a name.
    ///
    /// - Parameters:
    ///   - name: The name of the folder in the identifiers of assets.
    ///   - folder: The folder. Links that lead out of it are not followed.
    /// - Throws: `configurationInvalid` for an invalid name.
    package init(name: String, folder: URL) throws(EarshotError) {
        guard ResourceName.isValid(name) else {
            throw EarshotError(
                .configurationInvalid,
                "A media folder cannot be named \"\(name.prefix(80))\": use 1 to 64 letters, digits, hyphens, dots and underscores, "
                    + "and no dot at the beginning."
            )
        }
        self.name = name
        self.folder = folder
    }

    /// Parses a media folder from `NAME=DIR`.
    ///
    /// - Throws: `configurationInvalid` for another text.
    package init(_ text: String) throws(EarshotError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty else {
            throw EarshotError(
                .configurationInvalid,
                "\"\(text.prefix(200))\" names no media folder: say NAME=DIR, as in music=/srv/music."
            )
        }
        try self.init(name: String(parts[0]), folder: URL(fileURLWithPath: String(parts[1]), isDirectory: true))
    }
}
