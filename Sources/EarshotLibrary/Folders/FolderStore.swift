public import EarshotCore

/// Keeps the records of folder libraries between runs. Several folders may share one.
public protocol FolderStore: Sendable {
    /// Returns the compared part of every record, in byte order of the paths.
    func known() async throws(EarshotError) -> [KnownFile]
    /// Returns the records of paths, in order of the paths; unknown paths are left out.
    func files(at paths: [String]) async throws(EarshotError) -> [FolderFile]
    /// Removes records and stores others, replacing those with the same path, in one transaction.
    ///
    /// - Parameters:
    ///   - files: The records.
    ///   - paths: The paths to remove, before the records are stored.
    func keep(_ files: [FolderFile], forgetting paths: [String]) async throws(EarshotError)
}
