public import Foundation

/// An export of a service: its plan, progress and outcome.
public struct ExportRecord: Hashable, Sendable, Codable {
    /// The status of an export.
    public enum Status: String, Hashable, Sendable, Codable, CaseIterable {
        /// Not started.
        case unknown
        /// Queued: other exports are running.
        case waiting
        /// Under way.
        case exporting
        /// The file is there.
        case completed
        /// It ended in an error; ``ExportRecord/error`` says which.
        case failed
        /// It was cancelled.
        case cancelled

        /// `true` if the status is final.
        public var isFinal: Bool { self == .completed || self == .failed || self == .cancelled }
    }

    /// A preview of the export.
    public struct Plan: Hashable, Sendable, Codable {
        /// The encoding.
        public var encoding: String
        /// Bits of a sample, where the encoding has such.
        public var bits: Int?
        /// Bits a second, where they were asked for.
        public var bitRate: Int?
        /// Frames a second of the result, in hertz.
        public var sampleRate: Int
        /// Channels of the result.
        public var channels: Int
        /// The duration of the result, if known.
        public var duration: AssetRecord.Time?
        /// The properties of the source that the result does not keep.
        public var losses: [Loss]

        /// A plan.
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

    /// Something of the source that the result will not have.
    public struct Loss: Hashable, Sendable, Codable {
        /// The kind of loss.
        public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
            /// Encoded packets are decoded.
            case decoded
            /// The result's own encoding leaves something out.
            case encoded
            /// Fewer channels.
            case channels
            /// Fewer frames a second.
            case sampleRate
            /// Fewer bits a sample.
            case bits
            /// Chapters are left out.
            case chapters
            /// Pictures are left out.
            case pictures
            /// Tags are left out.
            case tags
        }

        /// The kind of loss.
        public var kind: Kind
        /// In words, for people.
        public var text: String

        /// A loss.
        package init(_ kind: Kind, _ text: String) { (self.kind, self.text) = (kind, text) }
    }

    /// The progress of the export.
    public struct Progress: Hashable, Sendable, Codable {
        /// The part done, from 0 to 1, 1 only when the file is there; absent where the duration is not known.
        public var fraction: Double?
        /// Frames converted.
        public var frames: Int64
        /// Bytes of samples or packets taken from the source.
        public var bytes: Int64
        /// The end of the converted audio, in seconds of the source.
        public var position: Double
        /// Seconds since it began.
        public var elapsed: Double
        /// Seconds that it is likely to take yet, where that is known.
        public var remaining: Double?

        /// Creates a progress; by default nothing is done.
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

    /// The identifier.
    public var id: String
    /// The file it is made of.
    public var asset: String
    /// The name of the result.
    public var name: String
    /// The file type.
    public var type: String
    /// The status.
    public var status: Status
    /// The plan.
    public var plan: Plan
    /// The progress.
    public var progress: Progress
    /// The size of the result in bytes, when it is there.
    public var size: Int64?
    /// The duration of the result, once it exists.
    public var duration: AssetRecord.Time?
    /// The error of the export.
    public var error: Failure.Body?
    /// The time of the request.
    public var created: Date
    /// The time at which the run ended.
    public var finished: Date?

    /// An export that was asked for.
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
