public import Earshot
public import Foundation

extension CatalogBuild {
    /// A step of a build.
    public enum Event: Sendable {
        /// The reading of files begins; from here on an interrupted build can be resumed.
        case began(fileCount: Int)
        /// Files that an interrupted run had read already, or that cannot be opened.
        case skipped(fileCount: Int)
        /// A file was read, or could not be and is left out. Its audio lasts so long, 0 if it is left out.
        case read(URL, audio: MediaTime)
        /// All files are read and in the catalog.
        case ended
    }
}
