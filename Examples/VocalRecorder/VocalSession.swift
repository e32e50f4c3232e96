import EarshotAnalysis
import EarshotClient
import EarshotCore
import EarshotLibrary
import EarshotMedia
import EarshotPieces
import Foundation

/// A take over a piece: in which key, and which pitches a voice may be tuned to.
struct VocalSession {
    let piece: Piece
    /// The key of the sound, told by its maker or heard.
    let key: Tonality
    /// How sure what was heard is; nothing for what its maker told.
    let confidence: Double?
    /// By how many semitones the sound is shifted for its singer.
    let shift: Int?

    /// Fetches the sound, and listens to it where its maker does not tell the key.
    init(_ opened: OpenedPiece, wanted: Tonality?) async throws {
        piece = opened.piece
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(opened.id).wav")
        defer { try? FileManager.default.removeItem(at: file) }
        try await opened.audio(format: .wave, to: file)
        var found = piece.tonality
        var confidence: Double?
        if found == .unknown, let heard = try await Self.key(of: file) {
            found = Self.tonality(heard) ?? .unknown
            confidence = heard.confidence
        }
        let key = found
        (self.key, self.confidence) = (key, confidence)
        // What is atonal is not shifted: it would make no sense.
        shift = wanted.flatMap { key.transposition(to: $0) }
    }

    private static func tonality(_ key: MusicalKey) -> Tonality? {
        PitchClass(rawValue: key.tonic).map { key.mode == .major ? .major($0) : .minor($0) }
    }

    private static func key(of file: URL) async throws -> MusicalKey? {
        var estimator = KeyEstimator()
        for try await block in try await AssetReader(file) { try estimator.append(block) }
        return estimator.result()
    }

    var lines: [String] {
        let naming = KeyNaming()
        var lines = ["\(piece.title) by \(piece.author), \(String(format: "%.1f", piece.length.seconds)) s"]
        let source = confidence.map { "heard, \(Int($0 * 100)) % sure" } ?? "as its maker says"
        lines.append("Key: \(naming.label(key)) (\(source))")
        let target = key.transposed(by: shift ?? 0)
        if let shift, shift != 0 {
            lines.append("Shifted by \(shift > 0 ? "+" : "")\(shift) to \(naming.label(target))")
        }
        if let pitches = target.allowedPitchClasses {
            lines.append("The tuner may use: " + pitches.map { naming.label($0) }.joined(separator: " "))
        } else {
            lines.append("The tuner stays off: there is no key to keep to.")
        }
        return lines
    }
}
