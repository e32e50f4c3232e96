/// The exchange form is `{"title": …, "length": 40000000, "tempo": 120, "loop": {"start": 0, "end": 500000},
/// "timeSignature": {"upper": 4, "lower": 4}, "basedOn": […], "tonality": {"state": "unknown"}, "rootSpelling": "C#",
/// "id": …}`. Only title and length are required.
extension DraftForm: Codable {
    private enum Keys: String, CodingKey {
        case title, length, tempo, loop, timeSignature, basedOn, tonality, rootSpelling, id
    }

    /// Decodes the exchange form; unknown fields are ignored.
    ///
    /// ``violations`` reports an invalid tonality or identifier together with all other faults.
    ///
    /// - Throws: `DecodingError` if title or length is missing, or if another field has a wrong type.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        var tonality = Tonality.unknown
        var tonalityFault: DraftViolation?
        do {
            tonality = try values.decodeIfPresent(Tonality.self, forKey: .tonality) ?? .unknown
        } catch {
            tonalityFault = Self.violation(ofTonality: error)
        }
        var id: PieceID?
        var idFault: DraftViolation?
        do {
            id = try values.decodeIfPresent(PieceID.self, forKey: .id)
        } catch {
            idFault = DraftViolation(
                code: .invalidProvenance,
                field: .id,
                reason: "What is to be the identifier of the piece is none: those are UUIDs."
            )
        }
        self.init(
            title: try values.decode(String.self, forKey: .title),
            length: try values.decode(Microseconds.self, forKey: .length),
            tempo: try values.decodeIfPresent(FixedTempo.self, forKey: .tempo),
            loop: try values.decodeIfPresent(LoopMarkers.self, forKey: .loop),
            timeSignature: try values.decodeIfPresent(TimeSignature.self, forKey: .timeSignature),
            basedOn: try values.decodeIfPresent([String].self, forKey: .basedOn) ?? [],
            tonality: tonality,
            // The spelling is for display only, so an invalid one is ignored.
            rootSpelling: (try? values.decodeIfPresent(String.self, forKey: .rootSpelling)).flatMap { $0 }
                .flatMap { NoteSpelling($0) },
            id: id
        )
        self.tonalityFault = tonalityFault
        self.idFault = idFault
    }

    /// Returns the fault of a tonality that cannot be decoded, with the part in which it is.
    private static func violation(ofTonality error: any Error) -> DraftViolation {
        let path: [any CodingKey] =
            switch error as? DecodingError {
            case .keyNotFound(let key, let context): context.codingPath + [key]
            case .valueNotFound(_, let context), .typeMismatch(_, let context), .dataCorrupted(let context):
                context.codingPath
            default: []
            }
        let part = path.map(\.stringValue).last { ["state", "scale", "root"].contains($0) }
        let what = part.map { "The \($0) of the tonality" } ?? "The tonality"
        return DraftViolation(
            code: .invalidTonality,
            field: .tonality,
            reason:
                "\(what) cannot be so: a tonality is unknown, atonal, or tonal with a scale of 12 flags and a root of 0 to 11."
        )
    }

    /// Encodes the exchange form. Missing and invalid values are omitted.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Keys.self)
        try values.encode(title, forKey: .title)
        try values.encode(length, forKey: .length)
        try values.encodeIfPresent(tempo, forKey: .tempo)
        try values.encodeIfPresent(loop, forKey: .loop)
        try values.encodeIfPresent(timeSignature, forKey: .timeSignature)
        try values.encode(basedOn, forKey: .basedOn)
        try values.encode(tonality, forKey: .tonality)
        try values.encodeIfPresent(rootSpelling?.description, forKey: .rootSpelling)
        try values.encodeIfPresent(id, forKey: .id)
    }

    /// Creates the form of a draft.
    public init(_ draft: PieceDraft) {
        self.init(
            title: draft.title,
            length: draft.length,
            tempo: draft.tempo,
            loop: draft.loop,
            timeSignature: draft.timeSignature,
            basedOn: draft.basedOn.map(\.description),
            tonality: draft.tonality,
            rootSpelling: draft.rootSpelling
        )
    }
}
