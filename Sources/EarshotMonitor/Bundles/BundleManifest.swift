public import EarshotBroadcast
public import EarshotCore
import EarshotMusic
public import Foundation

/// A list of media files for a bundle, with the metadata of each: JSON Lines, a JSON array, or CSV with a header row.
///
/// | column | content |
/// |---|---|
/// | `file` | the media file or signature file, relative to the folder of the list |
/// | `id` | the reference's name; if absent, the path of the file as written |
/// | `title`, `subtitle` | the texts to show for a match |
/// | `work` | a work as an object, or the identifier of one |
/// | `data`, `dataFile` | custom data as text, or a file that holds it; not both |
/// | `dataID` | the identifier of the custom data |
///
/// Only `file` must be there. An object of a work needs `id` and `title`, which may be text; the other members are those of
/// `VideoWork`. An identifier means the work that has it anywhere in the list, or else a work of which
/// only the identifier and the entry's title are known.
public struct BundleManifest: Hashable, Sendable {
    /// The source of an entry's custom data.
    public enum DataSource: Hashable, Sendable {
        /// The bytes themselves.
        case bytes(Data)
        /// A file that holds the bytes.
        case file(URL)
    }

    /// An entry of the list.
    public struct Entry: Hashable, Sendable {
        /// The line on which the entry begins, counted from 1.
        public var line: Int
        /// The media file or signature file.
        public var file: URL
        /// The reference's name.
        public var id: ReferenceID
        /// The title to show for a match; `nil` for the title of the media item.
        public var title: String?
        /// A second line to show for a match; `nil` if there is none.
        public var subtitle: String?
        /// The work that the file belongs to; `nil` if the entry names none.
        public var work: VideoWork?
        /// The identifier of the entry's custom data; empty if none was given.
        public var dataID = ""
        /// The custom data; `nil` if there is none.
        public var data: DataSource?

        /// Loads the bytes of the custom data; `nil` if the entry has none.
        ///
        /// - Throws: `assetUnreadable` when its file cannot be read, `bundleInvalid` when there are more bytes than are
        ///   allowed.
        public func customData() throws(EarshotError) -> CustomData? {
            guard let data else { return nil }
            let bytes: Data
            switch data {
            case .bytes(let given): bytes = given
            case .file(let url):
                do {
                    bytes = try Data(contentsOf: url)
                } catch {
                    throw EarshotError(
                        .assetUnreadable,
                        "The custom data of line \(line) cannot be read from \(url.path): check the path.",
                        cause: error
                    )
                }
            }
            guard bytes.count <= CustomData.maximumSize else {
                throw EarshotError(
                    .bundleInvalid,
                    "The custom data of line \(line) has \(bytes.count) bytes, and 1,048,576 are allowed: shorten it."
                )
            }
            return CustomData(identifier: dataID, bytes: bytes)
        }
    }

    /// The entries, in the order of the list.
    public let entries: [Entry]

    /// Reads a list from a file; paths in it begin at the file's folder.
    ///
    /// - Throws: `assetUnreadable`; `metadataInvalid` with the number of the invalid line.
    public init(contentsOf url: URL) throws(EarshotError) {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: url)
        } catch {
            throw EarshotError(
                .assetUnreadable,
                "There is no list that can be read at \(url.path): check the path.",
                cause: error
            )
        }
        try self.init(bytes, name: url.path, folder: url.deletingLastPathComponent())
    }

    /// Reads a list.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8. A list that begins with `[` or `{` is JSON, any other CSV.
    ///   - name: The name of the list in errors.
    ///   - folder: The folder that relative paths start from.
    /// - Throws: `metadataInvalid` with the number of the invalid line.
    public init(_ bytes: Data, name: String = "The list", folder: URL) throws(EarshotError) {
        guard var text = String(validating: bytes, as: UTF8.self) else {
            throw EarshotError(.metadataInvalid, "\(name) is not UTF-8: save it as such.")
        }
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        let first = text.utf8.first { ![UInt8(ascii: " "), 9, 10, 13].contains($0) }
        let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        let rows = isJSON ? try BundleManifestRow.json(text, name) : try BundleManifestRow.csv(text, name)
        var works: [EntityID<VideoWork>: VideoWork] = [:]
        for row in rows {
            guard let work = row.work else { continue }
            if let known = works[work.id], known != work {
                throw row.invalid(
                    "has the work \(work.id) with other content than a line before it: make them the same"
                )
            }
            works[work.id] = work
        }
        var entries: [Entry] = []
        var names: [ReferenceID: Int] = [:]
        for row in rows {
            var entry = try row.entry(folder: folder)
            if let before = names.updateValue(row.line, forKey: entry.id) {
                throw row.invalid("has the name \(entry.id) of line \(before): give every entry an id of its own")
            }
            if let id = row.workID {
                entry.work =
                    works[id] ?? VideoWork(id: id, title: Name(entry.title ?? entry.id.rawValue), isPartial: true)
            }
            entries.append(entry)
        }
        guard !entries.isEmpty else {
            throw EarshotError(.metadataInvalid, "\(name) has no entries: give every file a line.")
        }
        self.entries = entries
    }
}
