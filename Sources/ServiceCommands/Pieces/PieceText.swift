import CommandKit
import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation

/// Pieces as a person reads them. What packages and services say of them is shown without what steers a terminal.
enum PieceText {
    /// A published piece.
    static func show(_ piece: Piece) {
        for line in lines(piece) { Terminal.print(line) }
    }

    /// A piece in a package, by what the package says of itself.
    static func show(_ manifest: PieceManifest, _ draft: PieceDraft) {
        for line in lines(manifest, draft) { Terminal.print(line) }
    }

    /// The lines about a published piece.
    static func lines(_ piece: Piece) -> [String] {
        var lines = [heading(piece.title, piece.author), "  " + Terminal.shown(piece.address.absoluteString)]
        lines += facts(
            length: piece.length,
            tempo: piece.tempo,
            loop: piece.loop,
            timeSignature: piece.timeSignature,
            key: piece.label,
            basedOn: piece.basedOn
        )
        if !piece.stems.isEmpty { lines.append(row("stems", list(piece.stems))) }
        var parts: [String] = []
        if piece.hasPreview { parts.append("preview") }
        if piece.hasCover { parts.append("cover") }
        if let name = piece.attachmentName { parts.append("attachment \(Terminal.shown(name))") }
        if !parts.isEmpty { lines.append(row("with", parts.joined(separator: ", "))) }
        let visibility = piece.visibility == .listed ? "" : ", \(piece.visibility.rawValue)"
        lines.append(row("published", ServiceAPI.text(of: piece.createdAt) + visibility))
        if !piece.description.isEmpty { lines.append(row("says", Terminal.shown(piece.description))) }
        return lines
    }

    /// The lines about a piece in a package: none of its parts is read for them.
    static func lines(_ manifest: PieceManifest, _ draft: PieceDraft) -> [String] {
        var lines = [heading(draft.title, manifest.author)]
        lines += facts(
            length: draft.length,
            tempo: draft.tempo,
            loop: draft.loop,
            timeSignature: draft.timeSignature,
            key: draft.keyLabel,
            basedOn: draft.basedOn
        )
        if let format = manifest.part(.stem)?.format { lines.append(row("mix", format.rawValue)) }
        let stems = manifest.stems.compactMap(\.name)
        if !stems.isEmpty { lines.append(row("stems", list(stems))) }
        if let format = manifest.part(.preview)?.format { lines.append(row("preview", format.rawValue)) }
        if manifest.part(.cover) != nil { lines.append(row("cover", "\(CoverImage.side) x \(CoverImage.side)")) }
        if let attachment = manifest.part(.attachment) {
            let name = Terminal.shown(attachment.originalName ?? attachment.file)
            lines.append(row("attachment", "\(name), \(DisplayText.bytes(attachment.size))"))
        }
        if !manifest.description.isEmpty { lines.append(row("says", Terminal.shown(manifest.description))) }
        return lines
    }

    /// One line of a list.
    static func line(_ piece: Piece) -> String {
        var facts = [DisplayText.length(piece.length.time)]
        if let tempo = piece.tempo { facts.append("\(number(tempo.beatsPerMinute)) bpm") }
        if piece.tonality != .unknown { facts.append(Terminal.shown(piece.label)) }
        return "\(piece.id)  \(Terminal.bold(Terminal.shown(piece.title))) by \(Terminal.shown(piece.author))  "
            + Terminal.dim(facts.joined(separator: ", "))
    }

    /// Prints warnings.
    static func warn(_ warnings: [String]) {
        for warning in warnings { Terminal.note("Warning: \(Terminal.shown(warning))") }
    }

    /// A number with up to three decimals, however large it is.
    static func number(_ value: Double) -> String {
        let text = String(format: "%.3f", value)
        let short = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
        return String(short.reversed())
    }

    private static func heading(_ title: String, _ author: String?) -> String {
        Terminal.bold(Terminal.shown(title)) + (author.map { "  by \(Terminal.shown($0))" } ?? "")
    }

    private static func list(_ names: [String]) -> String { names.map { Terminal.shown($0) }.joined(separator: ", ") }

    private static func facts(
        length: Microseconds,
        tempo: FixedTempo?,
        loop: LoopMarkers?,
        timeSignature: TimeSignature?,
        key: String,
        basedOn: [PieceID]
    ) -> [String] {
        var rows = [row("length", DisplayText.position(length.time))]
        if let tempo { rows.append(row("tempo", "\(number(tempo.beatsPerMinute)) beats a minute")) }
        if let timeSignature { rows.append(row("meter", "\(timeSignature.upper)/\(timeSignature.lower)")) }
        if let loop {
            rows.append(
                row("loop", "\(DisplayText.position(loop.start.time)) to \(DisplayText.position(loop.end.time))")
            )
        }
        rows.append(row("key", Terminal.shown(key)))
        if !basedOn.isEmpty { rows.append(row("based on", basedOn.map(\.description).joined(separator: ", "))) }
        return rows
    }

    private static func row(_ name: String, _ value: String) -> String {
        "  " + Terminal.dim(name.padding(toLength: 11, withPad: " ", startingAt: 0)) + value
    }
}
