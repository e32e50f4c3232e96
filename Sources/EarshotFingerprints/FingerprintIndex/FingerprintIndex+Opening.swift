import EarshotCatalogs
public import EarshotCore
public import Foundation

extension FingerprintIndex {
    // MARK: - What is damaged

    /// Opens an index for changing it. One that is damaged is put aside, and a new and empty one begun in its place: for those who can
    /// make it again of what they keep elsewhere.
    ///
    /// - Parameters:
    ///   - url: Its folder. What is put aside gets the ending `.damaged`; what was there under that name is removed.
    ///   - algorithm: The algorithm of a new index.
    /// - Returns: The index, and what was wrong with the one that was put aside.
    /// - Throws: `storeUnavailable` when it may not be read or somebody else changes it; `writeFailed`.
    public static func replacingDamaged(
        at url: URL,
        algorithm: FileFingerprint.Algorithm = .standard
    ) throws(EarshotError) -> (index: FingerprintIndex, damage: EarshotError?) {
        do throws(EarshotError) {
            return (try FingerprintIndex(at: url, access: .writing, algorithm: algorithm), nil)
        } catch {
            guard error.code == .storeDamaged else { throw error }
            try putAside(url)
            return (try FingerprintIndex(at: url, access: .writing, algorithm: algorithm), error)
        }
    }

    private static func putAside(_ url: URL) throws(EarshotError) {
        let folder = url.standardizedFileURL
        let aside = folder.deletingLastPathComponent().appendingPathComponent(folder.lastPathComponent + ".damaged")
        do {
            if FileManager.default.fileExists(atPath: aside.path) { try FileManager.default.removeItem(at: aside) }
            try FileManager.default.moveItem(at: folder, to: aside)
        } catch {
            throw EarshotError(
                .writeFailed,
                "The damaged fingerprint index at \(folder.path) cannot be put aside: remove it, and it is made again.",
                cause: error
            )
        }
    }

    // MARK: - Files

    static func manifestURL(_ folder: URL) -> URL { folder.appendingPathComponent("manifest") }

    static func segmentURL(_ number: UInt64, in folder: URL) -> URL {
        folder.appendingPathComponent("\(number).earprints")
    }

    /// The bytes of the manifest; nothing where there is none. One that cannot be read is not taken for one that is missing: what it
    /// names would be lost.
    static func readManifest(_ folder: URL) throws(EarshotError) -> [UInt8]? {
        let url = manifestURL(folder)
        do {
            return [UInt8](try Data(contentsOf: url))
        } catch {
            var status = stat()
            if lstat(url.path, &status) != 0, errno == ENOENT || errno == ENOTDIR { return nil }
            throw EarshotError(
                .storeUnavailable,
                "\(url.path) cannot be read: check its rights and the disk.",
                cause: error
            )
        }
    }

    /// Writes the manifest of a new index.
    static func begin(_ algorithm: FileFingerprint.Algorithm, in folder: URL) throws(EarshotError) {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        guard !files.contains(where: { $0.hasSuffix(".earprints") }) else {
            throw EarshotError(
                .storeDamaged,
                "\(folder.path) has segments of a fingerprint index and no manifest: take that from a backup, or remove the "
                    + "folder and have the index made again."
            )
        }
        try AtomicFile.write(
            FingerprintManifest(algorithm: algorithm).bytes,
            to: manifestURL(folder),
            replacing: true
        )
    }

    /// Opens what a manifest names.
    ///
    /// - Parameter manifest: Reads it. Where a segment is missing it is read again: whoever changes the index may have put another
    ///   in its place since, and removed segments of the one before.
    static func load(
        _ folder: URL,
        manifest: () throws(EarshotError) -> [UInt8]?
    ) throws(EarshotError) -> Snapshot {
        var bytes = try manifest()
        while true {
            guard let read = bytes else {
                throw EarshotError(
                    .storeUnavailable,
                    "There is no fingerprint index at \(folder.path): check the path."
                )
            }
            let known = try FingerprintManifest(read, name: manifestURL(folder).path)
            do throws(EarshotError) {
                return Snapshot(manifest: known, segments: try open(known, in: folder))
            } catch {
                bytes = try manifest()
                if bytes == read { throw error }
            }
        }
    }

    private static func open(
        _ manifest: FingerprintManifest,
        in folder: URL
    ) throws(EarshotError) -> [FingerprintSegment] {
        var segments: [FingerprintSegment] = []
        for entry in manifest.entries {
            let segment = try open(entry.number, in: folder)
            guard segment.algorithm == manifest.algorithm,
                entry.removed.allSatisfy({ $0 < segment.documentCount })
            else { throw FingerprintSegment.damaged(segment.name, "it does not fit the manifest") }
            segments.append(segment)
        }
        return segments
    }

    static func open(_ number: UInt64, in folder: URL) throws(EarshotError) -> FingerprintSegment {
        let url = segmentURL(number, in: folder)
        let bytes: MappedBytes
        do throws(EarshotError) {
            bytes = try MappedBytes(contentsOf: url)
        } catch {
            // That it may not be read, or that there is no memory for it, says nothing about what is in it.
            if error.code == .catalogAddressInvalid, access(url.path, F_OK) == 0 {
                throw EarshotError(
                    .storeUnavailable,
                    "\(url.path) cannot be read: check its rights and the memory left.",
                    cause: error
                )
            }
            throw EarshotError(
                .storeDamaged,
                "\(url.path) is missing or empty: take it from a backup, or have the index made again.",
                cause: error
            )
        }
        return try FingerprintSegment(bytes, name: url.path)
    }

    /// Removes segments that no manifest names, and files that were never finished: what a lost process or a merge has left.
    func removeOrphans() {
        let names = Set(snapshot.manifest.entries.map { Self.segmentURL($0.number, in: url).lastPathComponent })
        let files = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        for file in files {
            let isPartial = file.hasPrefix(".earshot-") && file.hasSuffix(".partial")
            guard isPartial || file.hasSuffix(".earprints") && !names.contains(file) else { continue }
            try? FileManager.default.removeItem(at: url.appendingPathComponent(file))
        }
    }
}
