public import EarshotCore
public import Foundation

/// A recognized track in a user's history, with time and place.
public struct HistoryEntry: Hashable, Sendable, Codable, Identifiable {
    /// The operation that recognized the music. Only these add entries.
    public enum Operation: String, Hashable, Sendable, Codable, CaseIterable {
        /// Recognition of audio from the microphone.
        case streamMicrophone
        /// Recognition of samples that an app provides.
        case streamPCM
        /// A search by a fingerprint.
        case fingerprint
    }

    /// The cover that was shown. It is stored because the address in `coverArt` expires.
    public struct CoverArt: Hashable, Sendable, Codable {
        /// The MIME type of the picture, such as `image/jpeg`.
        public var mimeType: String
        /// The encoded bytes of the picture.
        public var data: Data

        /// Creates a cover.
        ///
        /// - Parameters:
        ///   - mimeType: The MIME type of the picture.
        ///   - data: The encoded bytes, at most ``HistoryEntry/maximumCoverArtSize``.
        public init(mimeType: String, data: Data) {
            self.mimeType = mimeType
            self.data = data
        }
    }

    /// The default for the largest number of entries in a store.
    public static let maximumCount = 1_000
    /// The largest size of a cover, in bytes: 8 MiB.
    public static let maximumCoverArtSize = 8 << 20

    /// The number of the entry: that of the previous one plus one. Numbers of removed entries are not reused.
    public let id: Int
    /// The time of the recognition, to which ``MusicMatch/songPosition`` refers; to the millisecond.
    public let date: Date
    /// The operation that recognized the music.
    public let operation: Operation
    /// The user's location; `nil` if it is not known, or must not be stored.
    public let place: HistoryPlace?
    /// The best match of the recognition.
    public let match: MusicMatch
    /// The cover that was shown; `nil` if it was not loaded.
    public var coverArt: CoverArt?
    /// The duration for which the track was heard, in seconds; `nil` if unknown.
    public var heard: Double?

    /// Creates an entry. Used by stores.
    ///
    /// - Parameters:
    ///   - id: The number of the entry.
    ///   - match: The best match.
    ///   - operation: The operation that recognized the music.
    ///   - date: The time of the recognition.
    ///   - place: The user's location; `nil` if it is not known, or must not be stored.
    ///   - coverArt: The cover that was shown; `nil` if it was not loaded.
    ///   - heard: The duration for which the track was heard, in seconds; `nil` if unknown.
    /// - Throws: `metadataInvalid` for a date outside the years 1 to 9999, a negative or infinite duration, and for a
    ///   cover that is too large.
    public init(
        id: Int,
        match: MusicMatch,
        operation: Operation,
        date: Date,
        place: HistoryPlace? = nil,
        coverArt: CoverArt? = nil,
        heard: Double? = nil
    ) throws(EarshotError) {
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
        // Dates of the years 1 to 9999, which every format can write.
        guard (-62_135_596_800_000.0..<253_402_300_800_000.0).contains(milliseconds) else {
            throw EarshotError(
                .metadataInvalid,
                "The date of a history entry is not valid: give the time of recognition."
            )
        }
        try Self.check(coverArt: coverArt)
        try Self.check(heard: heard)
        self.id = id
        self.match = match
        self.operation = operation
        self.date = Date(timeIntervalSince1970: milliseconds / 1_000)
        self.place = place
        self.coverArt = coverArt
        self.heard = heard
    }

    /// The time at which the track began to play: the date minus the position in the track; `nil` if the position is
    /// unknown.
    public var began: Date? {
        // No track is a year long: what says so is a mistake, and would make dates that no calendar has.
        let year = MediaTime(value: 366 * 86_400, timescale: 1)
        guard let position = match.songPosition, (-year...year).contains(position) else { return nil }
        return date.addingTimeInterval(-position.seconds)
    }

    // MARK: - Rules

    /// Checks a listening duration.
    ///
    /// - Parameter heard: The duration in seconds; `nil` is valid.
    /// - Throws: `metadataInvalid` if it is negative or not finite.
    package static func check(heard: Double?) throws(EarshotError) {
        guard let heard, !(heard.isFinite && heard >= 0) else { return }
        throw EarshotError(.metadataInvalid, "\(heard) s is no listening time: give 0 s or more, or leave it out.")
    }

    /// Checks the size of a cover.
    ///
    /// - Parameter coverArt: The cover; `nil` is valid.
    /// - Throws: `metadataInvalid` if it is larger than ``maximumCoverArtSize``.
    package static func check(coverArt: CoverArt?) throws(EarshotError) {
        guard let coverArt, coverArt.data.count > maximumCoverArtSize else { return }
        throw EarshotError(
            .metadataInvalid,
            "The cover has \(coverArt.data.count) bytes, and 8 MiB are allowed: use a smaller one."
        )
    }
}
