public import EarshotCore
import EarshotSegments
public import Foundation

extension Catalog {
    /// Opens a catalog file, or the current state of a store. Files are mapped into memory, not read: opening takes a
    /// few nanoseconds for each reference, and otherwise does not depend on the size.
    ///
    /// Later changes by a ``CatalogStore`` are not visible; open the catalog again to see them. Changes to this value
    /// stay in memory and are not written to the store.
    ///
    /// - Throws: `catalogAddressInvalid` if the address has no readable catalog; `catalogInvalid` if the file is not a
    ///   catalog, is cut short, or has an unknown version.
    public init(contentsOf url: URL) throws(EarshotError) {
        if StoreSnapshot.isStore(url) {
            self = try StoreSnapshot(url).catalog
            return
        }
        let bytes = try MappedBytes(catalog: url)
        self.init(segment: try Segment(bytes, name: url.path), name: url.path)
        identity.id = url.deletingPathExtension().lastPathComponent
        identity.source = url
    }

    /// Opens catalog files as one catalog with a segment for each. The caller ensures that no name occurs twice.
    ///
    /// - Throws: The errors of ``init(contentsOf:)``.
    package init(segments urls: [URL]) throws(EarshotError) {
        let segments = try urls.map { url throws(EarshotError) in
            try Segment(try MappedBytes(catalog: url), name: url.path)
        }
        self.init(
            targets: segments.map { MaskedSegment(segment: $0, removed: []) },
            queryLimits: segments.first?.limits ?? .standard,
            name: "The catalog"
        )
    }

    /// Reads a catalog from bytes.
    ///
    /// - Throws: `catalogInvalid` if they are not a catalog, are cut short, or have an unknown version.
    public init(data: Data) throws(EarshotError) {
        let name = "The catalog"
        self.init(segment: try Segment(MappedBytes([UInt8](data)), name: name), name: name)
    }

    /// Returns the catalog in the form of a file; see `Docs/formats/catalog.md`. Equal content in equal order gives
    /// equal bytes.
    ///
    /// - Throws: `catalogInvalid` if a part is damaged or a limit of the format is exceeded.
    public func data() throws(EarshotError) -> Data {
        let memory = SegmentMemory()
        try write(into: memory)
        return Data(memory.bytes)
    }

    /// Writes the catalog to a file that appears complete or not at all.
    ///
    /// - Parameters:
    ///   - url: The file to write. In an existing folder the file is named `Catalog.earcat`.
    ///   - replacing: `true` to replace an existing file.
    /// - Returns: The address of the written file.
    /// - Throws: `destinationExists` if the address is a store, or has a file that is not to be replaced;
    ///   `writeFailed`; the errors of ``data()``.
    @discardableResult
    public func write(to url: URL, replacing: Bool = false) throws(EarshotError) -> URL {
        var isFolder: ObjCBool = false
        var destination = url
        guard !StoreSnapshot.isStore(url) else {
            throw EarshotError(
                .destinationExists,
                "\(url.path) is a store, and a catalog file cannot take its place: choose another name."
            )
        }
        if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue {
            destination = url.appendingPathComponent("Catalog.earcat")
        }
        if !replacing, FileManager.default.fileExists(atPath: destination.path) {
            throw AtomicFile.exists(destination)
        }
        let file = try AtomicFile(destination)
        try write(into: file)
        try file.commit(replacing: replacing)
        return destination
    }

    /// Verifies a catalog file, and adds every reference of it that this catalog does not have.
    ///
    /// - Throws: The errors of opening, verifying and adding. This catalog is then unchanged.
    @discardableResult
    public mutating func add(contentsOf url: URL) throws(EarshotError) -> MergeResult {
        let other = try Catalog(contentsOf: url)
        try other.verify()
        return try add(other)
    }

    /// Verifies every byte of the opened files: checksums, names, media items, landmarks.
    ///
    /// - Throws: `catalogInvalid` with the damaged part.
    public func verify() throws(EarshotError) {
        for target in targets { try target.segment.verify(name: name) }
    }

    private func write(into sink: any SegmentSink) throws(EarshotError) {
        let all = try matchTargets()
        // A single complete segment is copied as it is.
        if all.count == 1, all[0].removed.isEmpty, all[0].segment.limits == queryLimits {
            if pending.isEmpty { try verify() }
            try SegmentMerger.copy(all[0].segment, into: sink)
        } else {
            let sources = all.map { SegmentMerger.Source(target: $0, name: name) }
            try SegmentMerger.merge(sources, limits: queryLimits, into: sink)
        }
    }
}
