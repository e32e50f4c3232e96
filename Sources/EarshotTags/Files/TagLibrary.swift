import CTagLib

/// The library that reads and writes tags: TagLib.
package enum TagLibrary {
    /// The version of TagLib at compile time, for example `1.13.0`.
    package static var version: String { String(cString: earshot_tags_library_version()) }
}
