/// The details of a piece before it is published. A draft is always valid.
public struct PieceDraft: Hashable, Sendable {
    /// The largest number of code points of a title.
    public static let longestTitle = 50
    /// The longest duration of a piece: 20 minutes.
    public static let longest: Microseconds = 1_200_000_000
    /// The largest number of pieces that a piece is based on.
    public static let mostParents = 100

    /// The title, which the user may change.
    public let title: String
    /// The duration of its audio.
    public let length: Microseconds
    /// The tempo; `nil` if it is unknown or not constant.
    public let tempo: FixedTempo?
    /// The loop; `nil` if the piece is not a loop.
    public let loop: LoopMarkers?
    /// The time signature; `nil` if it is unknown or not constant.
    public let timeSignature: TimeSignature?
    /// The pieces that it is based on, in order.
    public let basedOn: [PieceID]
    /// The key.
    public let tonality: Tonality
    /// The spelling of the key's root; `nil` for the usual one.
    public let rootSpelling: NoteSpelling?

    /// Creates a draft.
    ///
    /// - Parameters:
    ///   - title: 1 to 50 code points without control characters. White space at its ends is removed.
    ///   - length: More than zero and at most 20 minutes.
    ///   - tempo: 1 to 999.999 beats a minute.
    ///   - loop: A part of the piece.
    ///   - timeSignature: 1 to 16 over 2, 4, 8 or 16.
    ///   - basedOn: Other pieces, each once, at most 100.
    ///   - tonality: The key; a scale has at least one member.
    ///   - rootSpelling: The spelling of the root; `nil` for the usual one.
    /// - Throws: ``DraftErrors`` with every rule that it breaks.
    public init(
        title: String,
        length: Microseconds,
        tempo: FixedTempo? = nil,
        loop: LoopMarkers? = nil,
        timeSignature: TimeSignature? = nil,
        basedOn: [PieceID] = [],
        tonality: Tonality = .unknown,
        rootSpelling: NoteSpelling? = nil
    ) throws(DraftErrors) {
        let form = DraftForm(
            title: title,
            length: length,
            tempo: tempo,
            loop: loop,
            timeSignature: timeSignature,
            basedOn: basedOn.map(\.description),
            tonality: tonality,
            rootSpelling: rootSpelling
        )
        self = try form.draft()
    }

    init(unchecked form: DraftForm, title: String, basedOn: [PieceID]) {
        self.title = title
        length = form.length
        tempo = form.tempo
        loop = form.loop
        timeSignature = form.timeSignature
        self.basedOn = basedOn
        tonality = form.tonality
        rootSpelling = form.rootSpelling
    }

    /// The English name of the key, with the maker's spelling.
    public var keyLabel: String { KeyNaming().label(tonality, spelling: rootSpelling) }

    /// The warnings about valid but unusual values.
    public var warnings: [DraftWarning] {
        var warnings: [DraftWarning] = []
        if let loop, let tempo {
            let beats = loop.seconds / tempo.secondsPerBeat
            let whole = max(1, beats.rounded())
            if abs(beats - whole) / whole > 0.01 {
                let text = (beats * 100).rounded() / 100
                warnings.append(
                    DraftWarning(
                        code: .loopOffBeat,
                        reason:
                            "The loop lasts \(text) beats at \(tempo.beatsPerMinute) beats a minute: move a marker, "
                            + "or correct the tempo."
                    )
                )
            }
        }
        if tonality.isRootOutside {
            warnings.append(
                DraftWarning(
                    code: .rootOutsideScale,
                    reason: "The root is not in the scale: correct the root or the scale."
                )
            )
        }
        return warnings
    }
}
