extension CatalogBuild {
    /// The result of a build.
    public struct Report: Sendable, Encodable {
        /// The path of the catalog.
        public package(set) var catalog: String
        /// References in the catalog.
        public package(set) var references = 0
        /// References added, with those of an interrupted run.
        public package(set) var added = 0
        /// References replaced because their file has changed.
        public package(set) var replaced = 0
        /// References removed, because their file is gone or a duplicate took their place.
        public package(set) var removed = 0
        /// Files whose reference was up to date.
        public package(set) var unchanged = 0
        /// Files that an interrupted run had read.
        public package(set) var resumed = 0
        /// Files that were left out, by path.
        public package(set) var skipped: [IngestFailure] = []
        /// Files whose audio is not as long as they declare.
        public package(set) var durationWarnings: [DurationWarning] = []
        /// Additions that have audio in common with references.
        public package(set) var duplicates: [DuplicateNote] = []
        /// References whose media items a table has changed.
        public package(set) var changedItems = 0
        /// Files that a table of media items names and that are not there.
        public package(set) var unknownFiles: [String] = []
        /// The length of the audio that was read, in seconds.
        public package(set) var audioSeconds = 0.0
        /// The time that the build took, in seconds.
        public package(set) var seconds = 0.0
        /// The size of the catalog, in bytes.
        public package(set) var bytes = 0

        /// Creates the report of a build that has only listed its files.
        ///
        /// - Parameters:
        ///   - catalog: The path of the catalog.
        ///   - skipped: The files that could not be listed.
        package init(catalog: String, skipped: [IngestFailure] = []) {
            (self.catalog, self.skipped) = (catalog, skipped)
        }
    }
}
