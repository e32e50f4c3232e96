import EarshotCore
import EarshotSegments
import Foundation

extension MappedBytes {
    /// Maps a catalog file.
    ///
    /// - Throws: `catalogAddressInvalid` if the file cannot be read, `catalogInvalid` if it is empty.
    convenience init(catalog url: URL) throws(EarshotError) {
        do {
            try self.init(contentsOf: url)
        } catch {
            func invalid(_ what: String) -> EarshotError {
                EarshotError(.catalogAddressInvalid, "\(what) at \(url.path): check the path and that you may read it.")
            }
            switch error {
            case .unreadable: throw invalid("There is no catalog that can be opened")
            case .special: throw invalid("There is no file")
            case .memory: throw invalid("The memory cannot hold the catalog")
            case .folder:
                throw EarshotError(
                    .catalogAddressInvalid,
                    "\(url.path) is a folder and no store: name a catalog, or make one of the music in it with "
                        + "`earshot catalog create`."
                )
            case .empty: throw EarshotError(.catalogInvalid, "\(url.path) is empty: make the catalog again.")
            }
        }
    }
}
