/// A file in a ZIP archive, as described by both of its headers.
struct ZipEntry: Hashable, Sendable {
    enum Method: UInt16, Sendable {
        case stored = 0
        case deflated = 8
    }

    /// The name, including folders.
    let name: String
    let method: Method
    /// The CRC-32 of the unpacked content.
    let checksum: UInt32
    /// The size in the archive, in bytes.
    let packedSize: Int
    /// The unpacked size, in bytes.
    let size: Int
    /// The position of its local header.
    let offset: Int
    /// `true` if sizes and checksum are repeated after the bytes.
    let hasDescriptor: Bool
    /// The position of its bytes; set after the local header was read.
    var dataOffset = 0

    /// `true` if it is a folder.
    var isFolder: Bool { Self.isFolderName(name) }
    /// The end of its bytes.
    var dataEnd: Int { dataOffset + packedSize }

    /// Returns `true` if a name is that of a folder.
    static func isFolderName(_ name: String) -> Bool { name.utf8.last == UInt8(ascii: "/") }

    /// Returns the fault of a name, as a clause; `nil` if it can be used.
    ///
    /// A file that is unpacked under a valid name stays inside the folder, on any system.
    static func fault(inName name: String) -> String? {
        let shown = PackageFault.quoted(name)
        // Compared by bytes, as in file systems: a slash with a combining mark is one character but still a slash.
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
