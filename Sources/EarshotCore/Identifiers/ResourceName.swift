/// Names of resources that are also names of files: published catalogs, bundles and media folders.
package enum ResourceName {
    /// Returns whether a text has 1 to 64 letters, digits, hyphens, dots and underscores, and no dot at its begin.
    package static func isValid(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count) && !name.hasPrefix(".")
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || [0x2D, 0x2E, 0x5F].contains(byte)
            }
    }
}
