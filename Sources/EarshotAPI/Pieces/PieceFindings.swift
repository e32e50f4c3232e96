public import EarshotPieces

/// What a service heard in a piece: for its owner and for the operator.
public struct PieceFindings: Hashable, Sendable, Codable {
    /// A stretch of something else that is heard in the piece.
    public struct Quotation: Hashable, Sendable, Codable {
        /// Where it comes from.
        public enum Source: String, Hashable, Sendable, Codable {
            /// The catalog of what the service recognizes.
            case catalog
            /// Another piece.
            case piece
        }

        /// Where it comes from.
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
        /// Where it begins in the piece, in seconds.
        public var start: Double
        /// Where it ends in the piece, in seconds.
        public var end: Double
        /// Which place of the source is heard at the begin, in seconds.
        public var sourceStart: Double
        /// How much faster than the source it plays: 0.03 is 3 % fast.
        public var speedSkew: Double
        /// How much higher it sounds: 0.03 is 3 % high.
        public var pitchSkew: Double
        /// How sure it is, from 0 to 1.
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
    /// What is heard in it, in order.
    public var contains: [Quotation]
    /// Where the sound is not what was said of it.
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
        /// Where in the piece the recording begins, in seconds; below zero where the recording begins earlier.
        public var offset: Double
        /// How much faster than the piece the recording plays.
        public var speedSkew: Double
        /// How sure it is, from 0 to 1.
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
