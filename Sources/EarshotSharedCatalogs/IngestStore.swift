package import EarshotCore
package import EarshotNodes

/// Keeps the files that are to become references of shared catalogs. Any number of nodes takes a few of them at a time, and holds them by
/// leases. Time is measured by the store: clocks of nodes do not matter.
///
/// A file is here until it is a reference. It ends with the commit of its reference, in one step: see ``SharedChange/holder``. So each
/// file becomes one reference, whenever a node dies.
///
/// All functions may be called from any task. They throw `storeUnavailable` if the store cannot be reached, and `cancelled`.
package protocol IngestStore: ManifestStore {
    /// Enters files, all of them or none. A file whose name the catalog has is left out. One that was entered before and waits stays at its
    /// place, with the path that is given now; one that failed waits again. Of several with one name the last one counts.
    ///
    /// Failures of files whose names the catalog has by now, or whose paths are entered under other names, are forgotten.
    ///
    /// - Returns: The number of files whose names the catalog has.
    /// - Throws: `catalogAddressInvalid` if there is no such catalog.
    @discardableResult
    func enter(_ files: [IngestFile], in catalog: String) async throws(EarshotError) -> Int
    /// Returns the progress of a catalog.
    func progress(of catalog: String) async throws(EarshotError) -> IngestProgress
    /// Returns the files that failed, in order of paths.
    func failures(of catalog: String) async throws(EarshotError) -> [FailedFile]

    /// Takes files that wait, or whose lease has ended, in the order in which they were entered.
    ///
    /// - Parameters:
    ///   - count: The most files that are taken.
    ///   - seconds: The time for which the leases last from now on unless they are prolonged, in seconds.
    func claim(
        _ count: Int,
        in catalog: String,
        for node: NodeID,
        seconds: Double
    ) async throws(EarshotError) -> [IngestFile]
    /// Prolongs the leases of all files that a node holds. Those whose names the catalog has by now are ended before.
    ///
    /// - Returns: The files that it holds.
    func prolong(in catalog: String, for node: NodeID, seconds: Double) async throws(EarshotError) -> Set<ReferenceID>
    /// Ends a file that could not become a reference. Nothing happens if the node does not hold it.
    func fail(
        _ id: ReferenceID,
        in catalog: String,
        for node: NodeID,
        _ failure: Job.Failure
    ) async throws(EarshotError)
    /// Puts all files back that a node holds.
    func release(in catalog: String, for node: NodeID) async throws(EarshotError)
}
