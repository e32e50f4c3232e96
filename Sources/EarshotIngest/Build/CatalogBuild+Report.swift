extension CatalogBuild {
    /// The result of a build.
    public struct Report: Sendable, Encodable {
        /// The path of the catalog.
        public internal(set) var catalog: String
        /// References in the catalog.
        public internal(set) var references = 0
        /// References added, with those of an interrupted run.
        public internal(set) var added = 0
        /// References replaced because their file has changed.
        public internal(set) var replaced = 0
        /// References removed, because their file is gone or a duplicate took their place.
        public internal(set) var removed = 0
        /// Files whose reference was up to date.
        public internal(set) var unchanged = 0
        /// Files that an interrupted run had read.
        public internal(set) var resumed = 0
        /// Files that were left out, by path.
        public internal(set) var skipped: [IngestFailure] = []
        /// Files whose audio is not as long as they declare.
        public internal(set) var durationWarnings: [DurationWarning] = []
        /// Additions that have audio in common with references.
        public internal(set) var duplicates: [DuplicateNote] = []
        /// References whose media items a table has changed.
        public internal(set) var changedItems = 0
        /// Files that a table of media items names and that are not there.
        public internal(set) var unknownFiles: [String] = []
        /// The length of the audio that was read, in seconds.
        public internal(set) var audioSeconds = 0.0
        /// The time that the build took, in seconds.
        public internal(set) var seconds = 0.0
        /// The size of the catalog, in bytes.
        public internal(set) var bytes = 0
    }
}
