public import EarshotCore

/// The part of spectrum or time that a match rests on, if the rest of the recording does not fit.
///
/// Two pieces may use the same drum loop, or a recording may begin as another does; then only a part of the landmarks
/// fits. Noise, a voice or a telephone that hides the rest of a recording looks the same.
public struct SharedMaterial: Hashable, Sendable {
    /// The frequencies that match, in hertz of the reference; `nil` if all do.
    public var frequencies: Range<Double>?
    /// The part of the recording that matches, in units of 0.5 s; `nil` if all of it does.
    public var times: Range<MediaTime>?

    /// Creates a part of a match.
    ///
    /// - Parameters:
    ///   - frequencies: The frequencies that match, in hertz of the reference.
    ///   - times: The part of the recording that matches.
    public init(frequencies: Range<Double>? = nil, times: Range<MediaTime>? = nil) {
        self.frequencies = frequencies
        self.times = times
    }
}

/// The JSON form has `lowestFrequency` and `highestFrequency` in hertz, `begin` and `end` in seconds of the recording.
extension SharedMaterial: Codable {
    private enum CodingKeys: String, CodingKey {
        case lowestFrequency, highestFrequency, begin, end
    }

    /// Reads the JSON form. A range that lacks an end, or whose end is before its beginning, is ignored.
    ///
    /// - Throws: `DecodingError` if a value is not a number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func range<Bound: Comparable>(
            _ low: CodingKeys,
            _ high: CodingKeys,
            _ bound: (Double) -> Bound?
        ) throws -> Range<Bound>? {
            guard let low = try container.decodeIfPresent(Double.self, forKey: low).flatMap(bound),
                let high = try container.decodeIfPresent(Double.self, forKey: high).flatMap(bound), low <= high
            else { return nil }
            return low..<high
        }
        frequencies = try range(.lowestFrequency, .highestFrequency) { $0 }
        times = try range(.begin, .end) { seconds in
            let time = MediaTime(seconds: seconds, preferredTimescale: 16_000)
            return time.isNumeric ? time : nil
        }
    }

    /// Writes the JSON form.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(frequencies?.lowerBound, forKey: .lowestFrequency)
        try container.encodeIfPresent(frequencies?.upperBound, forKey: .highestFrequency)
        try container.encodeIfPresent(times?.lowerBound.seconds, forKey: .begin)
        try container.encodeIfPresent(times?.upperBound.seconds, forKey: .end)
    }
}
