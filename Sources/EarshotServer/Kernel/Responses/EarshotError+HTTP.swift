import EarshotCore
import HTTPTypes

extension EarshotError.Code {
    /// The HTTP status for the error code.
    var status: HTTPResponse.Status {
        switch self {
        case .requestInvalid, .metadataInvalid, .configurationInvalid, .mediaItemInvalid, .timelineInvalid: .badRequest
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
            .formatUnavailable, .uploadFailed, .moreEvidence, .networkUnavailable:
            .unprocessableContent
        case .tooManyRequests, .serviceBusy, .quotaExceeded: .tooManyRequests
        case .storeUnavailable, .searchIncomplete, .cancelled: .serviceUnavailable
        case .writeFailed: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
        default: .internalServerError
        }
    }
}

extension EarshotError {
    /// Returns the error for a thing that does not exist, such as "There is no job 5".
    static func missing(_ kind: String, _ id: String) -> EarshotError {
        EarshotError(.entityNotFound, "There is no \(kind) \(id.prefix(120)): check the identifier.")
    }
}
