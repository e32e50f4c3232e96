public import EarshotCore

/// The kind of a failure for the user of an app; each kind has one remedy.
///
/// Use ``text(language:)`` for a message to the user. The message of an error is technical, may change at any time, and
/// is for ``FailureReport``.
public enum FailureKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// No fingerprint can be made: the audio is too short, or its format cannot be read.
    case fingerprintUnavailable
    /// Making a fingerprint failed.
    case fingerprintGenerationFailed
    /// The microphone cannot be opened.
    case microphoneUnavailable
    /// The service does not accept the client identifier or its token.
    case clientIdentifierRejected
    /// The service cannot be reached, or does not answer in time.
    case networkUnavailable
    /// The service cannot fulfill the request.
    case serviceFailure
    /// The response of the service cannot be decoded.
    case malformedResponse
    /// A file cannot be read now: it is missing, is a folder, or the system denies access.
    case fileAccessDenied
    /// The operation was canceled.
    case cancelled
    /// Any other failure.
    case unexpected

    /// Creates the kind that an error code belongs to; `unexpected` for a code without a kind of its own.
    public init(_ code: EarshotError.Code) {
        self = Self.kinds[code] ?? .unexpected
    }

    private static let kinds: [EarshotError.Code: FailureKind] = {
        var kinds: [EarshotError.Code: FailureKind] = [:]
        let groups: [(FailureKind, [EarshotError.Code])] = [
            (
                .fingerprintUnavailable,
                [
                    .signatureDurationInvalid, .audioFormatInvalid, .noAudioStream, .codecUnsupported, .assetUnreadable,
                    .assetProtected, .mediaTypeUnsupported, .uploadTooLarge,
                ]
            ),
            (.fingerprintGenerationFailed, [.signatureInvalid, .readFailed, .audioDiscontinuity]),
            (.microphoneUnavailable, [.microphoneUnavailable, .deviceUnavailable]),
            (.clientIdentifierRejected, [.clientIdentifierRejected, .tokenRejected]),
            (.networkUnavailable, [.networkUnavailable, .timedOut, .downloadFailed]),
            (
                .serviceFailure,
                [
                    .serviceFailure, .serviceBusy, .tooManyRequests, .quotaExceeded, .accessDenied, .entityNotFound,
                    .requestInvalid, .contentExpired, .storeUnavailable, .storeDamaged, .catalogInvalid,
                    .matchAttemptFailed, .moreEvidence, .searchIncomplete,
                ]
            ),
            (.malformedResponse, [.malformedResponse]),
            (.fileAccessDenied, [.fileAccessDenied, .assetNotFound, .assetIsDirectory]),
            (.cancelled, [.cancelled]),
        ]
        for (kind, codes) in groups {
            for code in codes { kinds[code] = kind }
        }
        return kinds
    }()

    /// `true` if the same request may succeed when repeated, so that an app should offer that.
    public var offersRetry: Bool {
        switch self {
        case .fingerprintUnavailable, .fingerprintGenerationFailed, .clientIdentifierRejected, .cancelled: false
        case .microphoneUnavailable, .networkUnavailable, .serviceFailure, .malformedResponse, .fileAccessDenied,
            .unexpected:
            true
        }
    }
}

extension EarshotError {
    /// The kind of the error for the user of an app.
    public var failureKind: FailureKind { FailureKind(code) }
}

/// A report of a failure for technical staff, sent with the user's consent: it does not contain the user's name or the
/// client's secret.
public struct FailureReport: Hashable, Sendable, Codable {
    /// The kind of the failure.
    public let kind: FailureKind
    /// The stable error code, as listed in `Docs/errors.md`.
    public let code: String
    /// The message of the error, from the library or the service.
    public let message: String
    /// The kind of operation that failed; `nil` if it is not known.
    public let operation: OperationKind?

    /// Creates a report from an error.
    public init(_ error: EarshotError, operation: OperationKind? = nil) {
        kind = error.failureKind
        code = error.code.rawValue
        message = error.message
        self.operation = operation
    }
}
