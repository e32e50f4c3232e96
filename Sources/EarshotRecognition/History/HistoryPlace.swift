/// A location at which music was recognized, on the WGS 84 ellipsoid.
public struct HistoryPlace: Hashable, Sendable, Codable {
    /// The latitude in degrees north of the equator, -90 to 90.
    public let latitude: Double
    /// The longitude in degrees east of Greenwich, -180 to 180.
    public let longitude: Double
    /// The radius of the circle that is likely to contain the location, in meters; `nil` if it is not known.
    public let accuracy: Double?

    /// Creates a location; `nil` for coordinates that are out of range.
    ///
    /// - Parameters:
    ///   - latitude: The latitude in degrees north of the equator.
    ///   - longitude: The longitude in degrees east of Greenwich.
    ///   - accuracy: The radius in meters. A negative number, with which location services report an unknown accuracy,
    ///     becomes `nil`.
    public init?(latitude: Double, longitude: Double, accuracy: Double? = nil) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }

    private enum CodingKeys: String, CodingKey { case latitude, longitude, accuracy }

    /// Decodes a location.
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
