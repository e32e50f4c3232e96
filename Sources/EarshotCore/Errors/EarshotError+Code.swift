extension EarshotError {
    /// The stable code of a failure.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Name: String, CaseIterable {
            // Reading media.
            case assetNotFound, assetIsDirectory, assetUnreadable, assetProtected
            case noAudioStream, codecUnsupported, readFailed
            // Audio and signatures.
            case audioFormatInvalid, audioDiscontinuity, signatureInvalid, signatureDurationInvalid
            // Catalogs.
            case mediaItemInvalid, catalogInvalid, catalogAddressInvalid, referenceExists, referenceNotFound
            // What is known of music.
            case taxonomyInvalid
            // Sessions.
            case microphoneUnavailable, deviceUnavailable, matchAttemptFailed, timelineInvalid
            case downloadFailed, verificationFailed
            // What is known of music, and where it is kept.
            case metadataInvalid, storeUnavailable, storeDamaged
            // Services and their clients.
            case configurationInvalid, requestInvalid, clientIdentifierRejected, tokenRejected, accessDenied
            case entityNotFound, contentExpired, uploadTooLarge, mediaTypeUnsupported
            case tooManyRequests, quotaExceeded, serviceBusy, timedOut
            case networkUnavailable, serviceFailure, malformedResponse, moreEvidence, searchIncomplete
            // Monitoring.
            case notStarted, storageNotConfigured, ingestAborted, bundleInvalid
            case licenseInvalid = "licenceInvalid", registrationInvalid, registrationMismatch
            // Files.
            case fileAccessDenied, destinationExists, writeFailed, fileChanged
            case fileTypeUnsupported, pipelineRefused, containerLimit, assetUnavailable, libraryAccessDenied
            // Pieces.
            case setupInvalid, notConfigured, pieceInvalid, stemMissing, providerFailed, providerTimedOut
            case coverSizeInvalid, attachmentTooLarge, uploadFailed, retriesExhausted
            case pieceNotFound, formatUnavailable, unknownParent
            // Everything else.
            case cancelled, internalError
        }

        private let name: Name

        /// All codes, in the order of the registry `Docs/errors.md`.
        package static var all: [Code] { Name.allCases.map { Code(name: $0) } }

        /// Creates a code from its name, as in the response of a service; `nil` for a name that this program does not
        /// know.
        public init?(rawValue: String) {
            guard let name = Name(rawValue: rawValue) else { return nil }
            self.name = name
        }

        private init(name: Name) {
            self.name = name
        }

        /// The name of the code in JSON, in responses and in `Docs/errors.md`.
        public var rawValue: String { name.rawValue }
        /// The name of the code, the same as ``rawValue``.
        public var description: String { name.rawValue }

        /// There is no file at an address, or it cannot be reached.
        public static let assetNotFound = Code(name: .assetNotFound)
        /// The address is that of a folder instead of a file.
        public static let assetIsDirectory = Code(name: .assetIsDirectory)
        /// The file is not media, is damaged beyond reading, or may not be read.
        public static let assetUnreadable = Code(name: .assetUnreadable)
        /// The audio is encrypted.
        public static let assetProtected = Code(name: .assetProtected)
        /// The media file has no audio, or not the requested stream.
        public static let noAudioStream = Code(name: .noAudioStream)
        /// No decoder is available for the encoding of the audio.
        public static let codecUnsupported = Code(name: .codecUnsupported)
        /// Reading ended early, at ``EarshotError/position``. The audio delivered before is valid.
        public static let readFailed = Code(name: .readFailed)
        /// The audio has a rate, channel count or layout that cannot be used.
        public static let audioFormatInvalid = Code(name: .audioFormatInvalid)
        /// A buffer does not begin where the previous one ended; ``EarshotError/deviation`` is the difference.
        public static let audioDiscontinuity = Code(name: .audioDiscontinuity)
        /// A signature cannot be made or read: commonly because of silence, or a damaged file.
        public static let signatureInvalid = Code(name: .signatureInvalid)
        /// A query is shorter or longer than the catalog allows.
        public static let signatureDurationInvalid = Code(name: .signatureDurationInvalid)
        /// A media item contains a value that a property list does not support.
        public static let mediaItemInvalid = Code(name: .mediaItemInvalid)
        /// A catalog is damaged, or of a version that this program does not know.
        public static let catalogInvalid = Code(name: .catalogInvalid)
        /// There is no catalog at this address.
        public static let catalogAddressInvalid = Code(name: .catalogAddressInvalid)
        /// The catalog already has a reference of this name.
        public static let referenceExists = Code(name: .referenceExists)
        /// The catalog has no reference of this name.
        public static let referenceNotFound = Code(name: .referenceNotFound)
        /// A hierarchy of descriptors, such as genres, breaks a rule or cannot be read.
        public static let taxonomyInvalid = Code(name: .taxonomyInvalid)
        /// There is no microphone, or its use is not allowed.
        public static let microphoneUnavailable = Code(name: .microphoneUnavailable)
        /// A capture or output device does not exist, is in use, or was lost.
        public static let deviceUnavailable = Code(name: .deviceUnavailable)
        /// A request for a match failed; a later attempt may succeed.
        public static let matchAttemptFailed = Code(name: .matchAttemptFailed)
        /// Timed content (a timeline) breaks a rule or cannot be read.
        public static let timelineInvalid = Code(name: .timelineInvalid)
        /// A download could not be completed.
        public static let downloadFailed = Code(name: .downloadFailed)
        /// A download does not match its publisher's signature or checksum.
        public static let verificationFailed = Code(name: .verificationFailed)
        /// Metadata of music breaks a rule, or cannot be read.
        public static let metadataInvalid = Code(name: .metadataInvalid)
        /// A store cannot be reached, or another process has locked it.
        public static let storeUnavailable = Code(name: .storeUnavailable)
        /// A store is damaged, or of a version that this program does not know.
        public static let storeDamaged = Code(name: .storeDamaged)
        /// A setting has an unknown name or an invalid value.
        public static let configurationInvalid = Code(name: .configurationInvalid)
        /// A request to a service is invalid.
        public static let requestInvalid = Code(name: .requestInvalid)
        /// A service does not know the client identifier, or has disabled the client.
        public static let clientIdentifierRejected = Code(name: .clientIdentifierRejected)
        /// An access token is missing, has expired, or belongs to another service.
        public static let tokenRejected = Code(name: .tokenRejected)
        /// The caller is not allowed to do this.
        public static let accessDenied = Code(name: .accessDenied)
        /// The service has no entity with this identifier.
        public static let entityNotFound = Code(name: .entityNotFound)
        /// The address of a picture or a text has expired.
        public static let contentExpired = Code(name: .contentExpired)
        /// A request is larger than the service accepts.
        public static let uploadTooLarge = Code(name: .uploadTooLarge)
        /// The service does not accept the media type of a request.
        public static let mediaTypeUnsupported = Code(name: .mediaTypeUnsupported)
        /// A client makes more requests, or more at the same time, than it may.
        public static let tooManyRequests = Code(name: .tooManyRequests)
        /// A user or a client has exhausted its quota.
        public static let quotaExceeded = Code(name: .quotaExceeded)
        /// A service is overloaded; a later attempt may succeed.
        public static let serviceBusy = Code(name: .serviceBusy)
        /// An operation exceeded its time limit.
        public static let timedOut = Code(name: .timedOut)
        /// A service cannot be reached.
        public static let networkUnavailable = Code(name: .networkUnavailable)
        /// A service cannot fulfill a request; the message is its own.
        public static let serviceFailure = Code(name: .serviceFailure)
        /// The response of a service cannot be decoded.
        public static let malformedResponse = Code(name: .malformedResponse)
        /// The landmarks of a query are not conclusive, and its spectrogram was not sent.
        public static let moreEvidence = Code(name: .moreEvidence)
        /// The part of the catalog that could be searched has no match; the rest may have one.
        public static let searchIncomplete = Code(name: .searchIncomplete)
        /// A monitor was given audio, or asked for a lookup, before it was started or after it was stopped.
        public static let notStarted = Code(name: .notStarted)
        /// A store is used before its folder was set.
        public static let storageNotConfigured = Code(name: .storageNotConfigured)
        /// The source of a bundle failed or delivered invalid data; the store is unchanged.
        public static let ingestAborted = Code(name: .ingestAborted)
        /// A bundle is damaged, or of a version that this program does not know.
        public static let bundleInvalid = Code(name: .bundleInvalid)
        /// A license is missing, damaged or has expired.
        public static let licenseInvalid = Code(name: .licenseInvalid)
        /// A stored registration cannot be read.
        public static let registrationInvalid = Code(name: .registrationInvalid)
        /// A registration was used for a kind of query, or with a service, that it was not made for.
        public static let registrationMismatch = Code(name: .registrationMismatch)
        /// The system denies access to a file now.
        public static let fileAccessDenied = Code(name: .fileAccessDenied)
        /// A file of this name exists, and may not be replaced.
        public static let destinationExists = Code(name: .destinationExists)
        /// A file could not be written.
        public static let writeFailed = Code(name: .writeFailed)
        /// A file has changed since it was read, so it was not written.
        public static let fileChanged = Code(name: .fileChanged)
        /// A file type is unknown, or does not match the file name extension.
        public static let fileTypeUnsupported = Code(name: .fileTypeUnsupported)
        /// A file type does not support the encoding, sample rate or channels of the audio, or a reader or writer
        /// cannot add an output.
        public static let pipelineRefused = Code(name: .pipelineRefused)
        /// A file would exceed the largest size of its type.
        public static let containerLimit = Code(name: .containerLimit)
        /// The file of a library item is not available on this device.
        public static let assetUnavailable = Code(name: .assetUnavailable)
        /// The system denies access to the music library.
        public static let libraryAccessDenied = Code(name: .libraryAccessDenied)
        /// The configuration for pieces lacks a value, or has one that cannot be used.
        public static let setupInvalid = Code(name: .setupInvalid)
        /// Pieces are used before they were configured.
        public static let notConfigured = Code(name: .notConfigured)
        /// A piece breaks a rule or cannot be read.
        public static let pieceInvalid = Code(name: .pieceInvalid)
        /// A piece has no mix stem.
        public static let stemMissing = Code(name: .stemMissing)
        /// The app's provider of a part of a piece failed.
        public static let providerFailed = Code(name: .providerFailed)
        /// The app's provider of a part of a piece exceeded its time limit.
        public static let providerTimedOut = Code(name: .providerTimedOut)
        /// A cover does not have the required size.
        public static let coverSizeInvalid = Code(name: .coverSizeInvalid)
        /// An attachment is larger than allowed.
        public static let attachmentTooLarge = Code(name: .attachmentTooLarge)
        /// A part of a piece could not be uploaded.
        public static let uploadFailed = Code(name: .uploadFailed)
        /// All allowed attempts failed.
        public static let retriesExhausted = Code(name: .retriesExhausted)
        /// A piece does not exist, or was removed.
        public static let pieceNotFound = Code(name: .pieceNotFound)
        /// A service cannot produce the requested format.
        public static let formatUnavailable = Code(name: .formatUnavailable)
        /// A parent of a piece does not exist.
        public static let unknownParent = Code(name: .unknownParent)
        /// The work was canceled.
        public static let cancelled = Code(name: .cancelled)
        /// A bug in this program.
        public static let internalError = Code(name: .internalError)
    }
}
