public import ArgumentParser
import CommandKit
import EarshotCore
public import EarshotPieces
import Foundation

struct PieceKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Say what a key is called, which notes it has, and which keys go with it.",
        discussion: """
            A key is named as people do (A minor, Ebm, F# Dorian, c-Moll), or by its mask and its root: bit i of the mask is the note i \
            semitones above C.

            EXAMPLES
              earshot piece key "A minor"
              earshot piece key --mask 2477 --root 0
              earshot piece key "C major" --to "B major"       how far sound is to be shifted
              earshot piece key "B major" --language de
            """
    )

    @Argument(help: "The key's name.")
    var name: String?

    @Option(name: .long, help: "The notes as a number from 1 to 4095, bit 0 for C to bit 11 for B.")
    var mask: Int?

    @Option(name: .long, help: "The root, from 0 for C to 11 for B.")
    var root: Int?

    @Option(name: .long, help: "Another key: the shortest shift to it is told.")
    var to: String?

    @Option(name: .long, help: "The language of names: en, de, fr, it or es.")
    var language = KeyNaming.Language.english

    @Flag(name: .long, help: "Write ♯ and ♭ instead of # and b.")
    var typographic = false

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    func validate() throws {
        if name != nil, mask != nil || root != nil {
            throw ValidationError("Name the key, or give --mask and --root, not both.")
        }
        if name == nil {
            guard let mask, let root else { throw ValidationError("Name a key, or give --mask and --root.") }
            guard (1...4_095).contains(mask) else { throw ValidationError("--mask must be 1 to 4095.") }
            guard (0...11).contains(root) else { throw ValidationError("--root must be 0 to 11.") }
        }
    }

    /// A key as it is printed.
    struct KeyRecord: Encodable {
        let label: String
        let legacyLabel: String?
        let mask: Int?
        let root: Int?
        let members: [String]
        let isRootOutside: Bool
        let compatible: [String]
        let shift: Int?
    }

    func run() throws {
        let key = try key()
        let naming = KeyNaming(language: language, accidentals: typographic ? .typographic : .ascii)
        let target = try to.map { try Self.named($0) }
        let record = KeyRecord(key, naming, spelling: name.flatMap { NoteSpelling(rootOf: $0) }, to: target)
        if json {
            Terminal.print(try JSON.document(record))
            return
        }
        Terminal.print(Terminal.bold(record.label))
        if let mask = record.mask, let root = record.root {
            Terminal.print("  notes       \(record.members.joined(separator: " "))")
            Terminal.print(
                "  mask        \(mask), root \(root)\(record.isRootOutside ? " (not one of the notes)" : "")"
            )
        }
        if let label = record.legacyLabel { Terminal.print("  old label   \(label)") }
        // A person wants the usual ones; programs are told all.
        let usual = key.compatible.filter { $0 != key && $0.isMajorOrMinor }.map { naming.label($0) }
        if !usual.isEmpty { Terminal.print("  goes with   \(usual.joined(separator: ", "))") }
        guard let target else { return }
        let name = naming.label(target, spelling: to.flatMap { NoteSpelling(rootOf: $0) })
        switch record.shift {
        case let shift?:
            Terminal.print(
                "  to \(name)  \(shift < 0 ? "-" : "+")\(DisplayText.plural(abs(shift), "semitone", "semitones"))"
            )
        case nil: Terminal.print("  to \(name)  no shift: one of them has no key")
        }
    }

    private func key() throws -> Tonality {
        if let name { return try Self.named(name) }
        // The parser has checked them.
        let scale = ScaleMask(rawValue: UInt16(mask ?? 0))
        return .tonal(scale, root: PitchClass(rawValue: root ?? 0) ?? .c)
    }

    /// The key of a name.
    ///
    /// - Throws: `requestInvalid` for a name that no key has.
    static func named(_ name: String) throws(EarshotError) -> Tonality {
        guard let key = Tonality(name: name) else {
            throw EarshotError(
                .requestInvalid,
                "\"\(name.prefix(60))\" is no name of a key: write it as A minor, Ebm or F# Dorian, or say atonal or unknown."
            )
        }
        return key
    }
}

extension PieceKeyCommand.KeyRecord {
    init(_ key: Tonality, _ naming: KeyNaming, spelling: NoteSpelling?, to target: Tonality?) {
        label = naming.label(key, spelling: spelling)
        legacyLabel = key.legacyLabel
        isRootOutside = key.isRootOutside
        if case .tonal(let scale, let first) = key {
            mask = Int(scale.rawValue)
            root = first.rawValue
            members = scale.members(from: first).map { naming.label($0) }
        } else {
            (mask, root, members) = (nil, nil, [])
        }
        compatible = key.compatible.filter { $0 != key }.map { naming.label($0) }
        shift = target.flatMap { key.transposition(to: $0) }
    }
}

extension Tonality {
    fileprivate var isMajorOrMinor: Bool {
        guard case .tonal(_, let root) = self else { return false }
        return self == .major(root) || self == .minor(root)
    }
}

extension KeyNaming.Language: ExpressibleByArgument {}
