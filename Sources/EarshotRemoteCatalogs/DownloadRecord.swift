import EarshotCore
import Foundation

/// The facts known of a download, kept beside the file in JSON.
struct DownloadRecord: Codable, Hashable, Sendable {
    /// The values that tell one state of a file on a server from another.
    struct Validator: Codable, Hashable, Sendable {
        var etag: String?
        var lastModified: String?

        init(_ response: TransportResponse) {
            etag = response.headers["etag"]
            lastModified = response.headers["last-modified"]
        }

        /// The header fields that ask for a file only when it is another.
        var conditions: [String: String] {
            if let etag { return ["If-None-Match": etag] }
            if let lastModified { return ["If-Modified-Since": lastModified] }
            return [:]
        }

        /// The value that promises equal bytes, so that a partial file can be continued; `nil` for a weak tag.
        var range: String? {
            if let etag { return etag.hasPrefix("W/") ? nil : etag }
            return lastModified
        }
    }

    /// A file that was fetched and found good.
    struct Finished: Codable, Hashable, Sendable {
        var validator: Validator
        var size: Int64
        /// The checksum that the catalog carries of itself.
        var version: String
        var sha256: String
        /// The key that it was signed with, where that was asked for.
        var key: String?
    }

    /// The address of the file, without credentials.
    var address: String
    /// The file that is there; for the instant in which one takes the place of another, both.
    var finished: [Finished] = []
    /// The state of the file on the server to which the bytes of the part belong.
    var partial: Validator?

    /// Reads the record beside a file. The result is empty if there is none, it is damaged, or it is for another
    /// address.
    static func load(_ url: URL, address: String) -> DownloadRecord {
        guard let data = try? Data(contentsOf: url), let record = try? JSONDecoder().decode(Self.self, from: data),
            record.address == address
        else { return DownloadRecord(address: address) }
        return record
    }

    func write(to url: URL) throws(EarshotError) {
        let data: Data
        do {
            data = try JSONEncoder.sorted(isPretty: true).encode(self)
        } catch {
            throw EarshotError(
                .internalError,
                "The record of a download could not be encoded: please report this.",
                cause: error
            )
        }
        try AtomicFile.write([UInt8](data), to: url, replacing: true)
    }
}
