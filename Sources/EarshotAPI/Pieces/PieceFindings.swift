public import EarshotPieces

/// The results of a service's analysis of a piece: for its owner and for the operator.
public struct PieceFindings: Hashable, Sendable, Codable {
    /// A stretch of something else that is heard in the piece.
    public struct Quotation: Hashable, Sendable, Codable {
        /// The source of a match.
        public enum Source: String, Hashable, Sendable, Codable {
            /// The service's recognition catalog.
            case catalog
            /// Another piece.
            case piece
        }

        /// The source.
        public var source: Source
        /// The name of the reference, or the identifier of the piece.
        public var id: String
        /// Its title.
        public var title: String?
        /// Its artist or author.
        public var artist: String?
        /// The stem in which it is heard; `nil` if the mix has it.
        public var stem: String?
        /// `true` if it is heard in the preview and nowhere else.
        public var isPreview: Bool?
        /// The start in the piece, in seconds.
        public var start: Double
        /// The end in the piece, in seconds.
        public var end: Double
        /// The position in the source at the start, in seconds.
        public var sourceStart: Double
        /// The playback speed relative to the source: 0.03 is 3 % fast.
        public var speedSkew: Double
        /// The pitch relative to the source: 0.03 is 3 % high.
        public var pitchSkew: Double
        /// The confidence, from 0 to 1.
        public var confidence: Double

        /// A quotation.
        package init(
            source: Source,
            id: String,
            title: String?,
            artist: String?,
            stem: String? = nil,
            isPreview: Bool? = nil,
            start: Double,
            end: Double,
            sourceStart: Double,
            speedSkew: Double,
            pitchSkew: Double,
            confidence: Double
        ) {
            self.source = source
            self.id = id
            self.title = title
            self.artist = artist
            self.stem = stem
            self.isPreview = isPreview
            self.start = start
            self.end = end
            self.sourceStart = sourceStart
            self.speedSkew = speedSkew
            self.pitchSkew = pitchSkew
            self.confidence = confidence
        }

        /// The quotation in words: `12.0 s of Title by Artist at +3.0 %, from 4.0 s on`, and where that is the stem or
        /// the preview where the mix does not have it.
        public var sentence: String {
            func tenths(_ value: Double) -> String {
                // A service may say anything.
                guard let number = Int(exactly: (value * 10).rounded()), number > .min else { return "\(value)" }
                return "\(number < 0 ? "-" : "")\(abs(number) / 10).\(abs(number) % 10)"
            }
            let name = [title ?? id, artist.map { "by \($0)" }].compactMap { $0 }.joined(separator: " ")
            let speed = (speedSkew * 1_000).rounded() / 10
            let pace = abs(speed) < 0.05 ? "" : " at \(speed > 0 ? "+" : "")\(tenths(speed)) %"
            let place = stem.map { " in the stem \($0)" } ?? (isPreview == true ? " in the preview" : "")
            return "\(tenths(end - start)) s of \(name)\(pace), from \(tenths(start)) s on\(place)"
        }
    }

    /// `true` if the piece was listened to already.
    public var isComplete: Bool
    /// The recordings that it contains, in order.
    public var contains: [Quotation]
    /// The differences between the audio and the draft.
    public var warnings: [AudioWarning]
    /// The names of the sounds that could not be listened to: `mix`, `preview`, or that of a stem. `nil` if all could.
    public var unheard: [String]?

    /// Findings.
    package init(
        isComplete: Bool,
        contains: [Quotation] = [],
        warnings: [AudioWarning] = [],
        unheard: [String]? = nil
    ) {
        self.isComplete = isComplete
        self.contains = contains
        self.warnings = warnings
        self.unheard = unheard
    }
}

/// The pieces that a recording is of, the surest first.
public struct PieceMatches: Hashable, Sendable, Codable {
    /// One of them.
    public struct Match: Hashable, Sendable, Codable {
        /// The piece.
        public var piece: Piece
        /// The position in the piece at which the recording begins, in seconds; negative if the recording begins
        /// earlier.
        public var offset: Double
        /// The playback speed of the recording relative to the piece.
        public var speedSkew: Double
        /// The confidence, from 0 to 1.
        public var confidence: Double

        /// A match.
        package init(piece: Piece, offset: Double, speedSkew: Double, confidence: Double) {
            self.piece = piece
            self.offset = offset
            self.speedSkew = speedSkew
            self.confidence = confidence
        }
    }

    /// The matches.
    public var matches: [Match]

    /// Matches.
    package init(_ matches: [Match]) {
        self.matches = matches
    }
}
