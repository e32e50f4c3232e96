/// A square that pictures are made to fit: their longer side is as long as the square's, and the other one keeps the shape.
///
/// | name | side in pixels |
/// |---|---|
/// | ``thumbnail`` | 75 |
/// | ``small`` | 170 |
/// | ``medium`` | 450 |
/// | ``large`` | 720 |
/// | ``xlarge`` | 1080 |
public enum ImageSize: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
    /// 75 pixels.
    case thumbnail = "THUMBNAIL"
    /// 170 pixels.
    case small = "SMALL"
    /// 450 pixels.
    case medium = "MEDIUM"
    /// 720 pixels.
    case large = "LARGE"
    /// 1080 pixels.
    case xlarge = "XLARGE"

    /// The order in which sizes are wanted where nobody says otherwise.
    public static let defaultOrder: [ImageSize] = [.small, .medium, .thumbnail, .large, .xlarge]

    /// A size of its name in any case; `THUMB` is the same as `THUMBNAIL`.
    public init?(name: some StringProtocol) {
        let name = name.uppercased()
        self.init(rawValue: name == "THUMB" ? "THUMBNAIL" : name)
    }

    /// A list of names with commas between them, as `defaultOrder` when any of them is not the name of a size: half of a
    /// list would be a wish that nobody had.
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

    /// Returns `true` if a picture can be shown at this size without blowing it up. A thumbnail can be made of any.
    ///
    /// - Parameters:
    ///   - width: In pixels.
    ///   - height: In pixels.
    public func isAvailable(width: Int, height: Int) -> Bool {
        self == .thumbnail || max(width, height) >= side
    }

    /// From small to large.
    public static func < (left: ImageSize, right: ImageSize) -> Bool { left.side < right.side }
}
