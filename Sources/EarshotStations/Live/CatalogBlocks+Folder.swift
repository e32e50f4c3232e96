import EarshotCatalogs
import EarshotCore
import Foundation

extension CatalogBlocks {
    private static let prefix = "block-"
    private static let suffix = ".earcat"

    /// Returns `true` if a file is a block, or the unfinished file of one.
    static func isOurs(_ name: String) -> Bool {
        name.hasPrefix(prefix) && name.hasSuffix(suffix) || name.hasPrefix(".earshot-") && name.hasSuffix(".partial")
    }

    /// Writes the blocks that have no file yet, and maps each from its file from then on.
    ///
    /// - Returns: The names of all files of blocks.
    /// - Throws: `writeFailed`, or `catalogInvalid` if a file cannot be reopened.
    mutating func write(to folder: URL) throws(EarshotError) -> Set<String> {
        var names: Set<String> = []
        for block in blocks {
            let name = "\(Self.prefix)\(block.number)\(Self.suffix)"
            names.insert(name)
            let url = folder.appendingPathComponent(name)
            guard !FileManager.default.fileExists(atPath: url.path) else { continue }
            try block.catalog.write(to: url)
            moved(block.number, to: try Catalog(contentsOf: url))
        }
        return names
    }

    /// Opens the blocks of a folder. A damaged block is left out, and a note tells so.
    static func restore(from folder: URL, limits: QueryLimits) -> (blocks: CatalogBlocks, notes: [String]) {
        var blocks = CatalogBlocks(limits: limits)
        var notes: [String] = []
        var found: [(number: UInt64, catalog: Catalog)] = []
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
        for name in names where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
            let number = UInt64(name.dropFirst(prefix.count).dropLast(suffix.count)) ?? 0
            // The number of a damaged file is not given again either.
            blocks.reserve(number)
            do {
                let catalog = try Catalog(contentsOf: folder.appendingPathComponent(name))
                try catalog.verify()
                found.append((number, catalog))
            } catch {
                notes.append("\(name) is left out: \(error)")
            }
        }
        // The largest first, so that a merged block comes before the blocks that it was merged from.
        found.sort { ($0.catalog.count, $0.number) > ($1.catalog.count, $1.number) }
        for (number, catalog) in found {
            do {
                try blocks.restore(catalog, number: number)
            } catch {
                notes.append("\(prefix)\(number)\(suffix) is left out: \(error)")
            }
        }
        return (blocks, notes)
    }
}
