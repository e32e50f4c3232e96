import EarshotSegments
public import EarshotCore
public import Foundation

extension FingerprintIndex {
    // MARK: - What is damaged

    /// Opens an index for writing. A damaged one is moved aside and replaced by an empty index, which the caller can
    /// fill again from another source.
    ///
    /// - Parameters:
    ///   - url: The folder of the index. A damaged index is moved to the same name with the suffix `.damaged`,
    ///     replacing an earlier one there.
    ///   - algorithm: The algorithm of a new index.
    /// - Returns: The index, and the error of the damaged one; `nil` if none was damaged.
    /// - Throws: `storeUnavailable` if it may not be read or another process changes it; `writeFailed`.
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

    static func segmentURL(_ number: UInt64, in folder: URL) -> URL {
        folder.appendingPathComponent(FingerprintManifest.segmentName(number))
    }

    /// Makes the folder and takes the right to change the index in it.
    static func takeLock(_ folder: URL) throws(EarshotError) -> StoreLock {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw EarshotError(
                .writeFailed,
                "The folder \(folder.path) cannot be made: check that the folder above it exists and may be written.",
                cause: error
            )
        }
        let patience = LockPatience(
            seconds: 0,
            refusal: { path, holder in
                EarshotError(
                    .storeUnavailable,
                    "The fingerprint index at \(path) is being changed by \(holder?.description ?? "another program"): wait "
                        + "until that is done."
                )
            }
        )
        return try StoreLock(folder, patience: patience)
    }

    /// The manifest; `nil` if there is none.
    static func readManifest(_ folder: URL) throws(EarshotError) -> FingerprintManifest? {
        let path = StoreFolder.manifestURL(in: folder).path
        let bytes: [UInt8]?
        do {
            bytes = try StoreFolder.readManifest(in: folder)
        } catch {
            throw EarshotError(
                .storeUnavailable,
                "\(path) cannot be read: check its rights and the disk.",
                cause: error.cause
            )
        }
        guard let bytes else { return nil }
        return try FingerprintManifest(bytes, name: path)
    }

    /// Writes the manifest of a new index.
    static func begin(_ algorithm: FileFingerprint.Algorithm, in files: StoreFolder) throws(EarshotError) {
        guard !files.fileNames.contains(where: FingerprintManifest.segmentName.matches) else {
            throw EarshotError(
                .storeDamaged,
                "\(files.url.path) has segments of a fingerprint index and no manifest: take that from a backup, or remove the "
                    + "folder and have the index made again."
            )
        }
        try files.commit(FingerprintManifest(algorithm: algorithm).bytes, referencing: [])
    }

    /// Opens what a manifest names.
    ///
    /// - Parameter manifest: Reads the manifest.
    static func load(
        _ folder: URL,
        manifest: () throws(EarshotError) -> FingerprintManifest?
    ) throws(EarshotError) -> Snapshot {
        let (manifest, segments) = try StoreFolder.openLatest { () throws(EarshotError) in
            guard let manifest = try manifest() else {
                throw EarshotError(
                    .storeUnavailable,
                    "There is no fingerprint index at \(folder.path): check the path."
                )
            }
            return manifest
        } open: { manifest throws(EarshotError) in
            try open(manifest, in: folder)
        }
        return Snapshot(manifest: manifest, segments: segments)
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
        do {
            bytes = try MappedBytes(contentsOf: url)
        } catch {
            // That it may not be read, or that there is no memory for it, says nothing about what is in it.
            if error != .empty, access(url.path, F_OK) == 0 {
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
}
