package import EarshotCore
import Foundation

/// A file that is not on this machine.
package enum MissingFile: Error, Equatable {
    /// The file is gone, and its folder is there.
    case file
    /// The folder is not there either: its disk may not be mounted.
    case folder(String)

    /// Returns the failure for a file that is not there; `nil` if it is there.
    ///
    /// - Returns: An error `assetNotFound` whose cause is a ``MissingFile``.
    package static func failure(at path: String) -> EarshotError? {
        guard !FileManager.default.fileExists(atPath: path) else { return nil }
        let folder = URL(fileURLWithPath: path, isDirectory: false).deletingLastPathComponent().path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            return EarshotError(
                .assetNotFound,
                "The folder \(folder) is not on this machine: mount its disk, or say where it is with `earshot catalog work --root OLD=NEW`. "
                    + "If it was removed, make it anew: then its files fail one by one.",
                cause: MissingFile.folder(folder)
            )
        }
        return EarshotError(
            .assetNotFound,
            "There is no file at \(path): check the path.",
            cause: MissingFile.file
        )
    }

    /// Returns `true` if the cause of an error is ``folder(_:)``.
    static func isFolder(_ error: EarshotError) -> Bool {
        if case .folder = error.cause as? MissingFile { true } else { false }
    }
}
