extension EarshotError.Code {
    /// The code as a number, the same for ever: for receivers that keep numbers, and shown in hexadecimal. The table is in
    /// `Docs/errors.md`; 0 is no failure.
    public var number: Int { Self.numbers[rawValue] ?? 0 }

    /// ``number`` as it is shown: `0x0401`.
    public var hexadecimal: String {
        let digits = String(number, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// Numbers are given once: a new code takes the next one of its group.
    private static let numbers: [String: Int] = [
        "assetNotFound": 0x0101,
        "assetIsDirectory": 0x0102,
        "assetUnreadable": 0x0103,
        "assetProtected": 0x0104,
        "noAudioStream": 0x0105,
        "codecUnsupported": 0x0106,
        "readFailed": 0x0107,
        "audioFormatInvalid": 0x0201,
        "audioDiscontinuity": 0x0202,
        "signatureInvalid": 0x0203,
        "signatureDurationInvalid": 0x0204,
        "mediaItemInvalid": 0x0301,
        "catalogInvalid": 0x0302,
        "catalogAddressInvalid": 0x0303,
        "referenceExists": 0x0304,
        "referenceNotFound": 0x0305,
        "taxonomyInvalid": 0x0306,
        "microphoneUnavailable": 0x0401,
        "deviceUnavailable": 0x0402,
        "matchAttemptFailed": 0x0403,
        "timelineInvalid": 0x0404,
        "downloadFailed": 0x0405,
        "verificationFailed": 0x0406,
        "metadataInvalid": 0x0501,
        "storeUnavailable": 0x0502,
        "storeDamaged": 0x0503,
        "configurationInvalid": 0x0601,
        "requestInvalid": 0x0602,
        "clientIdentifierRejected": 0x0603,
        "tokenRejected": 0x0604,
        "accessDenied": 0x0605,
        "entityNotFound": 0x0606,
        "contentExpired": 0x0607,
        "uploadTooLarge": 0x0608,
        "mediaTypeUnsupported": 0x0609,
        "tooManyRequests": 0x060A,
        "quotaExceeded": 0x060B,
        "serviceBusy": 0x060C,
        "timedOut": 0x060D,
        "networkUnavailable": 0x060E,
        "serviceFailure": 0x060F,
        "malformedResponse": 0x0610,
        "notStarted": 0x0701,
        "storageNotConfigured": 0x0702,
        "ingestAborted": 0x0703,
        "bundleInvalid": 0x0704,
        "licenceInvalid": 0x0705,
        "registrationInvalid": 0x0706,
        "registrationMismatch": 0x0707,
        "fileAccessDenied": 0x0801,
        "destinationExists": 0x0802,
        "writeFailed": 0x0803,
        "fileChanged": 0x0804,
        "fileTypeUnsupported": 0x0805,
        "pipelineRefused": 0x0806,
        "containerLimit": 0x0807,
        "assetUnavailable": 0x0808,
        "libraryAccessDenied": 0x0809,
        "cancelled": 0x0901,
        "internalError": 0x0902,
    ]
}
