import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A text encoding of tags that do not state their encoding.
///
/// Some tags state no encoding, or state Latin-1 whatever they contain: ID3v1, the frames of ID3v2 that are marked as
/// Latin-1, and the texts of RIFF files.
public enum LegacyEncoding: String, Hashable, Sendable, Codable, CaseIterable {
    /// Western European: ISO 8859-1, with the characters of Windows-1252 for codes that it does not assign.
    case latin1 = "latin-1"
    /// Japanese: Shift JIS with the additions of Windows.
    case shiftJIS = "shift-jis"
    /// Korean: EUC-KR with the additions of Windows.
    case eucKR = "euc-kr"
    /// Chinese: GB 18030, which includes GBK and GB 2312.
    case gb18030 = "gb18030"
    /// UTF-16, little-endian, with or without a byte order mark.
    case utf16LittleEndian = "utf-16le"
    /// UTF-16, big-endian, with or without a byte order mark.
    case utf16BigEndian = "utf-16be"

    /// Decodes bytes in this encoding; `nil` if they are not valid in it, or the system does not support it.
    public func text(_ bytes: [UInt8]) -> String? {
        switch self {
        case .latin1: Self.western(bytes)
        case .shiftJIS, .eucKR, .gb18030: converted(bytes)
        case .utf16LittleEndian: Self.utf16(bytes, low: 0)
        case .utf16BigEndian: Self.utf16(bytes, low: 1)
        }
    }

    // MARK: - Simple ones

    /// The characters of Windows from 0x80 to 0x9F; 0 for unassigned ones.
    private static let windows: [UInt16] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
        0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
        0x0178,
    ]

    private static func western(_ bytes: [UInt8]) -> String {
        var scalars = String.UnicodeScalarView()
        for byte in bytes {
            let code = (0x80..<0xA0).contains(byte) ? windows[Int(byte) - 0x80] : 0
            scalars.append(code == 0 ? Unicode.Scalar(byte) : Unicode.Scalar(code) ?? Unicode.Scalar(byte))
        }
        return String(scalars)
    }

    private static func utf16(_ bytes: [UInt8], low: Int) -> String? {
        guard bytes.count % 2 == 0 else { return nil }
        var units = stride(from: 0, to: bytes.count, by: 2).map {
            UInt16(bytes[$0 + low]) | UInt16(bytes[$0 + 1 - low]) << 8
        }
        if units.first == 0xFEFF { units.removeFirst() }
        return String(validating: units, as: UTF16.self)
    }

    // MARK: - By the system

    #if os(Linux)
        /// The names that the C library has for it, the wider one first.
        private var names: [String] {
            switch self {
            case .shiftJIS: ["CP932", "SHIFT_JIS"]
            case .eucKR: ["CP949", "EUC-KR"]
            case .gb18030: ["GB18030", "GBK"]
            case .latin1, .utf16LittleEndian, .utf16BigEndian: []
            }
        }

        private func converted(_ bytes: [UInt8]) -> String? {
            for name in names {
                let converter = iconv_open("UTF-8", name)
                // The C library gives -1 for an encoding that it does not have.
                guard converter != iconv_t(bitPattern: -1) else { continue }
                defer { iconv_close(converter) }
                return Self.converted(bytes, with: converter)
            }
            return nil
        }

        private static func converted(_ bytes: [UInt8], with converter: iconv_t?) -> String? {
            var input = bytes.map { CChar(bitPattern: $0) }
            // No character of two bytes takes more than three in UTF-8, none of four more than four.
            var output = [CChar](repeating: 0, count: bytes.count * 3 + 4)
            let size = output.count
            let rest: Int? = input.withUnsafeMutableBufferPointer { input in
                output.withUnsafeMutableBufferPointer { output in
                    var (from, to) = (input.baseAddress, output.baseAddress)
                    var (fromLeft, toLeft) = (input.count, size)
                    let result = iconv(converter, &from, &fromLeft, &to, &toLeft)
                    return result == Int(bitPattern: UInt(bitPattern: -1)) || fromLeft > 0 ? nil : toLeft
                }
            }
            guard let rest else { return nil }
            return String(validating: output.prefix(size - rest).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    #else
        /// The system's number of it.
        private var number: UInt32? {
            switch self {
            case .shiftJIS: UInt32(CFStringEncodings.dosJapanese.rawValue)
            case .eucKR: UInt32(CFStringEncodings.dosKorean.rawValue)
            case .gb18030: UInt32(CFStringEncodings.GB_18030_2000.rawValue)
            case .latin1, .utf16LittleEndian, .utf16BigEndian: nil
            }
        }

        private func converted(_ bytes: [UInt8]) -> String? {
            guard let number else { return nil }
            let encoding = String.Encoding(rawValue: CFStringConvertEncodingToNSStringEncoding(number))
            return String(bytes: bytes, encoding: encoding)
        }
    #endif
}
