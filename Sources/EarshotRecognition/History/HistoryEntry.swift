public import EarshotCore
public import Foundation

/// Something that was recognized, and when and where.
public struct HistoryEntry: Hashable, Sendable, Codable, Identifiable {
    /// What recognized it. Nothing else adds entries.
    public enum Operation: String, Hashable, Sendable, Codable, CaseIterable {
        /// Recognition of what a microphone hears.
        case streamMicrophone
        /// Recognition of samples that an app hands over.
        case streamPCM
        /// A search by a fingerprint.
        case fingerprint
    }

    /// A cover as it was shown. It is kept because the address in `coverArt` is valid for a limited time.
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
    /// When it was heard: the instant that ``MusicMatch/songPosition`` speaks of. Kept to the millisecond.
    public let date: Date
    /// What recognized it.
    public let operation: Operation
    /// Where the user was; `nil` if that is not known, or may not be.
    public let place: HistoryPlace?
    /// What it is.
    public let match: MusicMatch
    /// The cover as it was shown.
    public var coverArt: CoverArt?
    /// How long it was heard, in seconds, as far as that is known.
    public var heard: Double?

    /// An entry. Stores make them.
    ///
    /// - Parameters:
    ///   - id: The number.
    ///   - match: What it is.
    ///   - operation: What recognized it.
    ///   - date: When it was heard.
    ///   - place: Where.
    ///   - coverArt: The cover as it was shown.
    ///   - heard: How long it was heard, in seconds.
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
            throw EarshotError(.metadataInvalid, "The date of an entry is none: give the time of hearing.")
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

    /// When the track began to play, where it is known which part of it was heard: the date less the position in the song.
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
        throw EarshotError(.metadataInvalid, "\(heard) s is no time of hearing: give 0 or more, or nothing.")
    }

    /// - Throws: `metadataInvalid` for a cover that is too large.
    package static func check(coverArt: CoverArt?) throws(EarshotError) {
        guard let coverArt, coverArt.data.count > maximumCoverArtSize else { return }
        throw EarshotError(
            .metadataInvalid,
            "The cover has \(coverArt.data.count) bytes, and 8 MiB are kept: take a smaller one."
        )
    }
}
