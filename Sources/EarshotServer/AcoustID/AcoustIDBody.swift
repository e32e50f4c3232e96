import EarshotAPI
import EarshotCore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Reads the parameters of a request from its address and its body.
enum AcoustIDBody {
    /// The most bytes of a body, before and after decompression: twenty fingerprints of two hours.
    static let limit = 2 << 20

    /// Returns the parameters in the address of a request. The body is not read.
    static func query(_ request: Request) throws(EarshotError) -> FormParameters {
        var form = FormParameters()
        if let query = request.uri.query { try form.add(query) }
        return form
    }

    /// Returns the parameters of a request.
    ///
    /// - Throws: Error 2 for a body that cannot be read, 19 for one that is too large; `timedOut`.
    static func form(_ request: Request, _ settings: ServiceSettings) async throws -> FormParameters {
        var form = try query(request)
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
        // An empty body is no valid stream, but means no parameters.
        case "gzip", "x-gzip", "deflate": if !bytes.isEmpty { bytes = try unpacked(bytes) }
        default:
            throw AcoustIDError.unreadable("the body has an encoding that is not taken: send it as it is, or with gzip")
        }
        // `Content-Type` is ignored: some clients send none.
        try form.add(String(decoding: bytes, as: UTF8.self))
        return form
    }

    private static func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
        do throws(EarshotError) {
            return try CompressedBody.unpacked(bytes, limit: limit)
        } catch {
            guard error.code == .requestInvalid else { throw error }
            throw AcoustIDError.unreadable(error.message)
        }
    }
}
