import Earshot

/// A match in words for a person: the printer of `identify` and `listen`, whoever found the match.
package struct MatchText {
    private let match: MatchRecord

    package init(_ match: MatchRecord) { self.match = match }

    /// Title and artist, or the name of the reference or the track.
    package var name: String {
        guard let title = match.title else { return match.artist ?? match.id ?? match.trackID ?? "untitled" }
        return match.artist.map { "\(title) — \($0)" } ?? title
    }

    /// Name and position in one line, of what is followed live.
    package var sentence: String {
        "\(Terminal.bold(name)) \(([place].compactMap(\.self) + certainty).joined(separator: ", "))"
    }

    /// The name, and below it the position and what else is known.
    ///
    /// - Parameters:
    ///   - showsPart: Whether to show which part of the clip fits, and not only where in the reference the clip begins.
    ///   - showsAlternatives: Whether to show other positions that fit.
    package func lines(showsPart: Bool, showsAlternatives: Bool) -> [String] {
        // Only a service names albums of its own: in a catalog, all references may be of one.
        let album = match.albumID == nil ? nil : match.album
        var lines = ["  " + Terminal.bold(name) + (album.map { "  \($0)" } ?? "")]
        var details = [showsPart ? part ?? place : place].compactMap(\.self) + certainty
        if let cover = match.coverArt?.text { details.append("cover \(cover)") }
        if !details.isEmpty { lines.append("    " + details.joined(separator: ", ")) }
        if let other = match.duplicateOf { lines.append(Terminal.dim("    the same audio as \(other)")) }
        if let shared = match.sharedMaterial { lines.append(Terminal.dim("    \(Self.words(of: shared))")) }
        if showsAlternatives, let alternatives = match.alternatives, !alternatives.isEmpty {
            let places = alternatives.map(Self.position).joined(separator: ", ")
            lines.append(Terminal.dim("    fits as well at \(places)"))
        }
        return lines
    }

    private var length: String { match.referenceDuration.map { " of \(Self.position($0))" } ?? "" }

    private var place: String? {
        (match.position ?? match.offset).map { "at \(Self.position($0))\(length)" }
    }

    private var part: String? {
        guard let begin = match.queryBegin, let end = match.queryEnd, let first = match.referenceBegin else {
            return nil
        }
        return "heard \(Self.position(begin)) to \(Self.position(end)), from \(Self.position(first))\(length)"
    }

    private var certainty: [String] {
        var words: [String] = []
        if let speed = match.speedSkew, let pitch = match.pitchSkew {
            words.append(DisplayText.skew(speed: speed, pitch: pitch))
        }
        // Rounded down, so that only certainty itself reads 100 %.
        if let confidence = match.confidence { words.append("confidence \(Int((confidence * 100).rounded(.down))) %") }
        return words
    }

    /// The part that fits, in words.
    private static func words(of shared: SharedMaterial) -> String {
        var parts: [String] = []
        if let range = shared.frequencies {
            parts.append("\(Int(range.lowerBound)) to \(Int(range.upperBound)) Hz")
        }
        if let range = shared.times {
            parts.append("\(DisplayText.position(range.lowerBound)) to \(DisplayText.position(range.upperBound))")
        }
        return "only \(parts.joined(separator: ", ")) fits; the rest may be another recording, or noise"
    }

    private static func position(_ seconds: Double) -> String { DisplayText.position(MediaTime(seconds: seconds)) }
}
