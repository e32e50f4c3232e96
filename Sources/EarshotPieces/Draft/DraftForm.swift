/// The fields of a draft as they were entered, valid or not, as in a file or a request.
public struct DraftForm: Hashable, Sendable {
    /// The title.
    public var title: String
    /// The duration of the audio.
    public var length: Microseconds
    /// The tempo.
    public var tempo: FixedTempo?
    /// The loop.
    public var loop: LoopMarkers?
    /// The time signature.
    public var timeSignature: TimeSignature?
    /// The identifiers of the pieces that it is based on.
    public var basedOn: [String]
    /// The key.
    public var tonality: Tonality { didSet { tonalityFault = nil } }
    /// The spelling of the key's root, if it is not the usual one. The spelling of another note is ignored.
    public var rootSpelling: NoteSpelling?
    /// The identifier that the piece will have, if it is known: the piece cannot be based on itself.
    public var id: PieceID? { didSet { idFault = nil } }

    /// The fault of a key that could not be read; `nil` once one is set.
    var tonalityFault: DraftViolation?
    /// The fault of an identifier that could not be read; `nil` once one is set.
    var idFault: DraftViolation?

    /// Creates a form.
    public init(
        title: String,
        length: Microseconds,
        tempo: FixedTempo? = nil,
        loop: LoopMarkers? = nil,
        timeSignature: TimeSignature? = nil,
        basedOn: [String] = [],
        tonality: Tonality = .unknown,
        rootSpelling: NoteSpelling? = nil,
        id: PieceID? = nil
    ) {
        self.title = title
        self.length = length
        self.tempo = tempo
        self.loop = loop
        self.timeSignature = timeSignature
        self.basedOn = basedOn
        self.tonality = tonality
        self.rootSpelling = rootSpelling
        self.id = id
    }

    /// Returns the draft of the form.
    ///
    /// - Throws: ``DraftErrors`` with every rule that it breaks.
    public func draft() throws(DraftErrors) -> PieceDraft {
        let violations = violations
        guard violations.isEmpty else { throw DraftErrors(violations: violations) }
        return PieceDraft(unchecked: self, title: trimmedTitle, basedOn: basedOn.compactMap { PieceID($0) })
    }

    /// Every rule that the form breaks, in order of the fields.
    public var violations: [DraftViolation] {
        let fields: [[DraftViolation]] = [
            titleViolations, lengthViolations, tempoViolations, loopViolations, signatureViolations,
            provenanceViolations, tonalityViolations, idFault.map { [$0] } ?? [],
        ]
        return fields.flatMap { $0 }
    }

    private var trimmedTitle: String {
        let scalars = title.unicodeScalars
        let first = scalars.firstIndex { !$0.properties.isWhitespace } ?? scalars.endIndex
        guard let last = scalars.lastIndex(where: { !$0.properties.isWhitespace }), first <= last else { return "" }
        return String(scalars[first...last])
    }

    private var titleViolations: [DraftViolation] {
        let scalars = trimmedTitle.unicodeScalars
        var violations: [DraftViolation] = []
        if scalars.isEmpty {
            violations.append(
                .init(code: .titleTooShort, field: .title, reason: "The title is empty: give the piece a name.")
            )
        }
        if scalars.count > PieceDraft.longestTitle {
            violations.append(
                .init(
                    code: .titleTooLong,
                    field: .title,
                    reason: "The title has \(scalars.count) code points: \(PieceDraft.longestTitle) are allowed."
                )
            )
        }
        if scalars.contains(where: { $0.properties.generalCategory == .control }) {
            violations.append(
                .init(code: .titleInvalid, field: .title, reason: "The title has control characters: leave them out.")
            )
        }
        return violations
    }

    private var lengthViolations: [DraftViolation] {
        if length <= 0 {
            return [
                .init(
                    code: .pieceTooShort,
                    field: .length,
                    reason: "The piece lasts \(length.count) microseconds: it has to have some."
                )
            ]
        }
        guard length > PieceDraft.longest else { return [] }
        return [
            .init(
                code: .pieceTooLong,
                field: .length,
                reason: "The piece lasts \(length.seconds) s: \(PieceDraft.longest.count / 1_000_000) are allowed."
            )
        ]
    }

    private var tempoViolations: [DraftViolation] {
        guard let beats = tempo?.beatsPerMinute, !FixedTempo.range.contains(beats) else { return [] }
        let isHigh = beats > FixedTempo.range.upperBound
        return [
            .init(
                code: isHigh ? .tempoTooHigh : .tempoTooLow,
                field: .tempo,
                reason: "A tempo of \(beats) beats a minute cannot be: it is 1 to 999.999."
            )
        ]
    }

    private var loopViolations: [DraftViolation] {
        guard let loop, loop.start < 0 || loop.start >= loop.end || loop.end > length else { return [] }
        return [
            .init(
                code: .invalidLoopMarkers,
                field: .loop,
                reason:
                    "The loop from \(loop.start.count) to \(loop.end.count) microseconds is no part of the piece, which lasts "
                    + "\(length.count): put its begin before its end, and both inside."
            )
        ]
    }

    private var signatureViolations: [DraftViolation] {
        guard let timeSignature, !timeSignature.isLegal else { return [] }
        return [
            .init(
                code: .invalidTimeSignature,
                field: .timeSignature,
                reason:
                    "\(timeSignature.upper) over \(timeSignature.lower) is no time signature: it is 1 to 16 over 2, 4, 8 or 16."
            )
        ]
    }

    private var provenanceViolations: [DraftViolation] {
        func violation(_ reason: String) -> DraftViolation {
            .init(code: .invalidProvenance, field: .basedOn, reason: reason)
        }
        var violations: [DraftViolation] = []
        if basedOn.count > PieceDraft.mostParents {
            violations.append(
                violation("The piece is based on \(basedOn.count): name \(PieceDraft.mostParents) at most.")
            )
        }
        var seen = Set<PieceID>()
        for text in basedOn.prefix(PieceDraft.mostParents) {
            guard let parent = PieceID(text) else {
                violations.append(violation("\"\(text.prefix(80))\" is no identifier of a piece: those are UUIDs."))
                continue
            }
            if parent == id { violations.append(violation("The piece is based on itself: leave \(parent) out.")) }
            if !seen.insert(parent).inserted {
                violations.append(violation("The piece is based on \(parent) twice: name it once."))
            }
        }
        return violations
    }

    private var tonalityViolations: [DraftViolation] {
        if let tonalityFault { return [tonalityFault] }
        guard case .tonal(let mask, _) = tonality, mask.isEmpty else { return [] }
        return [
            .init(
                code: .emptyScale,
                field: .tonality,
                reason: "The scale has no members: say which pitch classes it has, or that the tonality is unknown."
            )
        ]
    }
}
