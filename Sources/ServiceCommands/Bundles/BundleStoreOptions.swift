import ArgumentParser
import EarshotCore
import EarshotMonitor
import Foundation

/// Options that name the store of ingested bundles.
struct BundleStoreOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The folder of the store.",
            discussion: "Without it EARSHOT_BUNDLES, or one in the user's data folder."
        ),
        completion: .directory
    )
    var store: String?

    /// The store that the user names; `nil` for the one in the user's data folder.
    private var named: String? {
        guard let path = store ?? ProcessInfo.processInfo.environment["EARSHOT_BUNDLES"], !path.isEmpty else {
            return nil
        }
        return path
    }

    var url: URL {
        named.map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? UserFolders().own("bundles", .data)
    }

    /// The store, which the first bundle makes.
    var fingerprints: BundleStore { BundleStore(folder: url) }

    /// The store, for a command that does not make one.
    ///
    /// - Throws: `storeUnavailable` where the user names a place at which there is none. The user's own store may not be made
    ///   yet, and is empty then.
    func existing() throws(EarshotError) -> BundleStore {
        guard let named else { return fingerprints }
        let place = store == nil ? "EARSHOT_BUNDLES" : "--store"
        let remedy = "check \(place), or make a store there with `earshot bundle ingest FILE --store \(named)`."
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue else {
            throw EarshotError(.storeUnavailable, "There is no store of bundles at \(named): \(remedy)")
        }
        guard BundleStore.exists(at: url) || Self.isEmpty(url) else {
            throw EarshotError(.storeUnavailable, "The folder \(named) is no store of bundles: \(remedy)")
        }
        return fingerprints
    }

    /// Says that a folder has nothing in it but a lock, as a store that was cleared.
    static func isEmpty(_ folder: URL) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.allSatisfy { $0.hasPrefix(".") || $0 == "lock" }
    }
}
