package import EarshotCore
package import Foundation

/// The identifier of a data folder. It stays the same when a node restarts, unlike ``NodeID``.
package struct PlaceID: RawRepresentable, Hashable, Codable, Sendable {
    /// The name of the file that stores the identifier of the data folder; the file is in that folder.
    package static let fileName = "place"

    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// Returns the identifier of a folder, and creates it in the folder if there is none. Blocks.
    ///
    /// - Throws: `readFailed`, `writeFailed`; `storeDamaged` if the file does not contain a UUID.
    package static func kept(in folder: URL) throws(EarshotError) -> PlaceID {
        let file = folder.appendingPathComponent(fileName)
        if let place = try read(file) { return place }
        let place = PlaceID(rawValue: UUID().uuidString.lowercased())
        do throws(EarshotError) {
            try AtomicFile.write([UInt8]((place.rawValue + "\n").utf8), to: file, replacing: false, mode: 0o600)
            return place
        } catch {
            // Another process may have created the file first: then its identifier counts.
            guard let place = try read(file) else { throw error }
            return place
        }
    }

    private static func read(_ file: URL) throws(EarshotError) -> PlaceID? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch {
            throw EarshotError(.readFailed, "\(file.path) cannot be read: check its rights.", cause: error)
        }
        let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let id = UUID(uuidString: text) else {
            throw EarshotError(
                .storeDamaged,
                "\(file.path) does not hold the UUID that identifies its folder: remove the file."
            )
        }
        return PlaceID(rawValue: id.uuidString.lowercased())
    }
}
