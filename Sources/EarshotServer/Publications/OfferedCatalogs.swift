import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotNodes
import Foundation

/// The catalogs that a service has published: those in its folder, or those that its nodes share.
struct OfferedCatalogs: Sendable {
    private let files: PublishedCatalogs
    private let shared: SharedPublications?
    private let queue: WorkQueue

    /// - Parameters:
    ///   - folder: The service's data.
    ///   - shared: The publications that nodes share; `nil` if the folder has the catalogs.
    ///   - queue: The queue in which catalogs are written.
    init(folder: URL, shared: SharedPublications?, queue: WorkQueue) {
        (files, self.shared, self.queue) = (PublishedCatalogs(folder: folder), shared, queue)
    }

    /// Returns the newest version of each name, in order of names.
    func newest() async throws(EarshotError) -> [CatalogVersion] {
        if let shared { return try await shared.store.newest(.catalog).map { CatalogVersion($0) } }
        let files = files
        return try await BlockingWork.run { () throws(EarshotError) in
            var newest: [CatalogVersion] = []
            for name in try files.names() {
                if let version = try files.versions(of: name).last { newest.append(version) }
            }
            return newest
        }
    }

    /// Returns the versions of a name, the oldest first.
    func versions(of name: String) async throws(EarshotError) -> [CatalogVersion] {
        if let shared { return try await shared.store.versions(of: name, .catalog).map { CatalogVersion($0) } }
        let files = files
        return try await BlockingWork.run { () throws(EarshotError) in try files.versions(of: name) }
    }

    /// Returns a version with its file; `nil` if there is none.
    ///
    /// - Parameter number: The version; `nil` for the newest one.
    func file(of name: String, _ number: Int?) async throws(EarshotError) -> (version: CatalogVersion, url: URL)? {
        guard let shared else {
            let versions = try await versions(of: name)
            let found = number.map { number in versions.first { $0.version == number } } ?? versions.last
            return found.map { ($0, files.url(name, $0.version)) }
        }
        let publications = try await shared.store.versions(of: name, .catalog)
        guard let found = number.map({ number in publications.first { $0.version == number } }) ?? publications.last
        else { return nil }
        let url = files.url(name, sha256: found.sha256)
        try await shared.ensure(found, at: url)
        return (CatalogVersion(found), url)
    }

    /// Publishes a catalog as the newest version.
    ///
    /// - Throws: `requestInvalid` for an invalid name, `writeFailed`, `storeUnavailable`.
    func publish(_ catalog: Catalog, as name: String, at now: Date) async throws(EarshotError) -> CatalogVersion {
        let files = files
        guard let shared else {
            return try await queue.run { () throws(EarshotError) in try files.publish(catalog, as: name) }
        }
        let (file, floor, publication) = try await queue.run { () throws(EarshotError) in
            let file = try files.temporaryURL(name)
            try catalog.write(to: file, replacing: true)
            let (size, sha256) = try FileChecksum.of(file)
            // A service that had its catalogs in the folder before continues their numbers.
            let floor = try files.versions(of: name).last?.version ?? 0
            let publication = Publication(
                .catalog,
                name: name,
                size: size,
                references: catalog.count,
                sha256: sha256,
                date: now
            )
            return (file, floor, publication)
        }
        defer { try? FileManager.default.removeItem(at: file) }
        try await shared.upload(file, of: publication)
        let published = try await shared.store.add(publication, above: floor)
        try SharedPublications.take(file, as: files.url(name, sha256: published.sha256))
        return CatalogVersion(published)
    }
}

extension CatalogVersion {
    /// Creates the description of a version that nodes share.
    init(_ publication: Publication) {
        self.init(
            name: publication.name,
            version: publication.version,
            size: publication.size,
            references: publication.references,
            sha256: publication.sha256
        )
    }
}
