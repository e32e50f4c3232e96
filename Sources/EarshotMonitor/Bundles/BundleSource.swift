/// A source of the bytes of a bundle.
///
/// ``BundleStore/ingest(_:progress:)`` calls ``read(into:)`` until it gives 0 and never after that, nor after it has
/// thrown; one call begins after the one before has returned.
public protocol BundleSource {
    /// Reads the next bytes into a buffer.
    ///
    /// Fewer than there is room for are normal and not the end.
    ///
    /// - Parameter buffer: The buffer to fill: room for at least 4,096 bytes, valid only during the call.
    /// - Returns: The number of bytes; 0 at the end. A number beyond the room of the buffer, or a negative one, ends
    ///   the ingest with `ingestAborted`.
    /// - Throws: Anything; the ingest then ends with `ingestAborted`, and the store is as before.
    nonisolated(nonsending) mutating func read(into buffer: UnsafeMutableRawBufferPointer) async throws -> Int

    /// The name of the bundle in errors, such as the path of its file.
    var name: String { get }
}

extension BundleSource {
    /// The default name: "The bundle".
    public var name: String { "The bundle" }
}
