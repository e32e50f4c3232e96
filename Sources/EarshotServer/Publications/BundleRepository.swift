import Crypto
package import EarshotAPI
package import EarshotCore
import EarshotMonitor
package import Foundation
import Synchronization

/// The bundles that a service offers, in its folder. `bundle-shelf/ID.json` describes a bundle and names its file
/// `bundle-shelf/ID-DIGEST.earbundle`, so that publishing replaces a bundle in one step.
///
/// The service and the operator's commands may use it at the same time. All functions block.
package struct BundleRepository: Sendable {
    package static let folderName = "bundle-shelf"

    private let root: URL

    /// Held while a bundle is published or removed: two changes at once could leave a note that names a removed file.
    private static let publishing = Mutex(())

    /// - Parameter folder: The service's data.
    package init(folder: URL) {
        root = folder.appendingPathComponent(Self.folderName)
    }

    /// The number of digits of the digest in a file name.
    private static let digestLength = 16

    func url(_ bundle: BundleDescription) -> URL {
        root.appendingPathComponent("\(bundle.id)-\(bundle.sha256.prefix(Self.digestLength)).earbundle")
    }
    private func noteURL(_ id: String) -> URL { root.appendingPathComponent("\(id).json") }

    /// Returns the address where a bundle is assembled before publication, next to the others.
    ///
    /// - Throws: `writeFailed`.
    func temporaryURL() throws(EarshotError) -> URL {
        try makeFolder()
        return root.appendingPathComponent("tmp-\(UUID().uuidString)")
    }

    private func makeFolder() throws(EarshotError) {
        do {
            try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        } catch {
            throw EarshotError(
                .writeFailed,
                "\(root.path) cannot be made: check its folder, and the room left.",
                cause: error
            )
        }
    }

    /// Returns all bundles, sorted by id.
    package func bundles() -> [BundleDescription] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        return names.filter { $0.hasSuffix(".json") }.compactMap { bundle(String($0.dropLast(5))) }
            .sorted { $0.id < $1.id }
    }

    /// Returns the bundle with an id; `nil` if there is none.
    package func bundle(_ id: String) -> BundleDescription? {
        guard ResourceName.isValid(id), let data = FileManager.default.contents(atPath: noteURL(id).path) else {
            return nil
        }
        return try? ServiceAPI.decoder().decode(BundleDescription.self, from: data)
    }

    /// Verifies a bundle and publishes it, replacing an earlier version.
    ///
    /// - Parameters:
    ///   - file: The file of the bundle, which is copied.
    ///   - now: The time of publication.
    /// - Throws: `bundleInvalid` if the file is no valid bundle, `destinationExists` if the same or a later version is published with other
    ///   bytes, `writeFailed`, and what opening a file throws.
    @discardableResult
    package func publish(_ file: URL, at now: Date = Date()) throws(EarshotError) -> BundleDescription {
        try publish(file, isReplacing: false, at: now)
    }

    private func publish(_ file: URL, isReplacing: Bool, at now: Date) throws(EarshotError) -> BundleDescription {
        try publish(moving: try copy(of: file), named: file.lastPathComponent, isReplacing: isReplacing, at: now)
    }

    /// Copies a bundle to a temporary name in the folder.
    ///
    /// - Throws: `bundleInvalid` for a folder, `writeFailed`.
    func copy(of file: URL) throws(EarshotError) -> URL {
        guard (try? file.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory != true else {
            throw EarshotError(.bundleInvalid, "\(file.path) is a folder, and no bundle: name the bundles in it.")
        }
        let target = try temporaryURL()
        do {
            try FileManager.default.copyItem(at: file, to: target)
        } catch {
            try? FileManager.default.removeItem(at: target)
            throw EarshotError(
                .writeFailed,
                "\(file.path) cannot be copied to \(root.path): check the path, the rights, and the room left.",
                cause: error
            )
        }
        return target
    }

    /// Publishes a bundle by moving a temporary file of the folder, which is removed if publishing fails.
    func publish(
        moving file: URL,
        named name: String,
        id: String? = nil,
        isReplacing: Bool = false,
        at now: Date
    ) throws(EarshotError) -> BundleDescription {
        defer { try? FileManager.default.removeItem(at: file) }
        let record = try Self.examined(file, named: name, id: id, at: now)
        return try Self.publishing.withLock { _ throws(EarshotError) in
            if let present = bundle(record.id) {
                // A bundle whose file was lost may be published again in the same version.
                let isWhole = Self.size(of: url(present)) == present.size
                if present.sha256 == record.sha256, isWhole { return present }
                guard record.version > present.version || isReplacing || !isWhole else {
                    throw Self.isPublished(record, present.version)
                }
            }
            do {
                guard rename(file.path, url(record).path) == 0 else {
                    throw EarshotError(
                        .writeFailed,
                        "\(url(record).path) cannot be written: check the folder's rights."
                    )
                }
                try AtomicFile.write(
                    [UInt8](ServiceAPI.encoder().encode(record)),
                    to: noteURL(record.id),
                    replacing: true
                )
            } catch let error as EarshotError {
                throw error
            } catch {
                throw EarshotError(
                    .writeFailed,
                    "\(noteURL(record.id).path) cannot be written: check the folder's rights.",
                    cause: error
                )
            }
            removeBytes(of: record.id, except: record)
            return record
        }
    }

    /// Reads a bundle to its end to verify it, and flushes its file to the disk.
    ///
    /// - Parameters:
    ///   - name: Its name in messages.
    ///   - id: The id that it must have; `nil` for any.
    /// - Throws: `bundleInvalid`, and what reading throws.
    static func examined(
        _ file: URL,
        named name: String,
        id: String?,
        at now: Date
    ) throws(EarshotError) -> BundleDescription {
        let record = try read(file, name, at: now)
        // Flushed here, outside of the lock, where nobody waits for it.
        try flush(file)
        guard id == nil || id == record.id else {
            throw EarshotError(
                .bundleInvalid,
                "The bundle is \(record.id), and not \(id ?? ""): publish it under its own id."
            )
        }
        guard ResourceName.isValid(record.id) else {
            throw EarshotError(
                .bundleInvalid,
                "The bundle's id \(record.id) is too long to be published: use up to 64 characters."
            )
        }
        return record
    }

    /// Returns the failure of publishing a version that is not later than the published one.
    static func isPublished(_ bundle: BundleDescription, _ version: Int) -> EarshotError {
        EarshotError(
            .destinationExists,
            "Bundle \(bundle.id) is published in version \(version): build it with a later one than \(bundle.version)."
        )
    }

    /// Removes the files of other versions of a bundle. Open readers are not disturbed.
    ///
    /// - Parameters:
    ///   - id: The id of the bundle.
    ///   - bundle: The version whose file stays; `nil` to remove all.
    func removeBytes(of id: String, except bundle: BundleDescription?) {
        let kept = bundle.map { url($0).lastPathComponent }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        where name.hasSuffix(".earbundle") && name.dropLast(11 + Self.digestLength) == id && name != kept {
            try? FileManager.default.removeItem(at: root.appendingPathComponent(name))
        }
    }

    /// Copies all bundles to the repository of another folder, replacing those with the same ids. Other bundles there stay.
    ///
    /// - Throws: `writeFailed`, and `bundleInvalid` for one that is damaged.
    package func copy(to folder: URL) throws(EarshotError) {
        for bundle in bundles() {
            _ = try BundleRepository(folder: folder).publish(url(bundle), isReplacing: true, at: bundle.published)
        }
    }

    private static func size(of url: URL) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: url.path)[.size]) as? Int
    }

    /// Flushes a file to the disk.
    private static func flush(_ url: URL) throws(EarshotError) {
        do {
            let handle = try FileHandle(forReadingFrom: url)
            defer { try? handle.close() }
            try handle.synchronize()
        } catch {
            throw EarshotError(.writeFailed, "\(url.path) cannot be flushed: check the disk.", cause: error)
        }
    }

    /// Removes a bundle.
    ///
    /// - Returns: `true` if there was one.
    @discardableResult
    package func remove(_ id: String) -> Bool {
        Self.publishing.withLock { _ in
            guard bundle(id) != nil else { return false }
            // The note first: without it the bundle does not exist, even if removing its file fails.
            try? FileManager.default.removeItem(at: noteURL(id))
            removeBytes(of: id, except: nil)
            return true
        }
    }

    /// Reads a bundle to its end, and returns its description.
    private static func read(_ file: URL, _ name: String, at now: Date) throws(EarshotError) -> BundleDescription {
        guard let handle = FileHandle(forReadingAtPath: file.path) else {
            throw EarshotError(.assetUnreadable, "\(name) cannot be read: check that you may read it.")
        }
        defer { try? handle.close() }
        var digest = SHA256()
        var reader = BundleReader(name: name)
        var size = 0
        while true {
            let part: Data
            do {
                part = try handle.read(upToCount: 1 << 18) ?? Data()
            } catch {
                throw EarshotError(.readFailed, "\(name) cannot be read further: check the disk.", cause: error)
            }
            guard !part.isEmpty else { break }
            digest.update(data: part)
            size += part.count
            reader.append(part)
            while try reader.next() != nil {}
        }
        let summary = try reader.finish()
        guard let header = reader.header else {
            throw EarshotError(.bundleInvalid, "\(name) is no bundle: build one with `earshot bundle build`.")
        }
        return BundleDescription(
            id: header.id,
            version: Int(clamping: header.version),
            size: size,
            references: summary.referenceCount,
            sha256: digest.finalize().hexadecimal,
            published: now
        )
    }
}
