package import EarshotCatalogs
package import EarshotCore

/// Keeps the manifests of catalogs that nodes share: which segments there are, which references were removed, which name is where.
/// A change holds for all nodes once it is kept here. Its files are put into the bucket before.
///
/// All functions may be called from any task. They throw `storeUnavailable` if the store cannot be reached, and `cancelled`.
package protocol ManifestStore: Sendable {
    /// Makes an empty catalog.
    ///
    /// - Returns: `false` if there is one of this name.
    @discardableResult
    func create(_ catalog: String, limits: QueryLimits) async throws(EarshotError) -> Bool
    /// Returns the names of all catalogs, in order.
    func catalogs() async throws(EarshotError) -> [String]
    /// Returns the stamp of a catalog, which changes with each change; `nil` if there is no catalog of this name.
    func stamp(of catalog: String) async throws(EarshotError) -> String?
    /// Returns the manifest of a catalog as it is now; `nil` if there is no catalog of this name.
    func manifest(of catalog: String) async throws(EarshotError) -> SharedManifest?

    /// Returns the objects of the segments in which references of some names are, each once. Names that the catalog does not have are ignored.
    func objects(holding names: [ReferenceID], in catalog: String) async throws(EarshotError) -> [String]

    /// Sets how many nodes hold each segment of a catalog; `nil` if all do.
    ///
    /// - Throws: `catalogAddressInvalid` if there is no such catalog.
    func setCopies(_ copies: Int?, of catalog: String) async throws(EarshotError)

    /// Segments that were merged into others, and whose objects are still kept. By them a node that has missed two merges finds out which of its
    /// files are sources of the newest segment.
    func dropped(of catalog: String) async throws(EarshotError) -> [SharedSegment]

    /// Notes that a file is about to be put into the bucket, so that it is garbage if it is never committed.
    ///
    /// - Throws: `catalogAddressInvalid` if there is no such catalog.
    func announce(_ object: String, in catalog: String) async throws(EarshotError)
    /// Changes a catalog in one step. Failures of files whose names come with it are forgotten.
    ///
    /// - Returns: The generation afterwards; `nil` if the change was refused, and nothing changed. That is so if a removed name is not there or
    ///   is newer than the change's base, an added name is taken, the object was not announced within a day, or the change's holder does not
    ///   hold the files.
    /// - Throws: `catalogAddressInvalid` if there is no such catalog.
    func commit(_ change: SharedChange, to catalog: String) async throws(EarshotError) -> Int?
    /// Puts a merged segment in the place of its sources in one step. References that were removed meanwhile stay removed.
    ///
    /// - Returns: The generation afterwards; `nil` if a source is not there any more: then nothing changed.
    /// - Throws: `catalogAddressInvalid` if there is no such catalog.
    func commit(_ merge: SharedMerge, to catalog: String) async throws(EarshotError) -> Int?

    /// Names objects that nothing has needed for a time, and marks them as being removed; those marked before are among them.
    ///
    /// - Parameter seconds: The time since they were dropped, or put and never committed, at least.
    func garbage(of catalog: String, after seconds: Double) async throws(EarshotError) -> [String]
    /// Returns those of some objects that the store does not know: they are neither announced, nor of a segment.
    func unknown(_ objects: [String], to catalog: String) async throws(EarshotError) -> [String]
    /// Forgets objects that are not in the bucket any more.
    func forget(_ objects: [String], of catalog: String) async throws(EarshotError)
}
