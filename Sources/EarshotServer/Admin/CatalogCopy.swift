import EarshotAPI
import EarshotCatalogs
import EarshotCore
import Foundation
import Hummingbird
import Synchronization

/// The catalog as one file, for download. It is written once for each version of the catalog, and shared by all downloads.
///
/// The next version replaces the file; running downloads keep reading the one before.
final class CatalogCopy: Sendable {
    /// The name of the file in the service's folder.
    static let name = ".earshot-catalog.earcat"

    private let catalog: CatalogProvider
    private let url: URL
    private let disk: DiskReserve
    /// The generation of the catalog in the file; `nil` before the first one was written.
    private let generation = Mutex<UInt64?>(nil)
    /// Lets one request write at a time. Requests that come meanwhile wait, and find the file.
    private let queue = WorkQueue(width: 1, limit: 64, shortTurn: 0)

    init(_ catalog: CatalogProvider, folder: URL, disk: DiskReserve) {
        self.catalog = catalog
        url = folder.appendingPathComponent(Self.name)
        self.disk = disk
    }

    /// Returns a response with the file, which is written first if the catalog has changed.
    ///
    /// - Throws: `writeFailed` if there is no room for it, `serviceBusy`.
    func response() async throws(EarshotError) -> Response {
        try await queue.perform { () async throws(EarshotError) in
            // Read before the catalog: changes in between are then written again with the next version.
            let now = catalog.generation
            let isOld = generation.withLock({ $0 }) != now || !FileManager.default.fileExists(atPath: url.path)
            let whole = isOld ? try await catalog.whole() : nil
            return try await BlockingWork.run { [self] () throws(EarshotError) in
                if let whole {
                    try disk.check()
                    try whole.write(to: url, replacing: true)
                    generation.withLock { $0 = now }
                }
                return try Response.file(url, type: ServiceAPI.catalogType, tag: nil, [:])
            }
        }
    }
}
