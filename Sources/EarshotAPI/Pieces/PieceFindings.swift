public import EarshotPieces

/// The results of a service's analysis of a piece, for its owner and for the operator.
public struct PieceFindings: Hashable, Sendable, Codable {
    /// An interval of the piece that matches another recording or piece.
    public struct Quotation: Hashable, Sendable, Codable {
        /// The origin of the matching recording.
        public enum Source: String, Hashable, Sendable, Codable {
            /// The service's recognition catalog.
            case catalog
            /// Another piece at the service.
            case piece
        }

        /// The origin of the matching recording.
        public var source: Source
        /// The name of the reference in the catalog, or the identifier of the piece.
        public var id: String
        /// The title of the reference or piece; `nil` if unknown.
        public var title: String?
        /// The artist of the reference, or the author of the piece; `nil` if unknown.
        public var artist: String?
        /// The stem in which it was detected; `nil` if it was detected in the mix or the preview.
        public var stem: String?
        /// `true` if it was detected in the preview only; `nil` otherwise.
        public var isPreview: Bool?
        /// The start of the interval in the piece, in seconds.
        public var start: Double
        /// The end of the interval in the piece, in seconds.
        public var end: Double
        /// The position in the reference or other piece at ``start``, in seconds.
        public var sourceStart: Double
        /// The relative deviation of the playback speed from the source: 0.03 is 3 % fast.
        public var speedSkew: Double
        /// The relative deviation of the pitch from the source: 0.03 is 3 % high.
        public var pitchSkew: Double
        /// The probability that the match is right, from 0 to 1.
        public var confidence: Double

        /// Creates a quotation.
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

        /// The quotation as text, such as `12.0 s of Title by Artist at +3.0 %, from 4.0 s on`, followed by the stem or
        /// preview in which it was detected.
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

    /// `true` if the analysis has ended.
    public var isComplete: Bool
    /// The recordings and other pieces that were detected, ordered by start.
    public var contains: [Quotation]
    /// The differences between the audio and the draft.
    public var warnings: [AudioWarning]
    /// The audio files that could not be analyzed: `mix`, `preview`, or the name of a stem. `nil` if all could.
    public var unheard: [String]?

    /// Creates the results of an analysis.
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

/// The response with the pieces that a recording matches, best first.
public struct PieceMatches: Hashable, Sendable, Codable {
    /// A piece that the recording matches.
    public struct Match: Hashable, Sendable, Codable {
        /// The matching piece.
        public var piece: Piece
        /// The position in the piece at which the recording begins, in seconds; negative if the recording begins
        /// earlier.
        public var offset: Double
        /// The relative deviation of the recording's speed from the piece: 0.03 is 3 % fast.
        public var speedSkew: Double
        /// The probability that the match is right, from 0 to 1.
        public var confidence: Double

        /// Creates a match.
        package init(piece: Piece, offset: Double, speedSkew: Double, confidence: Double) {
            self.piece = piece
            self.offset = offset
            self.speedSkew = speedSkew
            self.confidence = confidence
        }
    }

    /// The matches, best first.
    public var matches: [Match]

    /// Creates a response.
    package init(_ matches: [Match]) {
        self.matches = matches
    }
}
