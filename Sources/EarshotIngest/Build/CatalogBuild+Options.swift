public import Earshot
public import Foundation

extension CatalogBuild {
    /// The options for building a catalog.
    public struct Options: Sendable {
        /// The number of files worked on at once; `nil` for one a core.
        public var jobs: Int?
        /// The policy for a file that has audio in common with a reference. By default it is added and reported.
        public var duplicates: DuplicatePolicy = .keep
        /// The shortest query of a new catalog; `nil` for that of the first exported folder, or else the standard one.
        public var minimumQuery: MediaTime?
        /// The longest query of a new catalog; `nil` for that of the first exported folder, or else the standard one.
        public var maximumQuery: MediaTime?
        /// Media items of the files, besides their tags.
        public var items: ItemTable?
        /// A text file that names further files of music, one a line: paths, from the folder of the list on.
        public var list: URL?
        /// The time to wait for another program that changes the catalog.
        package var patience = LockPatience(seconds: 10)

        /// Creates the default options.
        public init() {}

        package func limits(over known: QueryLimits) -> QueryLimits {
            QueryLimits(minimum: minimumQuery ?? known.minimum, maximum: maximumQuery ?? known.maximum)
        }
    }
}
