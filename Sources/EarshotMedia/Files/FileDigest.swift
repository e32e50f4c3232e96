package import EarshotCore

/// The size and the SHA-256 digest of all bytes of a file.
package struct FileDigest: Hashable, Sendable {
    package static let byteCount = 32

    package let size: Int
    /// The SHA-256 digest: 32 bytes.
    package let bytes: [UInt8]

    package init(size: Int, bytes: [UInt8]) {
        (self.size, self.bytes) = (size, bytes)
    }

    /// Reads a file to its end and computes its digest.
    ///
    /// - Throws: The errors of reading the file.
    package init(of file: RawFile) throws(EarshotError) {
        var maker = Maker()
        try file.forEachPiece { piece, _ in maker.update(piece) }
        self = maker.digest
    }

    /// Computes a digest from bytes in the order of the file.
    package struct Maker {
        private let hash = SHA256Hash()
        private var size = 0

        package init() {}

        package mutating func update(_ bytes: [UInt8]) {
            hash.update(bytes)
            size += bytes.count
        }

        /// The digest of all bytes so far. Reading it ends the hash, also for copies: read it once.
        package var digest: FileDigest { FileDigest(size: size, bytes: hash.finish()) }
    }
}
