/// A size class of pictures: the square into which a picture is scaled, keeping its proportions.
///
/// | name | side in pixels |
/// |---|---|
/// | ``thumbnail`` | 75 |
/// | ``small`` | 170 |
/// | ``medium`` | 450 |
/// | ``large`` | 720 |
/// | ``xlarge`` | 1080 |
public enum ImageSize: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
    /// A square of 75 pixels.
    case thumbnail = "THUMBNAIL"
    /// A square of 170 pixels.
    case small = "SMALL"
    /// A square of 450 pixels.
    case medium = "MEDIUM"
    /// A square of 720 pixels.
    case large = "LARGE"
    /// A square of 1080 pixels.
    case xlarge = "XLARGE"

    /// The default order of preference.
    public static let defaultOrder: [ImageSize] = [.small, .medium, .thumbnail, .large, .xlarge]

    /// Creates a size from its name in any case, with `THUMB` for `THUMBNAIL`; `nil` for an unknown name.
    public init?(name: some StringProtocol) {
        let name = name.uppercased()
        self.init(rawValue: name == "THUMB" ? "THUMBNAIL" : name)
    }

    /// Parses a list of names separated by commas. Returns `defaultOrder` if any name is unknown.
    public static func order(_ list: some StringProtocol) -> [ImageSize] {
        var sizes: [ImageSize] = []
        for part in list.split(separator: ",", omittingEmptySubsequences: false) {
            guard let size = ImageSize(name: String(part.filter { !$0.isWhitespace })) else { return defaultOrder }
            if !sizes.contains(size) { sizes.append(size) }
        }
        return sizes.isEmpty ? defaultOrder : sizes
    }

    /// The side of the square, in pixels.
    public var side: Int {
        switch self {
        case .thumbnail: 75
        case .small: 170
        case .medium: 450
        case .large: 720
        case .xlarge: 1080
        }
    }

    /// Returns `true` if a picture can be shown at this size without enlarging it; a thumbnail always can.
    ///
    /// - Parameters:
    ///   - width: The width of the picture, in pixels.
    ///   - height: The height of the picture, in pixels.
    public func isAvailable(width: Int, height: Int) -> Bool {
        self == .thumbnail || max(width, height) >= side
    }

    /// Orders sizes from small to large.
    public static func < (left: ImageSize, right: ImageSize) -> Bool { left.side < right.side }
}
