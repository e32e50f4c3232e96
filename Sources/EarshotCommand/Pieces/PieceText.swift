import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation

/// Pieces as a person reads them.
enum PieceText {
    /// A published piece.
    static func show(_ piece: Piece) {
        Console.say(Console.bold(piece.title) + "  by \(piece.author)")
        Console.say("  \(piece.address.absoluteString)")
        facts(
            length: piece.length,
            tempo: piece.tempo,
            loop: piece.loop,
            timeSignature: piece.timeSignature,
            tonality: piece.tonality,
            basedOn: piece.basedOn
        )
        if !piece.stems.isEmpty { row("stems", piece.stems.map { Console.shown($0) }.joined(separator: ", ")) }
        var parts: [String] = []
        if piece.hasPreview { parts.append("preview") }
        if piece.hasCover { parts.append("cover") }
        if let name = piece.attachmentName { parts.append("attachment \(Console.shown(name))") }
        if !parts.isEmpty { row("with", parts.joined(separator: ", ")) }
        row(
            "published",
            ServiceAPI.text(of: piece.createdAt) + (piece.visibility == .listed ? "" : ", \(piece.visibility.rawValue)")
        )
        if !piece.description.isEmpty { row("says", Console.shown(piece.description)) }
    }

    /// A piece in a package.
    static func show(_ package: PiecePackage) {
        Console.say(Console.bold(package.draft.title) + (package.author.map { "  by \($0)" } ?? ""))
        let draft = package.draft
        facts(
            length: draft.length,
            tempo: draft.tempo,
            loop: draft.loop,
            timeSignature: draft.timeSignature,
            tonality: draft.tonality,
            basedOn: draft.basedOn
        )
        row("mix", package.mix.format.rawValue)
        if !package.stems.isEmpty { row("stems", package.stems.map { Console.shown($0.name) }.joined(separator: ", ")) }
        if let preview = package.preview { row("preview", preview.format.rawValue) }
        if package.cover != nil { row("cover", "\(CoverImage.side) x \(CoverImage.side)") }
        if let attachment = package.attachment {
            row("attachment", "\(Console.shown(attachment.fileName)), \(Wording.bytes(attachment.bytes.count))")
        }
        if !package.description.isEmpty { row("says", Console.shown(package.description)) }
    }

    /// One line of a list.
    static func line(_ piece: Piece) -> String {
        var facts = [Wording.length(piece.length.time)]
        if let tempo = piece.tempo { facts.append("\(number(tempo.beatsPerMinute)) bpm") }
        if piece.tonality != .unknown { facts.append(piece.label) }
        return "\(piece.id)  \(Console.bold(piece.title)) by \(piece.author)  "
            + Console.dim(facts.joined(separator: ", "))
    }

    /// What is legal, and worth a look.
    static func warn(_ warnings: [String]) {
        for warning in warnings { Console.note("Warning: \(warning)") }
    }

    private static func facts(
        length: Microseconds,
        tempo: FixedTempo?,
        loop: LoopMarkers?,
        timeSignature: TimeSignature?,
        tonality: Tonality,
        basedOn: [PieceID]
    ) {
        row("length", Wording.position(length.time))
        if let tempo { row("tempo", "\(number(tempo.beatsPerMinute)) beats a minute") }
        if let timeSignature { row("meter", "\(timeSignature.upper)/\(timeSignature.lower)") }
        if let loop { row("loop", "\(Wording.position(loop.start.time)) to \(Wording.position(loop.end.time))") }
        row("key", tonality.label)
        if !basedOn.isEmpty { row("based on", basedOn.map(\.description).joined(separator: ", ")) }
    }

    private static func row(_ name: String, _ value: String) {
        Console.say("  " + Console.dim(name.padding(toLength: 11, withPad: " ", startingAt: 0)) + value)
    }

    private static func number(_ value: Double) -> String {
        let text = String(format: "%.3f", value)
        let short = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
        return value == value.rounded() ? String(Int(value)) : String(String(short.reversed()))
    }
}
