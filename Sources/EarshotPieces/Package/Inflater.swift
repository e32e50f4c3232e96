import CZlib

/// Unpacks a stream of deflate (RFC 1951) piece by piece.
///
/// Not thread-safe.
final class Inflater {
    enum Step {
        /// Bytes that came of it; none where more has to be put in first.
        case output([UInt8])
        /// The last of them: the stream is over.
        case end([UInt8])
        /// The stream is damaged.
        case damaged
    }

    // zlib keeps the address of the stream, so that it may not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var input: [UInt8] = []
    private var place = 0
    private var output = [UInt8](repeating: 0, count: 128 << 10)

    /// `nil` if there is no memory.
    init?() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard earshot_inflate_open_raw(stream) == Z_OK else {
            stream.deinitialize(count: 1)
            stream.deallocate()
            return nil
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Bytes that were put in and not used yet.
    var unusedCount: Int { input.count - place }

    /// Puts the next bytes in, once those before are used.
    func put(_ bytes: [UInt8]) {
        input = Array(input[place...]) + bytes
        place = 0
    }

    /// Unpacks some of what was put in.
    func next() -> Step {
        let start = place
        let available = input.count - start
        let (status, used, made) = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                // zlib keeps these two for the time of the call alone.
                stream.pointee.next_in = input.baseAddress.map { $0 + start }
                stream.pointee.avail_in = UInt32(available)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(output.count)
                let status = inflate(stream, Z_NO_FLUSH)
                return (
                    status, available - Int(stream.pointee.avail_in), output.count - Int(stream.pointee.avail_out)
                )
            }
        }
        place += used
        let bytes = Array(output.prefix(made))
        switch status {
        case Z_STREAM_END: return .end(bytes)
        case Z_OK, Z_BUF_ERROR: return .output(bytes)
        default: return .damaged
        }
    }
}

/// The CRC-32 of ZIP files.
struct ZipChecksum {
    private(set) var value: UInt32 = 0

    mutating func update(_ bytes: [UInt8]) {
        value = bytes.withUnsafeBufferPointer {
            // A run is never so long that its length does not fit.
            UInt32(truncatingIfNeeded: crc32(uLong(value), $0.baseAddress, UInt32(clamping: $0.count)))
        }
    }
}
