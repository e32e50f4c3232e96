package import EarshotCore
package import Foundation

/// The folder of a store: a manifest, the files that it names, and a lock.
///
/// Files other than the manifest never change. A change writes new files and then replaces the manifest in one step, which is
/// the commit. A file that the manifest does not name does not exist for a reader, and the next writer deletes it.
package struct StoreFolder: Sendable {
    package static let manifestName = "manifest"

    /// The manifest is there and cannot be read.
    package struct Unreadable: Error {
        package let cause: any Error
    }

    package let url: URL
    private let names: [StoreFileName]
    private let disk: any StoreDisk

    /// A folder, which need not exist.
    ///
    /// - Parameters:
    ///   - url: The folder.
    ///   - names: The forms of the names of the store's files. Files of other names are not the store's and stay.
    ///   - disk: The disk that writes and deletes files.
    package init(_ url: URL, names: [StoreFileName], disk: any StoreDisk = LocalDisk()) {
        (self.url, self.names, self.disk) = (url, names, disk)
    }

    package var manifestURL: URL { Self.manifestURL(in: url) }

    package static func manifestURL(in folder: URL) -> URL { folder.appendingPathComponent(manifestName) }

    // MARK: - Reading

    /// The bytes of the manifest; `nil` if there is none. One that cannot be read is never taken for a missing one: what it
    /// names would be lost.
    package static func readManifest(in folder: URL) throws(Unreadable) -> [UInt8]? {
        let url = manifestURL(in: folder)
        var attempts = 0
        while true {
            do {
                return [UInt8](try Data(contentsOf: url))
            } catch {
                var status = stat()
                if lstat(url.path, &status) != 0, errno == ENOENT || errno == ENOTDIR { return nil }
                // A writer may have deleted the manifest and put another one there between the two looks.
                attempts += 1
                if attempts == 3 { throw Unreadable(cause: error) }
            }
        }
    }

    /// Reads the manifest and opens what it names, without waiting for anybody.
    ///
    /// A writer may delete files between the two. There is a newer manifest then, which is opened instead.
    ///
    /// - Parameters:
    ///   - read: Reads the manifest.
    ///   - open: Opens the files that a manifest names.
    /// - Throws: Errors of `read`; those of `open` if the manifest is still the same.
    package static func openLatest<Manifest: Equatable, Opened>(
        read: () throws(EarshotError) -> Manifest,
        open: (Manifest) throws(EarshotError) -> Opened
    ) throws(EarshotError) -> (manifest: Manifest, opened: Opened) {
        var manifest = try read()
        while true {
            do {
                return (manifest, try open(manifest))
            } catch {
                let now = try read()
                if now == manifest { throw error }
                manifest = now
            }
        }
    }

    /// Names of the store's own files, those of unfinished ones included; not the manifest and the lock.
    package var fileNames: [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return all.filter { name in
            // The second are files that `AtomicFile` had not finished when its process ended.
            names.contains { $0.matches(name) } || name.hasPrefix(".earshot-") && name.hasSuffix(".partial")
        }
    }

    // MARK: - Writing

    /// Writes a file that the next manifest will name.
    package func put(_ name: String, _ write: (URL) throws(EarshotError) -> Void) throws(EarshotError) {
        try disk.put(url.appendingPathComponent(name), write)
    }

    /// Commits a manifest and deletes unreferenced files.
    ///
    /// - Parameters:
    ///   - manifest: The bytes of the manifest.
    ///   - referenced: Names of the files that it names.
    /// - Throws: `writeFailed`. The former manifest then stays in force, unless the failure came after the commit.
    package func commit(_ manifest: [UInt8], referencing referenced: Set<String>) throws(EarshotError) {
        // Names of files that were not written by ``put(_:_:)`` but renamed must last before the manifest names them.
        Durability.flush(folder: url.path)
        try disk.put(manifestURL) { place throws(EarshotError) in
            try AtomicFile.write(manifest, to: place, replacing: true)
        }
        removeFiles(except: referenced)
    }

    /// Deletes the store's own files, those in a set excepted.
    package func removeFiles(except kept: Set<String>) {
        for name in fileNames where !kept.contains(name) { disk.remove(url.appendingPathComponent(name)) }
    }

    /// Deletes the manifest, which makes the store an empty one, then its files and its lock.
    ///
    /// - Throws: `writeFailed` if the manifest cannot be deleted.
    package func clear() throws(EarshotError) {
        guard unlink(manifestURL.path) == 0 || errno == ENOENT else {
            throw EarshotError(
                .writeFailed,
                "\(manifestURL.path) cannot be removed (\(String(cString: strerror(errno)))): check the rights of its folder."
            )
        }
        removeFiles(except: [])
        // Last, and while it is held: who waits for it sees that it is gone and makes a new one.
        unlink(url.appendingPathComponent(StoreLock.fileName).path)
    }
}
