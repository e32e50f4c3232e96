import CZlib
public import EarshotCore

/// Compresses and decompresses the bodies of requests and responses: `Content-Encoding: gzip`, and `deflate` for
/// decompression only.
public enum CompressedBody {
    /// Decompresses bytes in the format gzip (RFC 1952) or zlib (RFC 1950).
    ///
    /// - Parameters:
    ///   - bytes: The whole compressed stream. Bytes after its end are ignored.
    ///   - limit: The largest size of the result, in bytes.
    /// - Throws: `uploadTooLarge` as soon as the result exceeds the limit, so that a small body cannot use much memory;
    ///   `requestInvalid` for a stream that is damaged or incomplete; `internalError` if there is no memory.
    public static func unpacked(_ bytes: [UInt8], limit: Int) throws(EarshotError) -> [UInt8] {
        var stream = z_stream()
        guard earshot_inflate_open(&stream) == Z_OK else {
            throw EarshotError(
                .internalError,
                "A gzip body cannot be decompressed for want of memory: end other programs."
            )
        }
        defer { inflateEnd(&stream) }
        var output: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        var input = bytes
        let isWhole = try input.withUnsafeMutableBufferPointer { input throws(EarshotError) in
            // zlib keeps these two for the time of the calls within this closure alone.
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(clamping: input.count)
            while true {
                let (status, made) = piece.withUnsafeMutableBufferPointer { piece in
                    stream.next_out = piece.baseAddress
                    stream.avail_out = UInt32(piece.count)
                    let status = inflate(&stream, Z_NO_FLUSH)
                    return (status, piece.count - Int(stream.avail_out))
                }
                guard output.count + made <= limit else {
                    throw EarshotError(
                        .uploadTooLarge,
                        "The body unpacks to more than \(limit) bytes: send it in several requests."
                    )
                }
                output.append(contentsOf: piece.prefix(made))
                if status == Z_STREAM_END { return true }
                // Without progress there is none to come.
                guard status == Z_OK, made > 0 || stream.avail_in > 0 else { return false }
            }
        }
        guard isWhole else {
            throw EarshotError(
                .requestInvalid,
                "The body is no whole gzip stream: send it again, or without compression."
            )
        }
        return output
    }

    /// Compresses bytes in the format gzip.
    ///
    /// - Throws: `internalError` if there is no memory.
    public static func packed(_ bytes: [UInt8]) throws(EarshotError) -> [UInt8] {
        var stream = z_stream()
        guard earshot_deflate_open(&stream) == Z_OK else {
            throw EarshotError(.internalError, "A body cannot be compressed for want of memory: end other programs.")
        }
        defer { deflateEnd(&stream) }
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
        var input = bytes
        let status = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                // zlib keeps these four for the time of the call alone.
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(clamping: input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(clamping: output.count)
                return deflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END else {
            throw EarshotError(
                .internalError,
                "A body of \(bytes.count) bytes could not be compressed: please report this."
            )
        }
        output.removeLast(Int(stream.avail_out))
        return output
    }
}
