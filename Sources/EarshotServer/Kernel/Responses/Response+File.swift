import EarshotCore
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

extension Response {
    /// The number of bytes that are read from a file at once.
    private static let pieceSize = 1 << 18

    /// Returns a response with a file, or a part of it if the request asks for one. The file is read while it is sent, also if it is removed
    /// meanwhile.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - type: The type of its content.
    ///   - tag: The entity tag with its quotation marks; `nil` for a file that is created for this response.
    ///   - headers: The request's.
    /// - Throws: `internalError` when it cannot be read.
    static func file(_ url: URL, type: String, tag: String?, _ headers: HTTPFields) throws(EarshotError) -> Response {
        var fields: HTTPFields = [.contentType: type]
        if let tag {
            fields[.eTag] = tag
            fields[.acceptRanges] = "bytes"
            if headers[.ifNoneMatch] == tag { return Response(status: .notModified, headers: [.eTag: tag]) }
        }
        let handle: FileHandle
        let size: Int
        do {
            handle = try FileHandle(forReadingFrom: url)
            size = Int(try handle.seekToEnd())
        } catch {
            throw EarshotError(.internalError, "\(url.path) cannot be read.", cause: error)
        }
        // A client must not append a part of this version to a part of another one.
        let isSame = tag != nil && (headers[.ifRange] == nil || headers[.ifRange] == tag)
        var status = HTTPResponse.Status.ok
        var range = 0..<size
        switch ByteRange(header: isSame ? headers[.range] : nil, size: size) {
        case .whole: break
        case .part(let part):
            (status, range) = (.partialContent, part)
            fields[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"
        case .unsatisfiable:
            fields[.contentRange] = "bytes */\(size)"
            return Response(status: .rangeNotSatisfiable, headers: fields)
        }
        do {
            try handle.seek(toOffset: UInt64(range.lowerBound))
        } catch {
            throw EarshotError(.internalError, "\(url.path) cannot be read.", cause: error)
        }
        fields[.contentLength] = String(range.count)
        return Response(
            status: status,
            headers: fields,
            body: ResponseBody(contentLength: range.count) { [range] writer in
                var rest = range.count
                while rest > 0 {
                    let count = min(rest, pieceSize)
                    let part = try await BlockingWork.run { () throws(EarshotError) in
                        do {
                            return try handle.read(upToCount: count) ?? Data()
                        } catch {
                            throw EarshotError(
                                .readFailed,
                                "A file of the service could not be read to its end: try again.",
                                cause: error
                            )
                        }
                    }
                    guard !part.isEmpty else { break }
                    rest -= part.count
                    try await writer.write(ByteBuffer(bytes: part))
                }
                try handle.close()
                try await writer.finish(nil)
            }
        )
    }
}
