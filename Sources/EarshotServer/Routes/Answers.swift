import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    /// An answer in JSON.
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

    /// An answer of bytes.
    static func bytes(_ data: Data, type: String, _ status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: type, .contentLength: String(data.count)],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data))
        )
    }

    /// An answer of text.
    static func text(_ text: String, type: String) -> Response { bytes(Data(text.utf8), type: type) }

    /// An answer without content.
    static var empty: Response { Response(status: .noContent) }

    /// How a failure is told.
    ///
    /// - Parameters:
    ///   - error: The failure.
    ///   - requestID: Names the request in the log.
    ///   - now: The time, for `Retry-After`.
    ///   - other: The status, where it is another than that of the code.
    ///   - violations: All that is wrong with a draft.
    static func failure(
        _ error: EarshotError,
        requestID: String,
        now: Date,
        status other: HTTPResponse.Status? = nil,
        violations: [DraftViolation]? = nil
    ) -> Response {
        let status = other ?? error.code.status
        // What went on inside is for the log.
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
        case .storeUnavailable, .cancelled: response.headers[.retryAfter] = "5"
        // What is still on its way of a body that is refused is not waited for.
        case .uploadTooLarge, .timedOut: response.headers[.connection] = "close"
        default: break
        }
        return response
    }
}

extension EarshotError.Code {
    /// The HTTP status that tells a failure.
    var status: HTTPResponse.Status {
        switch self {
        case .requestInvalid, .metadataInvalid, .configurationInvalid, .mediaItemInvalid: .badRequest
        case .tokenRejected, .clientIdentifierRejected: .unauthorized
        case .accessDenied, .libraryAccessDenied: .forbidden
        case .stemMissing: .conflict
        case .entityNotFound, .referenceNotFound, .assetNotFound, .assetUnavailable, .pieceNotFound: .notFound
        case .timedOut: .requestTimeout
        case .referenceExists, .destinationExists: .conflict
        case .contentExpired: .preconditionFailed
        case .uploadTooLarge, .attachmentTooLarge: .contentTooLarge
        case .mediaTypeUnsupported: .unsupportedMediaType
        case .signatureInvalid, .signatureDurationInvalid, .assetUnreadable, .bundleInvalid, .noAudioStream,
            .codecUnsupported,
            .audioFormatInvalid, .audioDiscontinuity, .assetProtected, .readFailed, .fileTypeUnsupported,
            .pipelineRefused, .containerLimit, .pieceInvalid, .coverSizeInvalid, .unknownParent,
            .formatUnavailable, .uploadFailed:
            .unprocessableContent
        case .tooManyRequests, .serviceBusy, .quotaExceeded: .tooManyRequests
        case .storeUnavailable, .cancelled: .serviceUnavailable
        case .writeFailed: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
        default: .internalServerError
        }
    }
}
