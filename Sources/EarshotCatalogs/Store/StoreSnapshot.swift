import EarshotCore
import EarshotSegments
import Foundation

/// The state of a store at one moment: the manifest and its opened segments.
///
/// The segments are mapped. So they stay readable as long as they are referenced, even if their files are deleted.
struct StoreSnapshot: Sendable {
    let folder: URL
    var manifest: StoreManifest
    var segments: [Segment]

    /// Returns `true` if the address is a folder with the suffix `.earstore` or with a manifest in it.
    static func isStore(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue else {
            return false
        }
        return url.pathExtension == "earstore"
            || FileManager.default.fileExists(atPath: StoreFolder.manifestURL(in: url).path)
    }

    /// Opens the store without waiting for a writer.
    ///
    /// A writer may delete files after this reads the manifest and before it opens them. Then there is a newer
    /// manifest, which is read instead.
    ///
    /// - Throws: `catalogAddressInvalid` if there is no folder, `catalogInvalid` if a file in it is damaged.
    init(_ folder: URL) throws(EarshotError) {
        self.folder = folder
        (manifest, segments) = try StoreFolder.openLatest { () throws(EarshotError) in
            try Self.manifest(folder)
        } open: { manifest throws(EarshotError) in
            try manifest.entries.map { entry throws(EarshotError) in try Self.segment(entry, folder) }
        }
    }

    var catalog: Catalog {
        var catalog = Catalog(
            targets: zip(segments, manifest.entries).map { MaskedSegment(segment: $0, removed: $1.removed) },
            queryLimits: manifest.limits,
            name: folder.path
        )
        catalog.identity = CatalogIdentity(
            id: folder.deletingPathExtension().lastPathComponent,
            version: "\(manifest.generation)",
            source: folder
        )
        return catalog
    }

    func url(_ entry: StoreManifest.Entry) -> URL { folder.appendingPathComponent(entry.fileName) }

    private static func manifest(_ folder: URL) throws(EarshotError) -> StoreManifest {
        guard FileManager.default.fileExists(atPath: folder.path) else {
            throw EarshotError(
                .catalogAddressInvalid,
                "There is no catalog that can be opened at \(folder.path): check the path and that you may read it."
            )
        }
        let path = StoreFolder.manifestURL(in: folder).path
        guard let bytes = try? StoreFolder.readManifest(in: folder) else {
            throw StoreManifest.damage(path, "is missing or cannot be read")
        }
        return try StoreManifest(bytes, name: path)
    }

    static func segment(_ entry: StoreManifest.Entry, _ folder: URL) throws(EarshotError) -> Segment {
        let url = folder.appendingPathComponent(entry.fileName)
        let bytes: MappedBytes
        do {
            bytes = try MappedBytes(catalog: url)
        } catch {
            throw StoreManifest.damage(url.path, "is missing, empty or cannot be read")
        }
        guard UInt64(bytes.count) == entry.size else {
            throw StoreManifest.damage(url.path, "has \(bytes.count) bytes in place of \(entry.size)")
        }
        let segment = try Segment(bytes, name: url.path)
        guard segment.referenceCount == entry.referenceCount else {
            throw StoreManifest.damage(url.path, "is another file than the one that was written")
        }
        return segment
    }

    /// Checks every byte of the segments, and that no name occurs twice.
    ///
    /// - Throws: `catalogInvalid` with the damaged file.
    func verify() throws(EarshotError) {
        var names: Set<ReferenceID> = []
        for (segment, entry) in zip(segments, manifest.entries) {
            let path = url(entry).path
            guard segment.bytes.checksum(of: 0..<segment.bytes.count) == entry.checksum else {
                throw StoreManifest.damage(path, "is damaged: its checksum does not fit")
            }
            try segment.verify(name: path)
            for number in 0..<segment.referenceCount where !entry.removed.contains(number) {
                guard let id = segment.id(number), names.insert(id).inserted else {
                    throw StoreManifest.damage(path, "has a reference whose name another one has, too")
                }
            }
        }
    }
}
