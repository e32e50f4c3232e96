import EarshotCore
import EarshotMedia
import Foundation

/// The hidden folder in which one export is made.
///
/// Whatever makes it may write there and nowhere else: it reaches no result of another export.
struct ExportWorkspace: Sendable {
    private let folder: URL

    /// - Parameters:
    ///   - id: The export.
    ///   - results: The folder of results, on whose disk it is.
    init(_ id: String, in results: URL) {
        // By its real path, which is the one that messages name.
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

    /// Gives the file its place among the results. Blocks.
    ///
    /// - Parameters:
    ///   - name: The file.
    ///   - destination: The place, which nothing may have yet.
    ///   - mode: The permissions of the result; `nil` to leave them.
    /// - Returns: Its size in bytes.
    /// - Throws: `destinationExists`, `writeFailed`.
    func publish(_ name: String, as destination: URL, mode: mode_t?) throws(EarshotError) -> Int64 {
        let made = file(name).path
        // A worker that was taken over could have made a link, which would be followed for whoever fetches the result.
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
