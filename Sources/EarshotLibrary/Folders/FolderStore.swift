public import EarshotCore

/// What keeps the files of folder libraries between runs. Several folders may share one.
public protocol FolderStore: Sendable {
    /// What is compared of every file, in the order of the bytes of their paths.
    func known() async throws(EarshotError) -> [KnownFile]
    /// The records of paths, in the order of the paths; those that are not there are left out.
    func files(at paths: [String]) async throws(EarshotError) -> [FolderFile]
    /// Keeps records, each in the place of the one before it, and forgets others, all or none.
    ///
    /// - Parameters:
    ///   - files: The records.
    ///   - paths: What is forgotten, before the records are kept.
    func keep(_ files: [FolderFile], forgetting paths: [String]) async throws(EarshotError)
}
