import CTagLib

/// The library that reads and writes tags.
package enum TagLibrary {
    /// The version that it was built with, for example `1.13.0`.
    package static var version: String { String(cString: earshot_tags_library_version()) }
}
