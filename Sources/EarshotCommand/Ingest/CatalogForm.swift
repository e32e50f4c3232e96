import EarshotCatalogs
import EarshotCore
import Foundation

/// The two forms of a catalog: one file, and a store that grows.
enum CatalogForm {
    case file, store

    /// The form of what is at an address, or, where nothing is, the one its suffix asks for.
    init(_ url: URL) {
        let isStore =
            FileManager.default.fileExists(atPath: url.path)
            ? CatalogStore.exists(at: url) : url.pathExtension.lowercased() == "earstore"
        self = isStore ? .store : .file
    }

    /// Opens a catalog, changes it and writes the change back, alone.
    static func change<Result: Sendable>(_ url: URL, _ body: (inout Catalog) throws -> Result) throws -> Result {
        if case .store = CatalogForm(url) { return try CatalogStore(url).change(body) }
        let lock = try CatalogLock(url)
        defer { withExtendedLifetime(lock) {} }
        var catalog = try Catalog(contentsOf: url)
        let result = try body(&catalog)
        try catalog.write(to: url, replacing: true)
        return result
    }
}
