public import EarshotCore
public import Foundation

/// Keeps the snapshots of stations between runs of the program.
///
/// Functions may block; a monitor calls them on threads of its own.
public protocol StationStateStore: Sendable {
    /// Keeps a station's snapshot in the place of the one before.
    ///
    /// - Throws: `writeFailed`.
    func save(_ data: Data, of station: String) throws(EarshotError)

    /// The snapshot of a station; `nil` if there is none.
    ///
    /// - Throws: `readFailed`.
    func load(_ station: String) throws(EarshotError) -> Data?

    /// Forgets a station's snapshot.
    ///
    /// - Throws: `writeFailed`.
    func remove(_ station: String) throws(EarshotError)
}

/// Snapshots as files of a folder, one a station, each written as a whole or not at all.
package struct FileStationStateStore: StationStateStore {
    /// The folder.
    package let folder: URL

    /// Snapshots in a folder, which is made when it is not there.
    ///
    /// - Throws: `writeFailed` when it cannot be made.
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

    /// Any text makes a file name that is its own: bytes other than letters and digits as two hexadecimal digits.
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

    /// Keeps a snapshot.
    package func save(_ data: Data, of station: String) throws(EarshotError) {
        try AtomicFile.write([UInt8](data), to: file(station), replacing: true)
    }

    /// The snapshot of a station.
    package func load(_ station: String) throws(EarshotError) -> Data? {
        let file = file(station)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        do {
            return try Data(contentsOf: file)
        } catch {
            throw EarshotError(.readFailed, "\(file.path) cannot be read: check its rights.", cause: error)
        }
    }

    /// Forgets a snapshot.
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
