/// The rules for names of published catalogs, bundles and media folders, which are also names of files.
package enum ResourceName {
    /// Returns `true` if a name has 1 to 64 ASCII letters, digits, hyphens, dots and underscores, and does not begin
    /// with a dot.
    package static func isValid(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count) && !name.hasPrefix(".")
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || [0x2D, 0x2E, 0x5F].contains(byte)
            }
    }
}
