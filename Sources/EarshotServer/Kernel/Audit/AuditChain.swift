import Crypto
import EarshotAPI
import Foundation

/// The digest chain of an audit log, in which each line has the digest of all before it.
///
/// A line is `DIGEST JSON`: the SHA-256 digest, in hexadecimal digits, of the digest of the line before, a line feed, and the JSON of
/// the entry. The first line follows 64 zeros. Changing, removing or inserting a line breaks the chain there. If all later lines are written
/// anew, the last digest differs from one that was stored elsewhere.
struct AuditChain: Equatable, Sendable {
    static let begin = AuditChain(number: 0, digest: String(repeating: "0", count: 64))

    /// The number of the last entry.
    var number: Int
    /// The digest of the last line.
    var digest: String

    /// Appends an entry to the chain, and returns its line with the line feed.
    mutating func line(of entry: AuditEntry) throws -> Data {
        var entry = entry
        entry.number = number + 1
        let encoder = ServiceAPI.encoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = try encoder.encode(entry)
        let digest = Self.digest(after: digest, json)
        self = AuditChain(number: entry.number, digest: digest)
        return Data("\(digest) ".utf8) + json + Data("\n".utf8)
    }

    /// Returns the entry of the next line, and advances the chain; `nil` if the line does not follow.
    ///
    /// - Parameter line: A line without its line feed.
    mutating func entry(of line: some DataProtocol) -> AuditEntry? {
        let line = Data(line)
        guard line.count > 65, line[64] == UInt8(ascii: " ") else { return nil }
        let json = line[65...]
        guard let entry = try? ServiceAPI.decoder().decode(AuditEntry.self, from: json), entry.number == number + 1,
            Data(Self.digest(after: digest, json).utf8) == line[..<64]
        else { return nil }
        self = AuditChain(number: entry.number, digest: String(decoding: line[..<64], as: UTF8.self))
        return entry
    }

    /// Creates the chain up to a line, whose digest is not checked; `nil` if the line is malformed.
    init?(last line: some DataProtocol) {
        let line = Data(line)
        guard line.count > 65, line[64] == UInt8(ascii: " "),
            let entry = try? ServiceAPI.decoder().decode(AuditEntry.self, from: line[65...]), entry.number > 0
        else { return nil }
        self.init(number: entry.number, digest: String(decoding: line[..<64], as: UTF8.self))
    }

    init(number: Int, digest: String) {
        (self.number, self.digest) = (number, digest)
    }

    private static func digest(after before: String, _ json: Data) -> String {
        var hash = SHA256()
        hash.update(data: Data("\(before)\n".utf8))
        hash.update(data: json)
        return hash.finalize().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
