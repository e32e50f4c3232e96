package import EarshotCatalogs
package import EarshotCore

/// Keeps the manifests of catalogs that nodes share: which segments there are, which references were removed, which name is where.
/// A change is true once it is kept here, on all nodes; the files are in a bucket before.
///
/// All functions may be called from any task. They throw `storeUnavailable` if the store cannot be reached, and `cancelled`.
package protocol ManifestStore: Sendable {
    /// Makes an empty catalog.
    ///
    /// - Returns: `false` if there is one of this name.
    @discardableResult
    func create(_ catalog: String, limits: QueryLimits) async throws(EarshotError) -> Bool
    /// The names of all catalogs, in order.
    func catalogs() async throws(EarshotError) -> [String]
    /// The stamp of a catalog, which is another one after each change; `nil` if there is none of this name.
    func stamp(of catalog: String) async throws(EarshotError) -> String?
    /// A catalog as it is now; `nil` if there is none of this name.
    func manifest(of catalog: String) async throws(EarshotError) -> SharedManifest?

    /// The objects of the segments in which references of some names are, each once; nothing for names that the catalog does not have.
    func objects(holding names: [ReferenceID], in catalog: String) async throws(EarshotError) -> [String]

    /// Sets how many nodes hold each segment of a catalog; `nil` if all do.
    ///
    /// - Throws: `catalogAddressInvalid` if there is no such catalog.
    func setCopies(_ copies: Int?, of catalog: String) async throws(EarshotError)

    /// Segments that were merged into others, and whose objects are still kept: a node that followed for the last time before two merges
    /// finds by them what it has.
    func dropped(of catalog: String) async throws(EarshotError) -> [SharedSegment]

    /// Says that a file is about to be put into the bucket, so that it is found again if it is never committed.
    ///
    /// - Throws: `catalogAddressInvalid` if there is no such catalog.
    func announce(_ object: String, in catalog: String) async throws(EarshotError)
    /// Changes a catalog in one step.
    ///
    /// - Returns: The generation afterwards; `nil` if a name that goes is not there or came after the generation that was looked at, one that
    ///   comes is taken, the object was not announced within a day, or the change's holder does not hold the files: then nothing changed.
    /// - Throws: `catalogAddressInvalid` if there is no such catalog.
    func commit(_ change: SharedChange, to catalog: String) async throws(EarshotError) -> Int?
    /// Puts a merged segment in the place of its sources in one step. References that were removed meanwhile stay removed.
    ///
    /// - Returns: The generation afterwards; `nil` if a source is not there any more: then nothing changed.
    /// - Throws: `catalogAddressInvalid` if there is no such catalog.
    func commit(_ merge: SharedMerge, to catalog: String) async throws(EarshotError) -> Int?

    /// Names objects that nothing has needed for a time, and marks them as being removed; those marked before are among them.
    ///
    /// - Parameter seconds: How long ago they must have been dropped, or put and never committed.
    func garbage(of catalog: String, after seconds: Double) async throws(EarshotError) -> [String]
    /// Forgets objects that are not in the bucket any more.
    func forget(_ objects: [String], of catalog: String) async throws(EarshotError)
}
