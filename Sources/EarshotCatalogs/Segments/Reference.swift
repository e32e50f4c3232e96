public import EarshotCore
public import EarshotSignatures

/// A signature in a catalog with the media items that it represents.
public struct Reference: Hashable, Sendable, Identifiable {
    /// The name within the catalog.
    public let id: ReferenceID
    /// The signature as the catalog stores it: the strongest 48 landmarks a second.
    public let signature: Signature
    /// The media items that the signature represents.
    public let items: [MediaItem]

    /// The number of landmarks a second that a catalog keeps.
    package static let density = 48
    /// The largest number of media items of one reference.
    public static let maximumItems = 1_000
    /// The largest size of a name, in bytes of UTF-8.
    public static let maximumNameSize = 512

    /// A checksum of signature and items without the name: equal content has equal digests. Landmarks are digested as
    /// packed in signature files, whatever their form in the segment.
    var contentDigest: UInt64 {
        var writer = ByteWriter()
        for item in items { item.encode(to: &writer) }
        return UInt64(signature.contentDigest) << 32 | UInt64(CRC32C.checksum(writer.bytes))
    }

    /// Returns `true` if another reference has the same content; names may differ.
    func hasSameContent(as other: Reference) -> Bool {
        signature == other.signature && items == other.items
    }
}

extension Signature {
    /// A checksum of the audio: the upper half of ``Reference/contentDigest``.
    var contentDigest: UInt32 {
        let (directory, packed) = LandmarkPacking.pack(landmarks)
        var audio = ByteWriter()
        audio.write(configuration.id)
        audio.write(duration.value)
        audio.write(duration.timescale)
        var crc = CRC32C()
        for run in [audio.bytes, directory, packed, bits?.bytes ?? []] { run.withUnsafeBytes { crc.update($0) } }
        return crc.value
    }
}
