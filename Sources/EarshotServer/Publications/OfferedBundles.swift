package import EarshotAPI
package import EarshotCore
import EarshotNodes
package import Foundation

/// The bundles that a service offers: those in its folder, or those that its nodes share.
package struct OfferedBundles: Sendable {
    private let files: BundleRepository
    private let shared: SharedPublications?
    private let queue: WorkQueue?

    /// - Parameters:
    ///   - folder: The service's data.
    ///   - shared: The publications that nodes share; `nil` if the folder has the bundles.
    package init(folder: URL, shared: SharedPublications?) { self.init(folder: folder, shared: shared, queue: nil) }

    /// - Parameters:
    ///   - folder: The service's data.
    ///   - shared: The publications that nodes share; `nil` if the folder has the bundles.
    ///   - queue: The queue in which bundles are read; `nil` to read them at once.
    init(folder: URL, shared: SharedPublications?, queue: WorkQueue?) {
        (files, self.shared, self.queue) = (BundleRepository(folder: folder), shared, queue)
    }

    private func blocking<Value: Sendable>(
        _ body: @escaping @Sendable () throws(EarshotError) -> Value
    ) async throws(EarshotError) -> Value {
        guard let queue else { return try await BlockingWork.run(body) }
        return try await queue.run(body)
    }

    // MARK: - Reading

    /// Returns all bundles, sorted by id.
    package func all() async throws(EarshotError) -> [BundleDescription] {
        if let shared { return try await shared.store.newest(.bundle).map { BundleDescription($0) } }
        let files = files
        return try await blocking { () throws(EarshotError) in files.bundles() }
    }

    /// Returns a bundle; `nil` if there is none of this id.
    func bundle(_ id: String) async throws(EarshotError) -> BundleDescription? {
        guard let shared else { return files.bundle(id) }
        return try await shared.store.versions(of: id, .bundle).last.map { BundleDescription($0) }
    }

    /// Returns a bundle with its file; `nil` if there is none of this id.
    ///
    /// - Throws: `serviceBusy` if it is replaced at each of five attempts, and what fetching it throws.
    func file(of id: String) async throws(EarshotError) -> (bundle: BundleDescription, url: URL)? {
        if let shared {
            guard let publication = try await shared.store.versions(of: id, .bundle).last else { return nil }
            let bundle = BundleDescription(publication)
            let url = files.url(bundle)
            guard !FileManager.default.fileExists(atPath: url.path) else { return (bundle, url) }
            try await shared.ensure(publication, at: url)
            // Earlier versions are not requested any more.
            files.removeBytes(of: id, except: bundle)
            return (bundle, url)
        }
        for _ in 0..<5 {
            guard let bundle = files.bundle(id) else { return nil }
            let url = files.url(bundle)
            // If the bundle was replaced between the two reads, its file has another name: read it again.
            if FileManager.default.fileExists(atPath: url.path) || files.bundle(id) == bundle { return (bundle, url) }
        }
        throw EarshotError(.serviceBusy, "Bundle \(id) is being published anew: ask again.")
    }

    // MARK: - Publishing

    /// Returns the address where a bundle is assembled before it is published.
    ///
    /// - Throws: `writeFailed`.
    func temporaryURL() throws(EarshotError) -> URL { try files.temporaryURL() }

    /// Verifies a bundle and publishes it, replacing an earlier version.
    ///
    /// - Parameters:
    ///   - file: The file of the bundle, which is copied.
    ///   - now: The time of publication.
    /// - Throws: `bundleInvalid` if the file is no valid bundle, `destinationExists` if the same or a later version is published with other bytes, and what
    ///   the store throws.
    @discardableResult
    package func publish(_ file: URL, at now: Date = Date()) async throws(EarshotError) -> BundleDescription {
        let files = files
        guard shared != nil else {
            return try await blocking { () throws(EarshotError) in try files.publish(file, at: now) }
        }
        let copy = try await blocking { () throws(EarshotError) in try files.copy(of: file) }
        return try await publish(moving: copy, named: file.lastPathComponent, at: now)
    }

    /// Publishes a bundle by moving a temporary file of the folder, which is removed if publishing fails.
    ///
    /// - Parameters:
    ///   - name: Its name in messages.
    ///   - id: The id that it must have; `nil` for any.
    func publish(
        moving file: URL,
        named name: String,
        id: String? = nil,
        at now: Date
    ) async throws(EarshotError) -> BundleDescription {
        let files = files
        guard let shared else {
            return try await blocking { () throws(EarshotError) in
                try files.publish(moving: file, named: name, id: id, at: now)
            }
        }
        defer { try? FileManager.default.removeItem(at: file) }
        let bundle = try await blocking { () throws(EarshotError) in
            try BundleRepository.examined(file, named: name, id: id, at: now)
        }
        let publication = Publication(
            .bundle,
            name: bundle.id,
            version: bundle.version,
            size: bundle.size,
            references: bundle.references,
            sha256: bundle.sha256,
            date: now
        )
        if let present = try await shared.store.versions(of: bundle.id, .bundle).last {
            if present.sha256 == bundle.sha256 {
                // Uploaded again: the object may have been lost, and publishing again is the remedy.
                try await shared.keep(file, of: present)
                return BundleDescription(present)
            }
            // Checked before the upload, which would be in vain.
            guard present.version < bundle.version else { throw BundleRepository.isPublished(bundle, present.version) }
        }
        try await shared.upload(file, of: publication)
        let offered = try await shared.store.replace(with: publication)
        // Another node may have published a later version meanwhile.
        guard offered.sha256 == bundle.sha256 else { throw BundleRepository.isPublished(bundle, offered.version) }
        let published = BundleDescription(offered)
        try SharedPublications.take(file, as: files.url(published))
        files.removeBytes(of: bundle.id, except: published)
        return published
    }

    /// Removes a bundle from those that the service offers.
    ///
    /// - Returns: `false` if there was none.
    package func remove(_ id: String) async throws(EarshotError) -> Bool {
        guard let shared else { return files.remove(id) }
        let isRemoved = try await shared.store.remove(id, .bundle)
        if isRemoved { files.removeBytes(of: id, except: nil) }
        return isRemoved
    }
}

extension BundleDescription {
    /// Creates the description of a bundle that nodes share.
    init(_ publication: Publication) {
        self.init(
            id: publication.name,
            version: publication.version,
            size: publication.size,
            references: publication.references,
            sha256: publication.sha256,
            published: publication.date
        )
    }
}
