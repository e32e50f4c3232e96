package import Foundation

/// A folder that is removed with the object.
package final class TemporaryFolder {
    /// The address of the folder.
    package let url: URL

    /// Makes an empty folder.
    package init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-media-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Writes a file into the folder and returns its address.
    package func write(_ bytes: [UInt8], as name: String) throws -> URL {
        let file = url.appendingPathComponent(name)
        try Data(bytes).write(to: file)
        return file
    }
}
