/// A location at which music was recognized, on the WGS 84 ellipsoid.
public struct HistoryPlace: Hashable, Sendable, Codable {
    /// Degrees north of the equator, -90 to 90.
    public let latitude: Double
    /// Degrees east of Greenwich, -180 to 180.
    public let longitude: Double
    /// The radius, in metres, of the circle in which the place is likely to be; `nil` if that is not known.
    public let accuracy: Double?

    /// A place.
    ///
    /// - Parameters:
    ///   - latitude: Degrees north of the equator.
    ///   - longitude: Degrees east of Greenwich.
    ///   - accuracy: In metres. One below zero, by which location services say that they do not know, counts as nothing.
    /// - Returns: `nil` for coordinates that are out of range, so that a recognition is kept without them.
    public init?(latitude: Double, longitude: Double, accuracy: Double? = nil) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }

    private enum CodingKeys: String, CodingKey { case latitude, longitude, accuracy }

    /// Reads the members.
    ///
    /// - Throws: `DecodingError` for coordinates that are out of range.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let latitude = try container.decode(Double.self, forKey: .latitude)
        let longitude = try container.decode(Double.self, forKey: .longitude)
        let accuracy = try container.decodeIfPresent(Double.self, forKey: .accuracy)
        guard let place = HistoryPlace(latitude: latitude, longitude: longitude, accuracy: accuracy) else {
            throw DecodingError.dataCorruptedError(
                forKey: .latitude,
                in: container,
                debugDescription: "\(latitude), \(longitude) is no place on earth."
            )
        }
        self = place
    }
}
