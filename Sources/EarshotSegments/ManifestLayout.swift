package import EarshotCore

/// The frame of a manifest: magic number and version in front, in some formats the length of the file (4 bytes), and a CRC-32C of
/// all bytes at the end.
package struct ManifestLayout: Sendable {
    private let magic: [UInt8]
    private let majorVersion: UInt16
    private let minorVersion: UInt16
    private let hasLength: Bool
    /// The size of a manifest that names nothing.
    private let minimumSize: Int

    package init(magic: [UInt8], majorVersion: UInt16, minorVersion: UInt16, hasLength: Bool, minimumSize: Int) {
        (self.magic, self.hasLength, self.minimumSize) = (magic, hasLength, minimumSize)
        (self.majorVersion, self.minorVersion) = (majorVersion, minorVersion)
    }

    /// Puts what a manifest says into its frame.
    package func bytes(around content: [UInt8]) -> [UInt8] {
        let size = magic.count + (hasLength ? 12 : 8) + content.count
        var writer = ByteWriter(reservingCapacity: size)
        writer.write(contentsOf: magic)
        writer.write(majorVersion)
        writer.write(minorVersion)
        if hasLength { writer.write(UInt32(clamping: size)) }
        writer.write(contentsOf: content)
        writer.write(CRC32C.checksum(writer.bytes))
        return writer.bytes
    }

    /// Checks the frame of a manifest.
    ///
    /// - Parameter bytes: The whole file.
    /// - Returns: A reader of what stands inside the frame.
    package func content(of bytes: [UInt8]) throws(FormatDamage) -> ByteReader {
        guard bytes.starts(with: magic) else { throw .foreign }
        guard bytes.count >= magic.count + 4 else { throw .truncated }
        var reader = ByteReader(Array(bytes.dropLast(4)))
        _ = reader.read(count: magic.count)
        var front = ByteReader(Array(bytes[magic.count..<magic.count + 4]))
        guard let major = front.read(UInt16.self), let minor = front.read(UInt16.self) else { throw .truncated }
        guard major == majorVersion else { throw .version(major: major, minor: minor) }
        guard bytes.count >= minimumSize, reader.read(UInt32.self) != nil else { throw .truncated }
        if hasLength {
            guard let length = reader.read(UInt32.self), Int(length) == bytes.count else { throw .length }
        }
        var tail = ByteReader(Array(bytes.suffix(4)))
        guard tail.read() == CRC32C.checksum(Array(bytes.dropLast(4))) else { throw .checksum }
        return reader
    }
}
