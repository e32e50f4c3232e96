public import EarshotCore
public import Foundation

/// The cover of a piece: an image of 640 x 640 pixels.
public struct CoverImage: Hashable, Sendable {
    /// The width and height of a cover, in pixels.
    public static let side = 640

    /// The file formats of a cover.
    public enum Format: String, Hashable, Sendable, Codable, CaseIterable {
        /// PNG.
        case png
        /// JPEG.
        case jpeg
    }

    /// The file format.
    public let format: Format
    /// The content of the file.
    public let bytes: Data

    /// Creates a cover.
    ///
    /// - Throws: `coverSizeInvalid` for another size in pixels; `pieceInvalid` if the file is not PNG or JPEG.
    public init(_ bytes: Data) throws(EarshotError) {
        guard let (format, width, height) = Self.facts(bytes) else {
            throw EarshotError(.pieceInvalid, "The cover is no PNG or JPEG file: give one of these.")
        }
        guard width == Self.side, height == Self.side else {
            throw EarshotError(
                .coverSizeInvalid,
                "The cover has \(width) x \(height) pixels: crop and scale it to \(Self.side) x \(Self.side)."
            )
        }
        self.format = format
        self.bytes = bytes
    }

    /// Returns the format and the size in pixels from the header.
    private static func facts(_ data: Data) -> (format: Format, width: Int, height: Int)? {
        // The header lies within the first kilobytes, unless a JPEG has other data before it.
        let bytes = Array(data.prefix(1 << 20))
        func number(_ place: Int, _ count: Int) -> Int? {
            guard place >= 0, place + count <= bytes.count else { return nil }
            return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
        }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            guard number(12, 4) == 0x4948_4452, let width = number(16, 4), let height = number(20, 4) else {
                return nil
            }
            return (.png, width, height)
        }
        guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
        var place = 2
        while let marker = number(place, 2), marker > 0xFF00 {
            // Any number of fill bytes may precede a marker.
            if marker == 0xFFFF {
                place += 1
                continue
            }
            if (0xFFC0...0xFFCF).contains(marker), ![0xFFC4, 0xFFC8, 0xFFCC].contains(marker) {
                guard let height = number(place + 5, 2), let width = number(place + 7, 2) else { return nil }
                return (.jpeg, width, height)
            }
            guard let length = number(place + 2, 2), length >= 2 else { return nil }
            place += 2 + length
        }
        return nil
    }
}
