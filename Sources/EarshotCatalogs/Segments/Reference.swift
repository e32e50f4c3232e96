public import EarshotCore
public import EarshotSignatures

/// A signature in a catalog with the media items that it stands for.
public struct Reference: Hashable, Sendable, Identifiable {
    /// The name within the catalog.
    public let id: ReferenceID
    /// The signature as the catalog keeps it: the strongest 48 landmarks a second.
    public let signature: Signature
    /// What the signature stands for.
    public let items: [MediaItem]

    /// Landmarks a second that a catalog keeps.
    package static let density = 48
    /// Media items that one reference may have.
    public static let maximumItems = 1_000
    /// Bytes that a name may take.
    public static let maximumNameSize = 512

    /// A check over signature and items, the name left out: equal content has an equal digest. Landmarks count as
    /// signature files pack them, whatever their form in the segment.
    var contentDigest: UInt64 {
        let (directory, packed) = LandmarkPacking.pack(signature.landmarks)
        var audio = ByteWriter()
        audio.write(signature.configuration.id)
        audio.write(signature.duration.value)
        audio.write(signature.duration.timescale)
        var crc = CRC32C()
        for run in [audio.bytes, directory, packed] { run.withUnsafeBytes { crc.update($0) } }
        var writer = ByteWriter()
        for item in items { item.encode(to: &writer) }
        return UInt64(crc.value) << 32 | UInt64(CRC32C.checksum(writer.bytes))
    }

    /// Whether another reference stands for the same content, whatever its name.
    func hasSameContent(as other: Reference) -> Bool {
        signature == other.signature && items == other.items
    }
}
