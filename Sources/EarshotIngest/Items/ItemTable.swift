public import Earshot
public import Foundation

/// A table of media items for files: CSV, JSON or a property list, told apart by the content.
public struct ItemTable: Sendable {
    /// The contents of the table for one file.
    package struct Row: Sendable {
        /// The place in the table: `line 3`, `entry 3`.
        package let place: String
        /// The file: a name, a path or the end of one, or the name of a reference.
        package let file: String
        package let item: MediaItem
    }

    /// The fault of a value, as the end of a sentence.
    package struct Fault: Error {
        package let sentence: String
    }

    /// The properties of a row before they are an item.
    package struct Draft {
        package var place: String
        package var file = ""
        package var id = ""
        package var properties: [MediaItemKey: PropertyValue] = [:]
    }

    /// The name of the table in messages.
    package let name: String
    /// The folder of the table, from which its paths may start; `nil` for a table without a file.
    package private(set) var folder: URL?
    package private(set) var rows: [Row] = []

    /// Reads a table.
    ///
    /// - Throws: `assetNotFound` when there is none, `mediaItemInvalid` when it cannot be read, naming line and column.
    public init(contentsOf url: URL) throws(EarshotError) {
        name = url.lastPathComponent
        folder = url.deletingLastPathComponent()
        guard let data = try? Data(contentsOf: url) else {
            throw EarshotError(.assetNotFound, "There is no readable table at \(url.path): check the path.")
        }
        try read(data)
    }

    package init(_ data: Data, name: String) throws(EarshotError) {
        self.name = name
        try read(data)
    }

    private mutating func read(_ data: Data) throws(EarshotError) {
        let drafts: [Draft]
        do {
            if data.starts(with: Data("bplist".utf8)) {
                drafts = try Self.propertyList(data)
            } else {
                guard let text = Self.text(data) else {
                    throw Fault(sentence: "it is neither UTF-8 nor UTF-16: save it as UTF-8.")
                }
                let start = text.drop(while: \.isWhitespace)
                if start.hasPrefix("{") || start.hasPrefix("[") {
                    drafts = try Self.json(text)
                } else if start.hasPrefix("<?xml") || start.hasPrefix("<!DOCTYPE") || start.hasPrefix("<plist") {
                    drafts = try Self.propertyList(Data(text.utf8))
                } else {
                    drafts = try Self.separated(text)
                }
            }
            for draft in drafts { rows.append(try Self.row(draft)) }
        } catch let fault as Fault {
            throw EarshotError(.mediaItemInvalid, "\(name), \(fault.sentence)")
        } catch {
            throw EarshotError(
                .mediaItemInvalid,
                "\(name) cannot be read as a table of media items: please report this.",
                cause: error
            )
        }
    }

    private static func text(_ data: Data) -> String? {
        let isUTF16 = data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF])
        guard let text = String(data: data, encoding: isUTF16 ? .utf16 : .utf8) else { return nil }
        return text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
    }

    private static func row(_ draft: Draft) throws(Fault) -> Row {
        let file = draft.id.isEmpty ? draft.file : draft.id
        guard !file.isEmpty else {
            throw Fault(sentence: "\(draft.place): it names no file: write one under file, path or id.")
        }
        do throws(EarshotError) {
            return Row(place: draft.place, file: file, item: try MediaItem(properties: draft.properties))
        } catch {
            throw Fault(sentence: "\(draft.place): \(error.message)")
        }
    }

    // MARK: - Names of columns

    /// The content of a column.
    package enum Column: Hashable {
        case file, id
        case property(MediaItemKey)

        /// Names of predefined keys are taken in any case, with or without `_`, `-` and spaces; others are an app's own keys.
        package init(_ name: String) {
            let name = name.trimmingCharacters(in: .whitespaces)
            let folded = name.lowercased().filter { !"_- ".contains($0) }
            switch folded {
            case "file", "path", "filename", "filepath": self = .file
            case "id", "reference", "referenceid": self = .id
            default: self = .property(Self.predefined[folded] ?? MediaItemKey(name))
            }
        }

        private static let predefined: [String: MediaItemKey] = {
            let keys: [MediaItemKey] = [
                .title, .subtitle, .artist, .album, .genres, .artworkURL, .videoURL, .webURL, .isrc, .explicitContent,
                .storeID, .storeURL, .serviceID, .creationDate, .timeRanges, .frequencySkewRanges, .timeline,
                .matchOffset,
                .frequencySkew, .confidence,
            ]
            return Dictionary(uniqueKeysWithValues: keys.map { ($0.rawValue.lowercased(), $0) })
        }()
    }
}
