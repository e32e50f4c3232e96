import EarshotCore
import EarshotMedia
import Foundation

/// The hidden folder in which one export is made.
///
/// The process of the export may write only there, so it cannot reach results of other exports.
struct ExportWorkspace: Sendable {
    private let folder: URL

    /// - Parameters:
    ///   - id: The export.
    ///   - results: The folder of results, in which the workspace lies: on the same disk, so that a result can be renamed.
    init(_ id: String, in results: URL) {
        // By its real path, which messages contain, so that it can be replaced in them.
        folder = results.resolvingSymlinksInPath().appendingPathComponent(".earshot-export-\(id)")
    }

    /// Returns the address of the file to create.
    func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// Makes the folder. Blocks.
    ///
    /// - Throws: `writeFailed`.
    func make() throws(EarshotError) {
        guard mkdir(folder.path, 0o700) == 0 else {
            throw EarshotError(
                .writeFailed,
                "The temporary folder of an export cannot be made (\(String(cString: strerror(errno)))): check the export folder."
            )
        }
    }

    /// Moves the file to its name among the results. Blocks.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - destination: The address of the result, at which there may be no file yet.
    ///   - mode: The permissions of the result; `nil` to leave them.
    /// - Returns: Its size in bytes.
    /// - Throws: `destinationExists`, `writeFailed`.
    func publish(_ name: String, as destination: URL, mode: mode_t?) throws(EarshotError) -> Int64 {
        let made = file(name).path
        // A compromised worker could have made a link to a file of the service, which would then be sent as the result.
        guard let found = try? FileManager.default.attributesOfItem(atPath: made),
            found[.type] as? FileAttributeType == .typeRegular, let size = found[.size] as? NSNumber
        else { throw EarshotError(.writeFailed, "The export wrote no file: please report this.") }
        if let mode { chmod(made, mode) }
        guard try StagedFile.move(made, to: destination.path) else {
            throw EarshotError(
                .writeFailed,
                "The export cannot be moved to its name, as that is on another disk: use an export folder on one disk."
            )
        }
        return size.int64Value
    }

    /// Removes the folder and what is in it. Blocks.
    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Returns an error whose message does not name the folder.
    func told(_ error: EarshotError) -> EarshotError {
        let message = error.message.replacing(folder.path + "/", with: "")
            .replacing(folder.path, with: "the folder of exports")
        return EarshotError(error.code, message, position: error.position)
    }
}
