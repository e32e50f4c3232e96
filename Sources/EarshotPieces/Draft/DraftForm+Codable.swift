/// The exchange form: `{"title": …, "length": 40000000, "tempo": 120, "loop": {"start": 0, "end": 500000}, "timeSignature": {"upper": 4,
/// "lower": 4}, "basedOn": […], "tonality": {"state": "unknown"}, "id": …}`. Only title and length have to be there.
extension DraftForm: Codable {
    private enum Keys: String, CodingKey {
        case title, length, tempo, loop, timeSignature, basedOn, tonality, id
    }

    /// Reads the exchange form; fields that it does not know are passed over.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        self.init(
            title: try values.decode(String.self, forKey: .title),
            length: try values.decode(Microseconds.self, forKey: .length),
            tempo: try values.decodeIfPresent(FixedTempo.self, forKey: .tempo),
            loop: try values.decodeIfPresent(LoopMarkers.self, forKey: .loop),
            timeSignature: try values.decodeIfPresent(TimeSignature.self, forKey: .timeSignature),
            basedOn: try values.decodeIfPresent([String].self, forKey: .basedOn) ?? [],
            tonality: try values.decodeIfPresent(Tonality.self, forKey: .tonality) ?? .unknown,
            id: try values.decodeIfPresent(PieceID.self, forKey: .id)
        )
    }

    /// Writes the exchange form without what is not there.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Keys.self)
        try values.encode(title, forKey: .title)
        try values.encode(length, forKey: .length)
        try values.encodeIfPresent(tempo, forKey: .tempo)
        try values.encodeIfPresent(loop, forKey: .loop)
        try values.encodeIfPresent(timeSignature, forKey: .timeSignature)
        try values.encode(basedOn, forKey: .basedOn)
        try values.encode(tonality, forKey: .tonality)
        try values.encodeIfPresent(id, forKey: .id)
    }

    /// The form of a draft.
    public init(_ draft: PieceDraft) {
        self.init(
            title: draft.title,
            length: draft.length,
            tempo: draft.tempo,
            loop: draft.loop,
            timeSignature: draft.timeSignature,
            basedOn: draft.basedOn.map(\.description),
            tonality: draft.tonality
        )
    }
}
