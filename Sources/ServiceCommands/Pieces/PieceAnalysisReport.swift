import CommandKit
import EarshotCore
import EarshotLibrary
import EarshotPieces
import Foundation

/// Listens to a piece, and says what is otherwise than was said of it.
struct PieceAnalysisReport {
    /// The least confidence of tempo and key that are taken from the audio, from 0 to 1.
    private static let leastConfidence = 0.5

    let intake: PieceImporter

    init(_ intake: PieceImporter) { self.intake = intake }

    /// Listens.
    ///
    /// - Parameter detecting: Says that tempo and key are taken from what is heard, where nothing is said of them and it is heard clearly.
    /// - Returns: Warnings.
    /// - Throws: What reading the sound throws.
    func check(_ package: inout PiecePackage, detecting: Bool) async throws -> [PieceWarning] {
        let sound = try intake.file(package.mix)
        Terminal.draw(nil, "listening")
        defer { Terminal.clearProgress() }
        let facts = try await PieceListener().facts(of: sound, loop: package.draft.loop)
        if detecting {
            var form = DraftForm(package.draft)
            if form.tempo == nil, let tempo = facts.tempo, tempo.confidence >= Self.leastConfidence {
                // Somebody who plays to a click takes a whole number.
                let whole = tempo.beatsPerMinute.rounded()
                form.tempo = FixedTempo(abs(whole - tempo.beatsPerMinute) < 0.15 ? whole : tempo.beatsPerMinute)
            }
            if form.tonality == .unknown, let key = facts.key, key.confidence >= Self.leastConfidence {
                (form.tonality, form.rootSpelling) = (key.tonality, nil)
            }
            do throws(DraftErrors) {
                package.draft = try form.draft()
            } catch {
                throw PieceImporter.error(error)
            }
        }
        return package.draft.warnings.map { PieceWarning($0) }
            + AudioCheck().warnings(package.draft, heard: facts).map { PieceWarning($0) }
    }
}
