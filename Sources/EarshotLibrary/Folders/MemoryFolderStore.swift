/// Keeps the files of libraries in memory.
public actor MemoryFolderStore: FolderStore {
    private var files: [String: FolderFile] = [:]

    /// Creates empty totals.
    public init() {}

    /// The compared part of every record, in byte order of the paths.
    public func known() -> [KnownFile] {
        files.values.map(KnownFile.init).sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// The records of paths.
    public func files(at paths: [String]) -> [FolderFile] {
        paths.compactMap { files[$0] }
    }

    /// Keeps records and forgets others.
    public func keep(_ files: [FolderFile], forgetting paths: [String]) {
        for path in paths { self.files[path] = nil }
        for file in files { self.files[file.path] = file }
    }
}
