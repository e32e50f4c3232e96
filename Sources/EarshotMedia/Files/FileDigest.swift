package import EarshotCore

/// The SHA-256 of all bytes of a file, and how many they are.
package struct FileDigest: Hashable, Sendable {
    package static let byteCount = 32

    package let size: Int
    /// 32 bytes.
    package let bytes: [UInt8]

    package init(size: Int, bytes: [UInt8]) {
        (self.size, self.bytes) = (size, bytes)
    }

    /// Reads a file to its end.
    package init(of file: RawFile) throws(EarshotError) {
        var maker = Maker()
        try file.forEachPiece { piece, _ in maker.update(piece) }
        self = maker.digest
    }

    /// Takes bytes in the order of the file.
    package struct Maker {
        private let hash = SHA256Hash()
        private var size = 0

        package init() {}

        package mutating func update(_ bytes: [UInt8]) {
            hash.update(bytes)
            size += bytes.count
        }

        /// The digest of all bytes. Ends the hash, also that of copies: read it once.
        package var digest: FileDigest { FileDigest(size: size, bytes: hash.finish()) }
    }
}
