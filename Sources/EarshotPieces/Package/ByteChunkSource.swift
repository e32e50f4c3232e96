import Crypto
import EarshotCore

/// A source of bytes in chunks.
protocol ByteChunkSource: AnyObject {
    /// Returns the next chunk; `nil` at the end.
    func next() throws(EarshotError) -> [UInt8]?
}

extension ZipEntryReader: ByteChunkSource {}

/// Reads all bytes of a file or of memory.
final class PlainReader: ByteChunkSource {
    /// The size of a chunk, in bytes: 256 KiB.
    private static let pieceSize = 256 << 10

    private let bytes: PackageBytes
    private var place = 0

    init(_ bytes: PackageBytes) {
        self.bytes = bytes
    }

    func next() throws(EarshotError) -> [UInt8]? {
        let count = min(Self.pieceSize, bytes.count - place)
        guard count > 0 else { return nil }
        defer { place += count }
        return try bytes.read(at: place, count: count)
    }
}

/// The size and the digests of a stream of bytes.
struct PartDigest {
    private var hash = SHA256()
    private var checksum = ZipChecksum()
    private(set) var size = 0

    mutating func update(_ bytes: [UInt8]) {
        hash.update(data: bytes)
        checksum.update(bytes)
        size += bytes.count
    }

    /// The CRC-32.
    var zipChecksum: UInt32 { checksum.value }

    /// The SHA-256 digest, as hexadecimal digits.
    var sha256: String { hash.finalize().hexadecimal }
}

/// Reads a part and compares it with the manifest. The end is returned only if size and digest match.
final class VerifiedReader: ByteChunkSource {
    private let part: PiecePart
    private let reader: any ByteChunkSource
    private let fault: PackageFault
    private var digest = PartDigest()

    init(_ reader: any ByteChunkSource, as part: PiecePart, _ fault: PackageFault) {
        self.reader = reader
        self.part = part
        self.fault = fault
    }

    func next() throws(EarshotError) -> [UInt8]? {
        if let piece = try reader.next() {
            digest.update(piece)
            guard digest.size <= part.size else { throw wrong }
            return piece
        }
        guard digest.size == part.size, digest.sha256 == part.sha256 else { throw wrong }
        return nil
    }

    private var wrong: EarshotError {
        fault.invalid("\(PackageFault.quoted(part.file)) is not what the manifest says: size or digest differ")
    }
}
