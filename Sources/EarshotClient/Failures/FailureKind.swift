public import EarshotCore

/// The kind of a failure for the user of an app; each kind has one remedy.
///
/// Texts for users are made of the kind alone, by ``text(language:)``. The message of an error is technical, may change at
/// any time, and is for ``FailureReport``.
public enum FailureKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// There can be no fingerprint: the audio is too short, or of a format that cannot be read.
    case fingerprintUnavailable
    /// Making a fingerprint failed.
    case fingerprintGenerationFailed
    /// The microphone cannot be had.
    case microphoneUnavailable
    /// The service does not know the client.
    case clientIdentifierRejected
    /// The service cannot be reached.
    case networkUnavailable
    /// The service cannot fulfil the request.
    case serviceFailure
    /// An answer cannot be understood.
    case malformedResponse
    /// The system does not let a file be read at this moment.
    case fileAccessDenied
    /// It was cancelled.
    case cancelled
    /// Anything else.
    case unexpected

    /// The kind of an error code.
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

    /// `true` if the same request may go well when it is made again, so that an app offers that.
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
    /// The stable name of the failure.
    public let code: String
    /// The message of the error, from the library or the service.
    public let message: String
    /// The operation that failed.
    public let operation: OperationKind?

    /// A report of an error.
    public init(_ error: EarshotError, operation: OperationKind? = nil) {
        kind = error.failureKind
        code = error.code.rawValue
        message = error.message
        self.operation = operation
    }
}
