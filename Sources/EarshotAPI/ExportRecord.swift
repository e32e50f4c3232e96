public import Foundation

/// An export of a service, which converts a file: its plan, progress and outcome.
public struct ExportRecord: Hashable, Sendable, Codable {
    /// The status of an export.
    public enum Status: String, Hashable, Sendable, Codable, CaseIterable {
        /// The export has not started.
        case unknown
        /// Queued: other exports are running.
        case waiting
        /// The file is being converted.
        case exporting
        /// The export succeeded, and its result can be fetched.
        case completed
        /// The export failed; ``ExportRecord/error`` has the reason.
        case failed
        /// The export was canceled.
        case cancelled

        /// `true` if the status no longer changes.
        public var isFinal: Bool { self == .completed || self == .failed || self == .cancelled }
    }

    /// The properties of the file that the export will produce.
    public struct Plan: Hashable, Sendable, Codable {
        /// The encoding of the result, such as `flac`.
        public var encoding: String
        /// The number of bits per sample; `nil` for an encoding without a fixed number.
        public var bits: Int?
        /// The requested bit rate, in bits per second; `nil` if none was requested.
        public var bitRate: Int?
        /// The sample rate of the result, in hertz.
        public var sampleRate: Int
        /// The number of channels of the result.
        public var channels: Int
        /// The duration of the result; `nil` if unknown.
        public var duration: AssetRecord.Time?
        /// The properties of the source that the result does not keep.
        public var losses: [Loss]

        /// Creates a plan.
        package init(
            encoding: String,
            bits: Int? = nil,
            bitRate: Int? = nil,
            sampleRate: Int,
            channels: Int,
            duration: AssetRecord.Time? = nil,
            losses: [Loss] = []
        ) {
            self.encoding = encoding
            self.bits = bits
            self.bitRate = bitRate
            self.sampleRate = sampleRate
            self.channels = channels
            self.duration = duration
            self.losses = losses
        }
    }

    /// A property of the source that the result does not keep.
    public struct Loss: Hashable, Sendable, Codable {
        /// The kind of property that is lost.
        public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
            /// Encoded packets of the source are decoded and encoded again.
            case decoded
            /// The encoding of the result is lossy.
            case encoded
            /// The result has fewer channels.
            case channels
            /// The result has a lower sample rate.
            case sampleRate
            /// The result has fewer bits per sample.
            case bits
            /// The result has no chapters.
            case chapters
            /// The result has no pictures.
            case pictures
            /// The result lacks tags of the source.
            case tags
        }

        /// The kind of property that is lost.
        public var kind: Kind
        /// The loss as a sentence for people.
        public var text: String

        /// Creates a loss.
        package init(_ kind: Kind, _ text: String) { (self.kind, self.text) = (kind, text) }
    }

    /// The progress of the export.
    public struct Progress: Hashable, Sendable, Codable {
        /// The completed fraction, from 0 to 1; 1 only when the result exists. `nil` if the duration is unknown.
        public var fraction: Double?
        /// The number of frames that were converted.
        public var frames: Int64
        /// The number of bytes of samples or packets that were read from the source.
        public var bytes: Int64
        /// The end of the converted audio in the source, in seconds.
        public var position: Double
        /// The time since the conversion began, in seconds.
        public var elapsed: Double
        /// The estimated time until the conversion ends, in seconds; `nil` if unknown.
        public var remaining: Double?

        /// Creates a progress. Default: nothing is converted yet.
        package init(
            fraction: Double? = nil,
            frames: Int64 = 0,
            bytes: Int64 = 0,
            position: Double = 0,
            elapsed: Double = 0,
            remaining: Double? = nil
        ) {
            self.fraction = fraction
            self.frames = frames
            self.bytes = bytes
            self.position = position
            self.elapsed = elapsed
            self.remaining = remaining
        }
    }

    /// The identifier of the export.
    public var id: String
    /// The identifier of the source file: the name of a media folder and the path below it.
    public var asset: String
    /// The file name of the result.
    public var name: String
    /// The file type of the result, such as `flac`.
    public var type: String
    /// The status of the export.
    public var status: Status
    /// The properties of the result.
    public var plan: Plan
    /// The progress of the conversion.
    public var progress: Progress
    /// The size of the result, in bytes; `nil` until it exists.
    public var size: Int64?
    /// The duration of the result; `nil` until it exists.
    public var duration: AssetRecord.Time?
    /// The error of a failed export; `nil` for others.
    public var error: Failure.Body?
    /// The time of the request.
    public var created: Date
    /// The time at which the export ended; `nil` before.
    public var finished: Date?

    /// Creates the record of a requested export, with the status `waiting`.
    package init(id: String, asset: String, name: String, type: String, plan: Plan, created: Date) {
        self.id = id
        self.asset = asset
        self.name = name
        self.type = type
        self.plan = plan
        self.created = created
        status = .waiting
        progress = Progress()
    }
}
