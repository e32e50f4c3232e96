extension EarshotError {
    /// The stable name of a failure.
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

        /// Every code there is, in the order of the registry.
        package static var all: [Code] { Name.allCases.map { Code(name: $0) } }

        /// The code of a name, as it arrives from a service; `nil` for a name that this program does not know.
        public init?(rawValue: String) {
            guard let name = Name(rawValue: rawValue) else { return nil }
            self.name = name
        }

        private init(name: Name) {
            self.name = name
        }

        /// The name used in JSON, in responses and in `Docs/errors.md`.
        public var rawValue: String { name.rawValue }
        /// The name.
        public var description: String { name.rawValue }

        /// There is no file at this address, or it cannot be reached.
        public static let assetNotFound = Code(name: .assetNotFound)
        /// The address is a folder where a file was wanted.
        public static let assetIsDirectory = Code(name: .assetIsDirectory)
        /// The file is not media, is damaged beyond reading, or may not be read.
        public static let assetUnreadable = Code(name: .assetUnreadable)
        /// The audio is encrypted.
        public static let assetProtected = Code(name: .assetProtected)
        /// The media file has no audio, or not the stream asked for.
        public static let noAudioStream = Code(name: .noAudioStream)
        /// No decoder is available for the encoding of the audio.
        public static let codecUnsupported = Code(name: .codecUnsupported)
        /// Reading ended early; `position` says where. What was delivered before is good.
        public static let readFailed = Code(name: .readFailed)
        /// The audio has a rate, channel count or layout that cannot be used.
        public static let audioFormatInvalid = Code(name: .audioFormatInvalid)
        /// A buffer does not begin where the one before it ended; `deviation` says by how much.
        public static let audioDiscontinuity = Code(name: .audioDiscontinuity)
        /// No signature can be made or read: commonly silence, or a damaged file.
        public static let signatureInvalid = Code(name: .signatureInvalid)
        /// A query is shorter or longer than the catalog admits.
        public static let signatureDurationInvalid = Code(name: .signatureDurationInvalid)
        /// A media item holds something that a property list cannot.
        public static let mediaItemInvalid = Code(name: .mediaItemInvalid)
        /// A catalog is damaged, or of a version that this program does not know.
        public static let catalogInvalid = Code(name: .catalogInvalid)
        /// There is no catalog at this address.
        public static let catalogAddressInvalid = Code(name: .catalogAddressInvalid)
        /// The catalog already has a reference of this name.
        public static let referenceExists = Code(name: .referenceExists)
        /// The catalog has no reference of this name.
        public static let referenceNotFound = Code(name: .referenceNotFound)
        /// A hierarchy of descriptors breaks a rule, or cannot be read.
        public static let taxonomyInvalid = Code(name: .taxonomyInvalid)
        /// A microphone may not be used, or there is none.
        public static let microphoneUnavailable = Code(name: .microphoneUnavailable)
        /// A capture device is not there, is in use, or has gone away.
        public static let deviceUnavailable = Code(name: .deviceUnavailable)
        /// A request for a match failed; a later attempt may succeed.
        public static let matchAttemptFailed = Code(name: .matchAttemptFailed)
        /// Timed content breaks a rule, or cannot be read.
        public static let timelineInvalid = Code(name: .timelineInvalid)
        /// A download could not be finished.
        public static let downloadFailed = Code(name: .downloadFailed)
        /// A download does not match its publisher's signature or checksum.
        public static let verificationFailed = Code(name: .verificationFailed)
        /// Metadata of music breaks a rule, or cannot be read.
        public static let metadataInvalid = Code(name: .metadataInvalid)
        /// A store cannot be reached, or somebody else holds it.
        public static let storeUnavailable = Code(name: .storeUnavailable)
        /// A store is damaged, or of a version that this program does not know.
        public static let storeDamaged = Code(name: .storeDamaged)
        /// A setting has a name that is not known, or a value that it cannot have.
        public static let configurationInvalid = Code(name: .configurationInvalid)
        /// A request to a service cannot be understood.
        public static let requestInvalid = Code(name: .requestInvalid)
        /// A service does not know the client identifier, or no longer serves it.
        public static let clientIdentifierRejected = Code(name: .clientIdentifierRejected)
        /// A token is missing, has expired, or is not the service's.
        public static let tokenRejected = Code(name: .tokenRejected)
        /// The caller is not allowed to do this.
        public static let accessDenied = Code(name: .accessDenied)
        /// The service has no entity with this identifier.
        public static let entityNotFound = Code(name: .entityNotFound)
        /// The address of a picture or a text has expired.
        public static let contentExpired = Code(name: .contentExpired)
        /// More was sent to a service than it takes.
        public static let uploadTooLarge = Code(name: .uploadTooLarge)
        /// The service does not accept the media type of a request.
        public static let mediaTypeUnsupported = Code(name: .mediaTypeUnsupported)
        /// A client asks more often, or for more at the same time, than it may.
        public static let tooManyRequests = Code(name: .tooManyRequests)
        /// A user or a client has used what it may use for now.
        public static let quotaExceeded = Code(name: .quotaExceeded)
        /// A service has more to do than it can.
        public static let serviceBusy = Code(name: .serviceBusy)
        /// Something took longer than it may.
        public static let timedOut = Code(name: .timedOut)
        /// A service cannot be reached.
        public static let networkUnavailable = Code(name: .networkUnavailable)
        /// A service cannot fulfil a request; the message is its own.
        public static let serviceFailure = Code(name: .serviceFailure)
        /// An answer of a service cannot be understood.
        public static let malformedResponse = Code(name: .malformedResponse)
        /// The landmarks of a recording leave a doubt, and its spectrogram was not sent.
        public static let moreEvidence = Code(name: .moreEvidence)
        /// The part of the catalog that could be searched has no match; the rest may have one.
        public static let searchIncomplete = Code(name: .searchIncomplete)
        /// A monitor was given audio, or asked for a lookup, before it was started or after it was stopped.
        public static let notStarted = Code(name: .notStarted)
        /// A store for which no folder was set.
        public static let storageNotConfigured = Code(name: .storageNotConfigured)
        /// The source of a bundle failed or broke its contract; the store is unchanged.
        public static let ingestAborted = Code(name: .ingestAborted)
        /// A bundle is damaged, or of a version that this program does not know.
        public static let bundleInvalid = Code(name: .bundleInvalid)
        /// A license is missing, damaged or has expired.
        public static let licenseInvalid = Code(name: .licenseInvalid)
        /// A stored registration cannot be read.
        public static let registrationInvalid = Code(name: .registrationInvalid)
        /// A registration was used for queries of a module that it was not made for.
        public static let registrationMismatch = Code(name: .registrationMismatch)
        /// The system does not let a file be read at this moment.
        public static let fileAccessDenied = Code(name: .fileAccessDenied)
        /// Something is already there, and replacing it was not asked for.
        public static let destinationExists = Code(name: .destinationExists)
        /// A file could not be written.
        public static let writeFailed = Code(name: .writeFailed)
        /// A file has changed since it was last read, so it was not written.
        public static let fileChanged = Code(name: .fileChanged)
        /// Nothing is known of a kind of file, or its name says another one.
        public static let fileTypeUnsupported = Code(name: .fileTypeUnsupported)
        /// A file type cannot hold the encoding, rate or channels of the audio, or a reader or writer cannot take an
        /// added output.
        public static let pipelineRefused = Code(name: .pipelineRefused)
        /// A file would become larger than its kind can be.
        public static let containerLimit = Code(name: .containerLimit)
        /// An item of a library has no file here.
        public static let assetUnavailable = Code(name: .assetUnavailable)
        /// The system does not let the library be read.
        public static let libraryAccessDenied = Code(name: .libraryAccessDenied)
        /// An app's set-up for pieces lacks something, or has something that cannot be used.
        public static let setupInvalid = Code(name: .setupInvalid)
        /// Pieces were to be used before they were set up.
        public static let notConfigured = Code(name: .notConfigured)
        /// A piece breaks a rule, or cannot be read.
        public static let pieceInvalid = Code(name: .pieceInvalid)
        /// A piece has no mix stem.
        public static let stemMissing = Code(name: .stemMissing)
        /// An app could not give a part of a piece.
        public static let providerFailed = Code(name: .providerFailed)
        /// An app did not give a part of a piece in time.
        public static let providerTimedOut = Code(name: .providerTimedOut)
        /// A cover has another size than it must have.
        public static let coverSizeInvalid = Code(name: .coverSizeInvalid)
        /// An attachment is larger than it may be.
        public static let attachmentTooLarge = Code(name: .attachmentTooLarge)
        /// A part of a piece could not be sent.
        public static let uploadFailed = Code(name: .uploadFailed)
        /// Something was tried as often as it may be.
        public static let retriesExhausted = Code(name: .retriesExhausted)
        /// There is no such piece, or it was removed.
        public static let pieceNotFound = Code(name: .pieceNotFound)
        /// A service cannot make the format that is wanted.
        public static let formatUnavailable = Code(name: .formatUnavailable)
        /// The parent that a piece names does not exist.
        public static let unknownParent = Code(name: .unknownParent)
        /// The work was cancelled.
        public static let cancelled = Code(name: .cancelled)
        /// A fault of this program.
        public static let internalError = Code(name: .internalError)
    }
}
