import EarshotAPI
import EarshotCatalogs
import EarshotCore
import Foundation
import Hummingbird
import Synchronization

/// The catalog as one file, for whoever fetches it: written once for each version of the catalog, and shared by all who read.
///
/// It has one name. The next version takes its place, and who reads the one before it reads on.
final class CatalogCopy: Sendable {
    /// The name of the file in the service's folder, which nobody else gives to a file.
    static let name = ".earshot-catalog.earcat"

    private let catalog: CatalogProvider
    private let url: URL
    private let disk: DiskReserve
    /// The version of the catalog that the file has; `nil` as long as there is none.
    private let generation = Mutex<UInt64?>(nil)
    /// One after the other: who comes while it is written waits, and finds it.
    private let queue = WorkQueue(width: 1, limit: 64, shortTurn: 0)

    init(_ catalog: CatalogProvider, folder: URL, disk: DiskReserve) {
        self.catalog = catalog
        url = folder.appendingPathComponent(Self.name)
        self.disk = disk
    }

    /// The file as a response.
    ///
    /// - Throws: `writeFailed` where there is no room for it, `serviceBusy`.
    func response() async throws(EarshotError) -> Response {
        try await queue.perform { () async throws(EarshotError) in
            // What is added from here on is in the next version too.
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
