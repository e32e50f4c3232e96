package import Earshot
import Foundation

/// The catalog that an argument names.
package enum CatalogArgument {
    /// Opens the catalog of an argument.
    ///
    /// - Throws: `catalogAddressInvalid` for an address, which is not opened from afar, and what opening throws.
    package static func open(_ path: String) throws(EarshotError) -> Catalog {
        guard !path.contains("://") else {
            throw EarshotError(
                .catalogAddressInvalid,
                "\(path) is an address, and a catalog is opened from this machine: fetch it with "
                    + "`earshot catalog pull \(path) -o NAME.earcat`, or ask a recognition service with "
                    + "`earshot identify --server`."
            )
        }
        return try Catalog(contentsOf: URL(fileURLWithPath: path))
    }
}
