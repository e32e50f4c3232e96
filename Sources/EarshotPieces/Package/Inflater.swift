import CZlib

/// Decompresses a deflate stream (RFC 1951) in chunks.
///
/// It is not thread-safe.
final class Inflater {
    enum Step {
        /// Decompressed bytes; empty if more input is needed.
        case output([UInt8])
        /// The last decompressed bytes: the stream has ended.
        case end([UInt8])
        /// The stream is malformed.
        case damaged
    }

    // zlib stores the address of the stream, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var input: [UInt8] = []
    private var place = 0
    private var output = [UInt8](repeating: 0, count: 128 << 10)

    /// Creates a decompressor; `nil` if there is not enough memory.
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

    /// The number of input bytes that are not consumed yet.
    var unusedCount: Int { input.count - place }

    /// Appends the next input bytes.
    func put(_ bytes: [UInt8]) {
        input = Array(input[place...]) + bytes
        place = 0
    }

    /// Decompresses some of the input.
    func next() -> Step {
        let start = place
        let available = input.count - start
        let (status, used, made) = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                // zlib uses these two pointers only during the call.
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
            // A chunk is always short enough for its length to fit.
            UInt32(truncatingIfNeeded: crc32(uLong(value), $0.baseAddress, UInt32(clamping: $0.count)))
        }
    }
}
