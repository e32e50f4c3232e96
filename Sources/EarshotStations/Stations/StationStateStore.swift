public import EarshotCore
public import Foundation

/// Stores the states of stations between runs of the program.
///
/// Functions may block; a monitor calls them on its own threads.
public protocol StationStateStore: Sendable {
    /// Saves a station's state and replaces the previous one.
    ///
    /// - Throws: `writeFailed`.
    func save(_ data: Data, of station: String) throws(EarshotError)

    /// Returns the saved state of a station; `nil` if there is none.
    ///
    /// - Throws: `readFailed`.
    func load(_ station: String) throws(EarshotError) -> Data?

    /// Removes a station's saved state. Has no effect if there is none.
    ///
    /// - Throws: `writeFailed`.
    func remove(_ station: String) throws(EarshotError)
}

/// The states as files of a folder, one for each station. Each appears complete or not at all.
package struct FileStationStateStore: StationStateStore {
    /// The folder.
    package let folder: URL

    /// Creates a store on a folder, which is created if needed.
    ///
    /// - Throws: `writeFailed` if it cannot be created.
    public init(folder: URL) throws(EarshotError) {
        self.folder = folder
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw EarshotError(
                .writeFailed,
                "The folder \(folder.path) cannot be made: check the path and its rights.",
                cause: error
            )
        }
    }

    /// Returns the file of a station. Bytes other than lowercase letters and digits are written as an underscore and
    /// two hexadecimal digits, so every name has its own file.
    private func file(_ station: String) -> URL {
        var name = ""
        for byte in station.utf8 {
            let isPlain = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
            name +=
                isPlain
                ? String(UnicodeScalar(byte)) : "_" + byte.hexadecimal
        }
        // Names of files have at most 255 bytes.
        if name.utf8.count > 200 {
            name = String(name.prefix(180)) + "-" + String(CRC32C.checksum(Array(station.utf8)), radix: 16)
        }
        return folder.appendingPathComponent(name + ".station")
    }

    /// Saves a state and replaces the previous one.
    package func save(_ data: Data, of station: String) throws(EarshotError) {
        try AtomicFile.write([UInt8](data), to: file(station), replacing: true)
    }

    /// Returns the saved state of a station; `nil` if there is none.
    package func load(_ station: String) throws(EarshotError) -> Data? {
        let file = file(station)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        do {
            return try Data(contentsOf: file)
        } catch {
            throw EarshotError(.readFailed, "\(file.path) cannot be read: check its rights.", cause: error)
        }
    }

    /// Removes a saved state. Has no effect if there is none.
    package func remove(_ station: String) throws(EarshotError) {
        let file = file(station)
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        do {
            try FileManager.default.removeItem(at: file)
        } catch {
            throw EarshotError(.writeFailed, "\(file.path) cannot be removed: check its rights.", cause: error)
        }
    }
}
