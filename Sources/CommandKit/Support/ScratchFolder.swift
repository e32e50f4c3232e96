package import EarshotCore
package import Foundation

/// A folder for what is made on the way, taken away with all that is in it when it is no longer held, and when the command is
/// interrupted.
package final class ScratchFolder {
    package let url: URL
    private let interruption: Interruption

    /// Makes a folder among the temporary files.
    ///
    /// - Throws: `writeFailed`.
    package init(_ purpose: String) throws(EarshotError) {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("earshot-\(purpose)-\(UUID().uuidString)", isDirectory: true)
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            throw EarshotError(
                .writeFailed,
                "The folder \(url.path) cannot be made: check the folder for temporary files, which TMPDIR names.",
                cause: error
            )
        }
        self.url = url
        interruption = Interruption(ending: {
            try? FileManager.default.removeItem(at: url)
            // 128 and the number of the signal, as shells expect.
            Foundation.exit(130)
        })
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
