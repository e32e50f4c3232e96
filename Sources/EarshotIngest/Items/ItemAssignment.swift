package import Earshot
import Foundation

/// The rows of a table, by the references that they are for.
package struct ItemAssignment {
    private var rows: [ReferenceID: [ItemTable.Row]] = [:]
    /// Rows for files that are not there, in the order of the table.
    package private(set) var unknown: [ItemTable.Row] = []

    /// The references that have rows, in order.
    package var ids: [ReferenceID] { rows.keys.sorted() }

    /// Finds the file of each row: by the name of its reference, by a path that leads to it, or by the end of its path.
    ///
    /// - Parameters:
    ///   - files: Files that are or will be references.
    ///   - ids: Other references.
    /// - Throws: `mediaItemInvalid` when a row fits several files.
    package init(_ table: ItemTable, files: [MusicFile], ids: [ReferenceID] = []) throws(EarshotError) {
        var exact: [String: ReferenceID] = [:]
        var endings: [String: Set<ReferenceID>] = [:]
        for file in files { exact[file.url.path.precomposedStringWithCanonicalMapping] = file.id }
        for id in Set(files.map(\.id)).union(ids) {
            exact[id.rawValue] = id
            var rest = id.rawValue[...]
            while let slash = rest.firstIndex(of: "/") {
                rest = rest[rest.index(after: slash)...]
                endings[String(rest), default: []].insert(id)
            }
        }
        let written = WrittenPaths(files, from: table.folder)
        for row in table.rows {
            var name = row.file.precomposedStringWithCanonicalMapping
            if exact[name] == nil { name = name.replacing("\\", with: "/") }
            while name.hasPrefix("./") { name.removeFirst(2) }
            if let id = exact[name] ?? written.id(of: row.file) {
                rows[id, default: []].append(row)
                continue
            }
            let found = endings[name] ?? []
            guard found.count <= 1 else {
                throw EarshotError(
                    .mediaItemInvalid,
                    "\(table.name), \(row.place): \(row.file) may be any of \(found.count) files, such as "
                        + "\(found.sorted().prefix(2).map(\.rawValue).joined(separator: " and ")): write more of the path."
                )
            }
            if let id = found.first { rows[id, default: []].append(row) } else { unknown.append(row) }
        }
    }

    /// The media items of a reference: the first row's properties over those that it has, then the other rows'.
    ///
    /// - Throws: `mediaItemInvalid` when they are too large together.
    package func items(for id: ReferenceID, over items: [MediaItem]) throws(EarshotError) -> [MediaItem] {
        guard let rows = rows[id], let first = rows.first else { return items }
        let properties = (items.first?.properties ?? [:]).merging(first.item.properties) { _, new in new }
        return [try MediaItem(properties: properties)] + rows.dropFirst().map(\.item)
    }
}
