extension MediaTime: Codable {
    /// Decodes a time from its ``description``, such as `74/44100` or `indefinite`.
    ///
    /// - Throws: `DecodingError` for any other text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let time = MediaTime(description: text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "\"\(text.prefix(40))\" is no time: write units and units a second, as in 74/44100."
            )
        }
        self = time
    }

    /// Encodes the time as its ``description``. The flag ``hasBeenRounded`` is lost.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    private init?(description text: String) {
        switch text {
        case "indefinite": self = .indefinite
        case "+infinity": self = .positiveInfinity
        case "-infinity": self = .negativeInfinity
        case "invalid": self = .invalid
        default:
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, let value = Int64(parts[0]), let scale = Int32(parts[1]), scale >= 1 else {
                return nil
            }
            self.init(value: value, timescale: scale)
        }
    }
}
