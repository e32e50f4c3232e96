public import Earshot
public import Foundation

/// A folder that ``FolderExport`` wrote: a signature file for each reference, and `items.jsonl`, which names them in their order.
public struct ExportedFolder {
    package static let itemsName = "items.jsonl"
    package static let settingsName = "catalog.json"

    /// The settings of the catalog that was exported.
    package struct Settings: Codable {
        package static let currentVersion = 1

        package var version = currentVersion
        package var minimumQuery: Double
        package var maximumQuery: Double
    }

    /// A reference of the folder.
    package struct Entry {
        package let file: URL
        package let id: ReferenceID
        package let items: [MediaItem]

        /// Reads the reference.
        package func addition() throws(EarshotError) -> Catalog.Addition {
            Catalog.Addition(id: id, signature: try Signature(contentsOf: file), items: items)
        }
    }

    package let url: URL
    package private(set) var entries: [Entry] = []
    /// The shortest and longest query; `nil` in folders of earlier versions.
    package private(set) var limits: QueryLimits?

    /// Returns `true` if there is such a folder at an address.
    public static func exists(at url: URL) -> Bool {
        guard let handle = FileHandle(forReadingAtPath: url.appendingPathComponent(itemsName).path) else {
            return false
        }
        defer { try? handle.close() }
        if FileManager.default.fileExists(atPath: url.appendingPathComponent(settingsName).path) { return true }
        // A folder of music may have a file of this name too.
        let begin = (try? handle.read(upToCount: 64)) ?? Data()
        return begin.starts(with: Data(#"{"file":""#.utf8))
    }

    /// Reads what the references are; their signatures stay in their files.
    ///
    /// - Throws: `assetNotFound` where there is no `items.jsonl`, `mediaItemInvalid` for one that cannot be read, naming the line.
    public init(_ url: URL) throws {
        self.url = url
        let name = url.lastPathComponent
        let table = url.appendingPathComponent(Self.itemsName)
        guard let data = FileManager.default.contents(atPath: table.path) else {
            throw EarshotError(.assetNotFound, "There is no readable \(table.path): export the catalog again.")
        }
        limits = try Self.limits(url)
        for (index, line) in data.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) else { continue }
            do {
                entries.append(try Self.entry(Data(line), in: url))
            } catch {
                let reason = (error as? ItemTable.Fault)?.sentence ?? (error as? EarshotError)?.message
                throw EarshotError(
                    .mediaItemInvalid,
                    "\(name)/\(Self.itemsName), line \(index + 1): \(reason ?? "it is not JSON.")"
                )
            }
        }
    }

    private static func limits(_ url: URL) throws -> QueryLimits? {
        let file = url.appendingPathComponent(settingsName)
        guard let data = FileManager.default.contents(atPath: file.path) else { return nil }
        guard let settings = try? JSONDecoder().decode(Settings.self, from: data) else {
            throw EarshotError(.mediaItemInvalid, "\(file.path) cannot be read: export the catalog again.")
        }
        guard settings.version == Settings.currentVersion else {
            throw EarshotError(
                .mediaItemInvalid,
                "\(file.path) was written by another version of this program: use that one to read the folder."
            )
        }
        return QueryLimits(
            minimum: MediaTime(seconds: settings.minimumQuery),
            maximum: MediaTime(seconds: settings.maximumQuery)
        )
    }

    private static func entry(_ line: Data, in url: URL) throws -> Entry {
        let object = try JSONSerialization.jsonObject(with: line) as? [String: Any]
        guard let file = object?["file"] as? String, let reference = object?["reference"] as? [String: Any],
            let id = reference["id"] as? String
        else { throw ItemTable.Fault(sentence: "it has no file, or no reference with an id.") }
        guard !file.isEmpty, !file.contains("/"), file != "..", file != "." else {
            throw ItemTable.Fault(sentence: "\"\(file)\" is no name of a file in the folder.")
        }
        let items = reference["items"] as? [[String: Any]] ?? []
        return Entry(file: url.appendingPathComponent(file), id: ReferenceID(id), items: try items.map(ItemJSON.item))
    }

    /// The references as a catalog.
    ///
    /// - Throws: Errors of reading a signature and of adding it.
    public func catalog() throws -> Catalog {
        var catalog = Catalog(queryLimits: limits ?? .standard)
        for entry in entries {
            let addition = try entry.addition()
            try catalog.add(addition.signature, representing: addition.items, id: addition.id)
        }
        return catalog
    }
}
