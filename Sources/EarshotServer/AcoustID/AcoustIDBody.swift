import CZlib
import EarshotCore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Reads the parameters of a request, from wherever they stand.
enum AcoustIDBody {
    /// The most bytes of a body, compressed or not: of twenty fingerprints of two hours.
    static let limit = 2 << 20

    /// The parameters of a request.
    ///
    /// - Throws: Error 2 for a body that cannot be read, 19 for one that is too large; `timedOut`.
    static func form(_ request: Request, _ settings: ServiceSettings) async throws -> AcoustIDForm {
        var form = AcoustIDForm()
        if let query = request.uri.query { try form.add(query) }
        guard request.method == .post else { return form }
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
            throw AcoustIDError.tooLarge
        }
        let body = request.body
        var bytes = try await withTimeLimit(settings.uploadTime, "The upload") {
            var bytes: [UInt8] = []
            for try await part in body {
                bytes.append(contentsOf: part.readableBytesView)
                guard bytes.count <= limit else { throw AcoustIDError.tooLarge }
            }
            return bytes
        }
        switch request.headers[.contentEncoding]?.lowercased() ?? "identity" {
        case "identity", "": break
        // A body that nothing came of is no stream.
        case "gzip", "x-gzip", "deflate": if !bytes.isEmpty { bytes = try inflated(bytes, limit: limit) }
        default:
            throw AcoustIDError.unreadable("the body has an encoding that is not taken: send it as it is, or with gzip")
        }
        // Whatever its type is said to be: some clients name none.
        try form.add(String(decoding: bytes, as: UTF8.self))
        return form
    }

    /// The bytes that were compressed, as gzip or zlib.
    ///
    /// - Throws: Error 19 as soon as there are more than allowed, so that a small body cannot ask for much memory; error 2
    ///   for a damaged stream.
    static func inflated(_ bytes: [UInt8], limit: Int) throws -> [UInt8] {
        var stream = z_stream()
        guard earshot_inflate_open(&stream) == Z_OK else {
            throw EarshotError(.internalError, "zlib could not begin.")
        }
        defer { inflateEnd(&stream) }
        var output: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        var input = bytes
        let isWhole = try input.withUnsafeMutableBufferPointer { input in
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
                output.append(contentsOf: piece.prefix(made))
                guard output.count <= limit else { throw AcoustIDError.tooLarge }
                if status == Z_STREAM_END { return true }
                // Without progress there is none to come.
                guard status == Z_OK, made > 0 || stream.avail_in > 0 else { return false }
            }
        }
        guard isWhole else {
            throw AcoustIDError.unreadable("the body is no whole gzip stream: send it again, or without compression")
        }
        return output
    }
}
