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
    /// `true` if sizes and checksum stand behind the bytes, too.
    let hasDescriptor: Bool
    /// Where its bytes begin; set when the local header was read.
    var dataOffset = 0

    /// `true` if it is a folder.
    var isFolder: Bool { Self.isFolderName(name) }
    /// Where its bytes end.
    var dataEnd: Int { dataOffset + packedSize }

    /// Returns `true` if a name is that of a folder.
    static func isFolderName(_ name: String) -> Bool { name.utf8.last == UInt8(ascii: "/") }

    /// The fault of a name, as a part of a sentence; `nil` if it may be used.
    ///
    /// Whoever unpacks a name that is fit stays inside the folder, on any system.
    static func fault(inName name: String) -> String? {
        let shown = PackageFault.quoted(name)
        // By bytes, as file systems do: a slash with an accent is one character, and still a slash.
        let bytes = name.utf8
        if bytes.isEmpty || bytes.count > 1_024 { return "an entry has no name, or one of more than 1,024 bytes" }
        if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            return "the name \(shown) has control characters"
        }
        if bytes.contains(UInt8(ascii: "\\")) { return "the name \(shown) has a backslash" }
        if bytes.first == UInt8(ascii: "/") { return "the name \(shown) begins at the root of a file system" }
        let letters = Array(bytes.prefix(2))
        if letters.count == 2, letters[1] == UInt8(ascii: ":") { return "the name \(shown) begins with a drive" }
        let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        // A folder's name ends with a slash.
        let names = isFolderName(name) ? parts.dropLast() : parts[...]
        if names.contains(where: { $0.elementsEqual("..".utf8) || $0.elementsEqual(".".utf8) }) {
            return "the name \(shown) leads out of its folder"
        }
        if names.contains(where: { $0.isEmpty || $0.count > 255 }) {
            return "a part of the name \(shown) is empty, or has more than 255 bytes"
        }
        if names.contains(where: { FileNames.beginsJoined(Substring($0)) }) {
            return "a part of the name \(shown) begins with a mark that joins what stands before it"
        }
        return nil
    }
}
