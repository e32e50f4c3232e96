import Earshot
import Foundation

extension Tracklist {
    /// A table of comma-separated values with a heading; times in seconds.
    func table() -> String {
        var rows = [
            [
                "kind", "begin", "end", "id", "title", "artist", "album", "confidence", "score", "offset",
                "referenceBegin", "referenceEnd", "speedSkew", "pitchSkew", "duplicateOf",
            ]
        ]
        for line in lines {
            switch line {
            case .play(let entry):
                rows.append(Self.row("play", entry.play))
                rows += entry.duplicates.map { Self.row("duplicate", $0) }
            case .unknown(let gap):
                rows.append(
                    ["unknown", Self.number(gap.lowerBound), Self.number(gap.upperBound)]
                        + [String](repeating: "", count: 12)
                )
            }
        }
        return rows.map { $0.map(CSV.field).joined(separator: ",") }.joined(separator: "\n") + "\n"
    }

    private static func row(_ kind: String, _ play: Play) -> [String] {
        let item = play.items.first
        return [
            kind, number(play.recordingRange.lowerBound.seconds), number(play.recordingRange.upperBound.seconds),
            play.id.rawValue, item?.title ?? "", item?.artist ?? "", item?.album ?? "", number(play.confidence),
            number(play.score), number(play.offset.seconds), number(play.referenceRange.lowerBound.seconds),
            number(play.referenceRange.upperBound.seconds), number(play.speedSkew), number(play.pitchSkew),
            play.duplicateOf?.rawValue ?? "",
        ]
    }

    /// Five decimals, without needless zeros.
    static func number(_ value: Double) -> String {
        var text = String(format: "%.5f", value)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text == "-0" ? "0" : text
    }
}

extension Tracklist: Encodable {
    private struct Row: Encodable {
        let begin, end: Double
        let id: String
        let title, artist, album: String?
        let confidence, score, offset: Double
        let referenceBegin, referenceEnd, referenceDuration: Double
        let speedSkew, pitchSkew: Double
        let alternatives: [Double]
        let duplicateOf: String?

        init(_ play: Play) {
            begin = Self.round(play.recordingRange.lowerBound.seconds)
            end = Self.round(play.recordingRange.upperBound.seconds)
            id = play.id.rawValue
            title = play.items.first?.title
            artist = play.items.first?.artist
            album = play.items.first?.album
            confidence = Self.round(play.confidence)
            score = Self.round(play.score)
            offset = Self.round(play.offset.seconds)
            referenceBegin = Self.round(play.referenceRange.lowerBound.seconds)
            referenceEnd = Self.round(play.referenceRange.upperBound.seconds)
            referenceDuration = Self.round(play.referenceDuration.seconds)
            speedSkew = Self.round(play.speedSkew)
            pitchSkew = Self.round(play.pitchSkew)
            alternatives = play.alternatives.map { Self.round($0.seconds) }
            duplicateOf = play.duplicateOf?.rawValue
        }

        private static func round(_ value: Double) -> Double { (value * 100_000).rounded() / 100_000 }
    }

    private enum Keys: String, CodingKey { case recording, duration, plays, unknown }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(recording, forKey: .recording)
        try container.encode(duration, forKey: .duration)
        try container.encode(entries.flatMap { [$0.play] + $0.duplicates }.map(Row.init), forKey: .plays)
        try container.encode(unknown.map { [$0.lowerBound, $0.upperBound] }, forKey: .unknown)
    }
}
