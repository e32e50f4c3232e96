public import EarshotCore
public import Foundation

extension CatalogDirectory {
    private static let version = 1

    private struct Document: Codable {
        var version: Int
        var catalogs: [Line]
    }

    private struct Line: Codable {
        var file: String
        var references: Int
        var seconds: Double
        var bytes: Int64
        var date: String
        var sha256: String
        var signature: String?
        var signer: String?

        init(_ entry: Entry) {
            file = entry.file
            references = entry.references
            seconds = entry.duration.seconds
            bytes = entry.size
            date = DateText.text(of: entry.date)
            sha256 = entry.sha256
            signature = entry.signature
            signer = entry.signer?.description
        }

        /// The entry; `nil` if a value cannot be one of a catalog.
        var entry: Entry? {
            guard Self.isName(file), references >= 0, (0...1e12).contains(seconds), bytes >= 0,
                let date = DateText.date(of: date), ContentDigest(text: sha256)?.hexadecimal == sha256,
                signature.map({ $0.utf8.count <= 200 }) ?? true
            else { return nil }
            let key = signer.flatMap { try? PublisherKey($0) }
            guard signer == nil || key != nil else { return nil }
            return Entry(
                file: file,
                references: references,
                duration: MediaTime(seconds: seconds, preferredTimescale: 1_000),
                size: bytes,
                date: date,
                sha256: sha256,
                signature: signature,
                signer: key
            )
        }

        /// Returns `true` for a name that can only be of a file beside the directory.
        static func isName(_ name: String) -> Bool {
            name.hasSuffix(".earcat") && !name.hasPrefix(".") && name.utf8.count <= 255
                && name.unicodeScalars.allSatisfy { $0 != "/" && $0 != "\\" && $0.value >= 0x20 && $0.value != 0x7F }
        }
    }

    /// Reads the file of a directory.
    ///
    /// - Throws: `verificationFailed` if it is none, of a later version, has more than ``limit`` catalogs, or names a file that is
    ///   not beside it.
    public init(data: Data) throws(EarshotError) {
        let document: Document
        do {
            document = try JSONDecoder().decode(Document.self, from: data)
        } catch {
            throw EarshotError(
                .verificationFailed,
                "This is no directory of catalogs: get it from its publisher again.",
                cause: error
            )
        }
        guard document.version == Self.version else {
            throw EarshotError(
                .verificationFailed,
                "The directory of catalogs has version \(document.version), and version \(Self.version) is known: update Earshot."
            )
        }
        guard document.catalogs.count <= Self.limit else {
            throw EarshotError(
                .verificationFailed,
                "The directory names \(document.catalogs.count) catalogs, and \(Self.limit) are allowed: split it."
            )
        }
        var entries: [Entry] = []
        for (index, line) in document.catalogs.enumerated() {
            guard let entry = line.entry else {
                throw EarshotError(
                    .verificationFailed,
                    "Catalog \(index + 1) of the directory has a value that cannot be used: get it from its publisher again."
                )
            }
            entries.append(entry)
        }
        self.init(entries)
    }

    /// Returns the file of the directory.
    ///
    /// - Throws: `internalError`.
    public func data() throws(EarshotError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            let document = Document(version: Self.version, catalogs: entries.map { Line($0) })
            return try encoder.encode(document) + Data("\n".utf8)
        } catch {
            throw EarshotError(.internalError, "The directory of catalogs could not be written as JSON.", cause: error)
        }
    }
}
