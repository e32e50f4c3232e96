/// A file in a ZIP file, as both of its headers tell it.
struct ZipEntry: Hashable, Sendable {
    enum Method: UInt16, Sendable {
        case stored = 0
        case deflated = 8
    }

    /// The name, with folders.
    let name: String
    let method: Method
    /// The CRC-32 of what is packed.
    let checksum: UInt32
    /// Bytes in the ZIP file.
    let packedSize: Int
    /// Bytes of what is packed.
    let size: Int
    /// Where its local header begins.
    let offset: Int
    /// Whether sizes and checksum stand behind the bytes, too.
    let hasDescriptor: Bool
    /// Where its bytes begin; set when the local header was read.
    var dataOffset = 0

    /// Whether it is a folder.
    var isFolder: Bool { name.hasSuffix("/") }
    /// Where its bytes end.
    var dataEnd: Int { dataOffset + packedSize }

    /// What makes a name unfit, as a part of a sentence; nothing where it may be used.
    ///
    /// Whoever unpacks a name that is fit stays inside the folder, on any system.
    static func fault(inName name: String) -> String? {
        let shown = PackageFault.quoted(name)
        if name.isEmpty || name.utf8.count > 1_024 { return "an entry has no name, or one of more than 1,024 bytes" }
        if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            return "the name \(shown) has control characters"
        }
        if name.contains("\\") { return "the name \(shown) has a backslash" }
        if name.hasPrefix("/") { return "the name \(shown) begins at the root of a file system" }
        let letters = Array(name.utf8.prefix(2))
        if letters.count == 2, letters[1] == UInt8(ascii: ":") { return "the name \(shown) begins with a drive" }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        // A folder's name ends with a slash.
        let names = name.hasSuffix("/") ? parts.dropLast() : parts[...]
        if names.contains(where: { $0 == ".." || $0 == "." }) { return "the name \(shown) leads out of its folder" }
        if names.contains(where: { $0.isEmpty || $0.utf8.count > 255 }) {
            return "a part of the name \(shown) is empty, or has more than 255 bytes"
        }
        return nil
    }
}
