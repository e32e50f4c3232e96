package import EarshotCatalogs
package import EarshotCore
import EarshotSegments
package import Foundation

/// The two forms of a catalog: one file, and a store that grows.
package enum CatalogForm {
    case file, store

    /// The form of what is at an address, or, where nothing is, the one its suffix asks for.
    package init(_ url: URL) {
        let isStore =
            FileManager.default.fileExists(atPath: url.path)
            ? CatalogStore.exists(at: url) : url.pathExtension.lowercased() == "earstore"
        self = isStore ? .store : .file
    }

    /// Opens a catalog, changes it and writes the change back, alone.
    ///
    /// - Parameters:
    ///   - url: The catalog.
    ///   - patience: The time to wait for another program that changes it.
    ///   - body: Changes the catalog.
    package static func change<Result: Sendable>(
        _ url: URL,
        patience: LockPatience,
        _ body: (inout Catalog) throws -> Result
    ) throws -> Result {
        if case .store = CatalogForm(url) { return try CatalogStore(url, patience: patience).change(body) }
        let lock = try CatalogLock(url, patience: patience)
        defer { withExtendedLifetime(lock) {} }
        var catalog = try Catalog(contentsOf: url)
        let result = try body(&catalog)
        try catalog.write(to: url, replacing: true)
        return result
    }

    /// Waits until a store may be changed, so that a command does not work for minutes and find it held then. A file is locked by
    /// whoever changes it.
    ///
    /// - Throws: The error of the patience if another program changes it for longer.
    package static func awaitTurn(_ url: URL, patience: LockPatience) throws(EarshotError) {
        if case .store = CatalogForm(url), CatalogStore.exists(at: url) { _ = try StoreLock(url, patience: patience) }
    }
}
