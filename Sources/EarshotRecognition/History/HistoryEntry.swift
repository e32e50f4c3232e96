public import EarshotCore
public import Foundation

/// Something that was recognized, and when and where.
public struct HistoryEntry: Hashable, Sendable, Codable, Identifiable {
    /// The operation that recognized the music. Only these add entries.
    public enum Operation: String, Hashable, Sendable, Codable, CaseIterable {
        /// Recognition of audio from a microphone.
        case streamMicrophone
        /// Recognition of samples that an app hands over.
        case streamPCM
        /// A search by a fingerprint.
        case fingerprint
    }

    /// The cover that was shown. It is stored because the address in `coverArt` expires.
    public struct CoverArt: Hashable, Sendable, Codable {
        /// The type of the bytes: `image/jpeg`.
        public var mimeType: String
        /// The picture.
        public var data: Data

        /// A cover.
        ///
        /// - Parameters:
        ///   - mimeType: The type of the bytes.
        ///   - data: The picture, at most ``HistoryEntry/maximumCoverArtSize`` bytes.
        public init(mimeType: String, data: Data) {
            self.mimeType = mimeType
            self.data = data
        }
    }

    /// The most entries that a store keeps where nobody says otherwise.
    public static let maximumCount = 1_000
    /// The most bytes of a cover.
    public static let maximumCoverArtSize = 8 << 20

    /// The number of the entry: that of the previous one plus one. Numbers of removed entries are not given again.
    public let id: Int
    /// The time that ``MusicMatch/songPosition`` refers to, to the millisecond.
    public let date: Date
    /// The operation that recognized the music.
    public let operation: Operation
    /// The user's location; `nil` if it is not known, or must not be stored.
    public let place: HistoryPlace?
    /// The match.
    public let match: MusicMatch
    /// The cover that was shown.
    public var coverArt: CoverArt?
    /// The duration for which it was heard, in seconds, if known.
    public var heard: Double?

    /// An entry. Stores make them.
    ///
    /// - Parameters:
    ///   - id: The number.
    ///   - match: The match.
    ///   - operation: The operation that recognized the music.
    ///   - date: The time of recognition.
    ///   - place: The location.
    ///   - coverArt: The cover that was shown.
    ///   - heard: The duration for which it was heard, in seconds.
    /// - Throws: `metadataInvalid` for a date or a time that is no number, and for a cover that is too large.
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

    /// The time at which the track began to play, if the position in the track is known: the date minus the position.
    public var began: Date? {
        // No track is a year long: what says so is a mistake, and would make dates that no calendar has.
        let year = MediaTime(value: 366 * 86_400, timescale: 1)
        guard let position = match.songPosition, (-year...year).contains(position) else { return nil }
        return date.addingTimeInterval(-position.seconds)
    }

    // MARK: - Rules

    /// - Throws: `metadataInvalid` for a time that is none.
    package static func check(heard: Double?) throws(EarshotError) {
        guard let heard, !(heard.isFinite && heard >= 0) else { return }
        throw EarshotError(.metadataInvalid, "\(heard) s is no listening time: give 0 s or more, or leave it out.")
    }

    /// - Throws: `metadataInvalid` for a cover that is too large.
    package static func check(coverArt: CoverArt?) throws(EarshotError) {
        guard let coverArt, coverArt.data.count > maximumCoverArtSize else { return }
        throw EarshotError(
            .metadataInvalid,
            "The cover has \(coverArt.data.count) bytes, and 8 MiB are allowed: use a smaller one."
        )
    }
}
