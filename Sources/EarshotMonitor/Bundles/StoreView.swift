import EarshotCatalogs
import EarshotCore
import EarshotSegments
import EarshotRecognition
import EarshotSignatures
import Foundation

/// The state of a fingerprint store at one moment: the manifest and its files, all open.
struct StoreView: Sendable {
    let folder: URL
    let manifest: BundleStoreManifest
    let bundles: [OpenBundle]
    private let stamp: FileState?
    /// All segments of all bundles, which are searched as one.
    private let catalog: Catalog
    /// For each segment its bundle, and how many references of the bundle stand in segments before it.
    private let owners: [(bundle: Int, base: Int)]

    /// Opens the store without waiting for anybody.
    ///
    /// A writer may delete files after this reads the manifest and before it opens them. There is a newer manifest
    /// then, which is read instead.
    ///
    /// - Parameter known: Bundles that are open already.
    /// - Throws: `storeDamaged` when the manifest cannot be used.
    init(_ folder: URL, reusing known: [OpenBundle]) throws(EarshotError) {
        let url = StoreFolder.manifestURL(in: folder)
        while true {
            let stamp = FileState(url)
            let manifest = try BundleStoreManifest.read(folder)
            let bundles = manifest.entries.map { entry in
                known.first { $0.entry == entry && $0.isCurrent(folder) } ?? OpenBundle(entry, folder: folder)
            }
            guard bundles.allSatisfy({ $0.damage == nil }) || FileState(url) == stamp else { continue }
            self.init(folder, manifest, bundles, stamp)
            return
        }
    }

    private init(_ folder: URL, _ manifest: BundleStoreManifest, _ bundles: [OpenBundle], _ stamp: FileState?) {
        self.folder = folder
        self.manifest = manifest
        self.bundles = bundles
        self.stamp = stamp
        var files: [SegmentFile] = []
        var owners: [(bundle: Int, base: Int)] = []
        for (index, bundle) in bundles.enumerated() {
            guard case .success(let open) = bundle.files else { continue }
            var base = 0
            for segment in open.segments {
                files.append(segment)
                owners.append((index, base))
                base += segment.referenceCount
            }
        }
        catalog = Catalog(files, name: folder.path)
        self.owners = owners
    }

    /// `true` if nothing in the folder has changed since it was opened.
    var isCurrent: Bool {
        FileState(StoreFolder.manifestURL(in: folder)) == stamp
            && bundles.allSatisfy { $0.isCurrent(folder) }
    }

    /// Bundles with a file that cannot be used.
    var problems: [(bundle: OpenBundle, error: EarshotError)] {
        bundles.compactMap { bundle in bundle.damage.map { (bundle, $0) } }
    }

    /// The references that hold a query, best first.
    ///
    /// - Throws: `signatureDurationInvalid`; `storeDamaged` if no undamaged bundle is left to search.
    func lookup(_ query: Signature) throws(EarshotError) -> [LocalMatch] {
        if let error = problems.first?.error, problems.count == bundles.count { throw error }
        var matches: [LocalMatch] = []
        var damage: EarshotError?
        for place in try catalog.places(of: query) {
            let owner = owners[place.segment]
            let bundle = bundles[owner.bundle]
            do {
                let details = try bundle.files.get().details.details(of: owner.base + place.number)
                matches.append(
                    LocalMatch(
                        reference: place.match.id,
                        bundle: bundle.entry.bundle.id,
                        match: place.match,
                        title: details.title,
                        subtitle: details.subtitle,
                        work: details.work,
                        customData: details.customData
                    )
                )
            } catch {
                bundle.note(error)
                damage = error
            }
        }
        if let damage, matches.isEmpty { throw damage }
        return matches
    }
}
