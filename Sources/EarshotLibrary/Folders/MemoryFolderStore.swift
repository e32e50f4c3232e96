/// A store of folder records in memory, for tests and for libraries that are not kept.
public actor MemoryFolderStore: FolderStore {
    private var files: [String: FolderFile] = [:]

    /// Creates an empty store.
    public init() {}

    /// Returns the compared part of every record, in byte order of the paths.
    public func known() -> [KnownFile] {
        files.values.map(KnownFile.init).sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// Returns the records of paths, in order of the paths; unknown paths are left out.
    public func files(at paths: [String]) -> [FolderFile] {
        paths.compactMap { files[$0] }
    }

    /// Removes records and stores others, replacing those with the same path.
    public func keep(_ files: [FolderFile], forgetting paths: [String]) {
        for path in paths { self.files[path] = nil }
        for file in files { self.files[file.path] = file }
    }
}
