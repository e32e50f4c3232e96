public import EarshotCore

/// The type and size of a picture file, from its first bytes, without decoding.
public struct PictureHeader: Hashable, Sendable {
    /// The kinds of files that are known.
    enum Format: String, CaseIterable {
        case jpeg, png, webp, gif, bmp
    }

    /// The MIME type: `image/jpeg`, `image/png`, `image/webp`, `image/gif` or `image/bmp`.
    public var mimeType: String { "image/\(format.rawValue)" }
    /// The width in pixels, at least 1.
    public let width: Int
    /// The height in pixels, at least 1.
    public let height: Int
    let format: Format

    /// Reads the type and size from the beginning of a picture file.
    ///
    /// The size is the one that the file states, which may be too large to decode.
    ///
    /// - Parameter bytes: The file, or enough of its beginning: of a JPEG file everything before the image data, of
    ///   other types 30 bytes.
    /// - Throws: `assetUnreadable` if the file is of another type, or is damaged before the size.
    public init(of bytes: [UInt8]) throws(EarshotError) {
        let fields = Fields(bytes)
        let size: (width: Int, height: Int)?
        if fields.has([0xFF, 0xD8, 0xFF], at: 0) {
            (format, size) = (.jpeg, Self.jpeg(fields))
        } else if fields.has([0x89] + Array("PNG\r\n\u{1A}\n".utf8), at: 0) {
            (format, size) = (.png, Self.png(fields))
        } else if fields.has(Array("GIF8".utf8), at: 0) {
            (format, size) = (.gif, fields.littlePair(at: 6))
        } else if fields.has(Array("RIFF".utf8), at: 0), fields.has(Array("WEBP".utf8), at: 8) {
            (format, size) = (.webp, Self.webp(fields))
        } else if fields.has(Array("BM".utf8), at: 0) {
            (format, size) = (.bmp, Self.bmp(fields))
        } else {
            throw EarshotError(
                .assetUnreadable,
                "The picture is of no known type: use JPEG, PNG, WebP, GIF or BMP."
            )
        }
        guard let size, size.width > 0, size.height > 0 else {
            throw EarshotError(
                .assetUnreadable,
                "The picture begins as \(format.rawValue.uppercased()) but does not say its size: get the file again."
            )
        }
        (width, height) = size
    }

    // MARK: - Types

    /// The size stands in the first segment that begins a frame.
    private static func jpeg(_ fields: Fields) -> (Int, Int)? {
        var place = 2
        while let mark = fields.byte(place) {
            guard mark == 0xFF, let kind = fields.byte(place + 1) else { return nil }
            switch kind {
            case 0xFF: place += 1
            case 0x01, 0xD0...0xD7: place += 2
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                guard let height = fields.big(2, at: place + 5), let width = fields.big(2, at: place + 7) else {
                    return nil
                }
                return (width, height)
            case 0xD8, 0xD9, 0xDA: return nil
            default:
                guard let length = fields.big(2, at: place + 2), length >= 2 else { return nil }
                place += 2 + length
            }
        }
        return nil
    }

    private static func png(_ fields: Fields) -> (Int, Int)? {
        guard fields.has(Array("IHDR".utf8), at: 12), let width = fields.big(4, at: 16),
            let height = fields.big(4, at: 20)
        else { return nil }
        return (width, height)
    }

    private static func webp(_ fields: Fields) -> (Int, Int)? {
        if fields.has(Array("VP8 ".utf8), at: 12), fields.has([0x9D, 0x01, 0x2A], at: 23) {
            return fields.littlePair(at: 26).map { ($0 & 0x3FFF, $1 & 0x3FFF) }
        }
        if fields.has(Array("VP8L".utf8), at: 12), fields.byte(20) == 0x2F, let bits = fields.little(4, at: 21) {
            return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        }
        if fields.has(Array("VP8X".utf8), at: 12), let width = fields.little(3, at: 24),
            let height = fields.little(3, at: 27)
        {
            return (width + 1, height + 1)
        }
        return nil
    }

    private static func bmp(_ fields: Fields) -> (Int, Int)? {
        guard let size = fields.little(4, at: 14) else { return nil }
        if size == 12 { return fields.littlePair(at: 18) }
        guard size >= 40, let width = fields.little(4, at: 18), let height = fields.little(4, at: 22) else {
            return nil
        }
        // A height below zero says that the first row is the upper one.
        return (Int(Int32(truncatingIfNeeded: width)), Int(Int32(truncatingIfNeeded: height).magnitude))
    }

    /// Numbers at places of a file; nothing behind its end.
    private struct Fields {
        let bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        func byte(_ place: Int) -> Int? { bytes.indices.contains(place) ? Int(bytes[place]) : nil }

        func has(_ text: [UInt8], at place: Int) -> Bool {
            bytes.count >= place + text.count && bytes[place..<place + text.count].elementsEqual(text)
        }

        func big(_ count: Int, at place: Int) -> Int? {
            guard place >= 0, place + count <= bytes.count else { return nil }
            return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
        }

        func little(_ count: Int, at place: Int) -> Int? {
            guard place >= 0, place + count <= bytes.count else { return nil }
            return bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }

        /// Two numbers of two bytes.
        func littlePair(at place: Int) -> (Int, Int)? {
            guard let first = little(2, at: place), let second = little(2, at: place + 2) else { return nil }
            return (first, second)
        }
    }
}
