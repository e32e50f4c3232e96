package import EarshotCore
package import EarshotNodes
package import Foundation
import Synchronization

/// Bundles and catalogs that every node of a service offers. A store lists them, their bytes are in a bucket, and the folder of each node is
/// a cache.
package final class SharedPublications: Sendable {
    private typealias Outcome = Result<Void, EarshotError>

    /// The time for which an unreferenced object is kept, in seconds: a day. A database dump of that age still has its
    /// objects.
    package static let garbageAge = 86_400.0

    package let store: any PublicationStore
    private let objects: any ObjectStore
    /// Files that are being fetched, by their paths.
    private let underWay = Mutex<[String: Task<Outcome, Never>]>([:])

    package init(_ store: any PublicationStore, objects: any ObjectStore) {
        (self.store, self.objects) = (store, objects)
    }

    /// Puts the bytes of a publication into the bucket, before it is published.
    ///
    /// - Throws: `storeUnavailable`, `uploadTooLarge`.
    func upload(_ file: URL, of publication: Publication) async throws(EarshotError) {
        guard publication.size <= objects.largest else {
            throw EarshotError(
                .uploadTooLarge,
                "The \(publication.kind.rawValue) \(publication.name) has \(publication.size >> 30) GiB, and \(objects.name) takes "
                    + "\(objects.largest >> 30) GiB: publish a smaller one."
            )
        }
        try await store.reserve(publication.object)
        try await keep(file, of: publication)
    }

    /// Puts the bytes of a publication into the bucket, in place of an object that may have been lost.
    ///
    /// - Throws: `storeUnavailable`.
    func keep(_ file: URL, of publication: Publication) async throws(EarshotError) {
        try await objects.keep(
            file,
            size: publication.size,
            sha256: publication.sha256,
            as: publication.object
        )
    }

    /// Fetches the bytes of a publication into a file of the cache, if it is not there. Concurrent callers share one download.
    ///
    /// - Throws: `storeDamaged` for an object that is missing or has another digest, `storeUnavailable`, `writeFailed`.
    func ensure(_ publication: Publication, at file: URL) async throws(EarshotError) {
        // Files get their names when they are whole, so one that exists is complete.
        guard !FileManager.default.fileExists(atPath: file.path) else { return }
        let task = underWay.withLock { underWay in
            if let task = underWay[file.path] { return task }
            let task = Task { [self] in
                let outcome: Outcome
                do throws(EarshotError) {
                    outcome = .success(try await fetch(publication, to: file))
                } catch {
                    outcome = .failure(error)
                }
                self.underWay.withLock { $0[file.path] = nil }
                return outcome
            }
            underWay[file.path] = task
            return task
        }
        try await task.value.get()
    }

    private func fetch(_ publication: Publication, to file: URL) async throws(EarshotError) {
        let folder = file.deletingLastPathComponent()
        try await BlockingWork.run { () throws(EarshotError) in try Durability.makeFolders(folder.path) }
        // A name that the next start of the service removes.
        let partial = folder.appendingPathComponent(".earshot-\(UUID().uuidString).partial")
        defer { try? FileManager.default.removeItem(at: partial) }
        if let fault = try await fault(of: publication, at: partial) {
            throw EarshotError(.storeDamaged, "\(fault) Publish it again.")
        }
        try await BlockingWork.run { () throws(EarshotError) in try Self.take(partial, as: file) }
    }

    /// Moves a whole file to its name in the cache.
    ///
    /// - Throws: `writeFailed`.
    static func take(_ partial: URL, as file: URL) throws(EarshotError) {
        guard rename(partial.path, file.path) == 0 else {
            throw EarshotError(.writeFailed, "\(file.path) cannot be written: check the folder's rights.")
        }
    }

    /// Fetches the bytes of a publication, and compares them with its digest.
    ///
    /// - Parameter file: The file into which the bytes are written.
    /// - Returns: The fault, as a sentence; `nil` if there is none.
    private func fault(of publication: Publication, at file: URL) async throws(EarshotError) -> String? {
        let name = "The \(publication.kind.rawValue) \(publication.name) \(publication.version) in \(objects.name)"
        do throws(EarshotError) {
            try await objects.fetch(publication.object, to: file)
        } catch {
            guard error.code == .entityNotFound else { throw error }
            return "\(name) is missing."
        }
        let (_, digest) = try await BlockingWork.run { () throws(EarshotError) in try FileChecksum.of(file) }
        return digest == publication.sha256 ? nil : "\(name) is damaged."
    }

    /// Verifies the objects of all publications in the bucket.
    ///
    /// - Parameters:
    ///   - workplace: A folder for temporary files; one object is written at a time.
    ///   - progress: Called after each object.
    /// - Returns: A sentence for each object that is missing or damaged.
    /// - Throws: `storeUnavailable`, `writeFailed`.
    package func faults(in workplace: URL, progress: () -> Void) async throws(EarshotError) -> [String] {
        var faults: [String] = []
        for publication in try await all() {
            let file = workplace.appendingPathComponent(UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: file) }
            if let fault = try await fault(of: publication, at: file) { faults.append(fault) }
            progress()
        }
        return faults
    }

    /// Returns all versions of all bundles and catalogs.
    package func all() async throws(EarshotError) -> [Publication] {
        var all: [Publication] = []
        for kind in Publication.Kind.allCases {
            for newest in try await store.newest(kind) { all += try await store.versions(of: newest.name, kind) }
        }
        return all
    }

    /// Removes objects from the bucket that nothing has needed for a day, if no other node does.
    ///
    /// - Throws: `storeUnavailable`.
    func collectGarbage(_ keeper: LeaseKeeper, after seconds: Double = garbageAge) async throws(EarshotError) {
        _ = try await keeper.run("garbage/publications") { [self] _ throws(EarshotError) in
            for object in try await store.garbage(after: seconds) {
                try await objects.remove(object)
                try await store.forget([object])
            }
        }
    }
}
