import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    /// Returns a response in JSON.
    static func json(_ value: some Encodable, _ status: HTTPResponse.Status = .ok) throws(EarshotError) -> Response {
        do {
            let data = try ServiceAPI.encoder().encode(value)
            return Response(
                status: status,
                headers: [.contentType: "application/json", .contentLength: String(data.count)],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: data))
            )
        } catch {
            throw EarshotError(.internalError, "An answer could not be encoded.", cause: error)
        }
    }

    /// Returns a response of bytes.
    static func bytes(_ data: Data, type: String, _ status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: type, .contentLength: String(data.count)],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data))
        )
    }

    /// Returns a response of text.
    static func text(_ text: String, type: String) -> Response { bytes(Data(text.utf8), type: type) }

    /// A response without content.
    static var empty: Response { Response(status: .noContent) }

    /// Returns the response for an error.
    ///
    /// - Parameters:
    ///   - error: The failure.
    ///   - requestID: The id of the request in the log.
    ///   - now: The time, for `Retry-After`.
    ///   - other: The status; `nil` for that of the error code.
    ///   - violations: All violations of a draft; `nil` if the error is not about a draft.
    static func failure(
        _ error: EarshotError,
        requestID: String,
        now: Date,
        status other: HTTPResponse.Status? = nil,
        violations: [DraftViolation]? = nil
    ) -> Response {
        let status = other ?? error.code.status
        // Details of internal errors are for the log, not for clients.
        let told =
            status == .internalServerError
            ? EarshotError(
                error.code,
                "The service failed; the operator finds this as request \(requestID) in the log."
            )
            : error
        var failure = Failure(told, requestID: requestID)
        failure.error.violations = violations
        let body = (try? ServiceAPI.encoder().encode(failure)) ?? Data()
        var response = bytes(body, type: "application/json", status)
        switch error.code {
        case .tokenRejected, .clientIdentifierRejected: response.headers[.wwwAuthenticate] = "Bearer"
        case .tooManyRequests, .serviceBusy: response.headers[.retryAfter] = "1"
        case .quotaExceeded:
            let seconds = QuotaMeter.midnight(after: now).timeIntervalSince(now)
            response.headers[.retryAfter] = String(Int(max(1, seconds.rounded(.up))))
        case .searchIncomplete: response.headers[.retryAfter] = "2"
        case .storeUnavailable, .cancelled: response.headers[.retryAfter] = "5"
        // The rest of a refused body is not read, so the connection must end.
        case .uploadTooLarge, .timedOut: response.headers[.connection] = "close"
        default: break
        }
        return response
    }
}
