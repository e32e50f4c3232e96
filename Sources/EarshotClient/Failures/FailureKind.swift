public import EarshotCore

/// What a failure means to the user of an app: few kinds, each with one remedy.
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

    /// What an error with a code means.
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
    /// What the error means to the user of an app.
    public var failureKind: FailureKind { FailureKind(code) }
}

/// What technical staff is told of a failure, where the user agrees: it holds nothing that names the user or the client's
/// secret.
public struct FailureReport: Hashable, Sendable, Codable {
    /// What the failure means.
    public let kind: FailureKind
    /// The stable name of the failure.
    public let code: String
    /// What happened, in the words of the library or the service.
    public let message: String
    /// What was under way.
    public let operation: OperationKind?

    /// A report of an error.
    public init(_ error: EarshotError, operation: OperationKind? = nil) {
        kind = error.failureKind
        code = error.code.rawValue
        message = error.message
        self.operation = operation
    }
}
