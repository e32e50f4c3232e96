import EarshotCore
import Foundation

/// What is known of a download: beside the file, in JSON.
struct DownloadRecord: Codable, Hashable, Sendable {
    /// What tells one state of a file on a server from another.
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

        /// What promises equal bytes, so that a part can be gone on with; a weak tag does not.
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

    /// Where from, without credentials.
    var address: String
    /// The file that is there; for the instant in which one takes the place of another, both.
    var finished: [Finished] = []
    /// What the bytes of the part that is there belong to.
    var partial: Validator?

    /// What stands beside a file, or an empty record when that is nothing, damaged, or of another address.
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
            throw EarshotError(.internalError, "The record of a download could not be written.", cause: error)
        }
        try AtomicFile.write([UInt8](data), to: url, replacing: true)
    }
}
