import Foundation

/// Small audio files with tags, made byte by byte.
enum SmallFiles {
    /// MPEG audio of layer 3, 128 kbit/s at 44,100 Hz: frames of 417 bytes that are silent, with a number in what no decoder reads.
    static func frames(_ count: Int, number: Int, changed: Set<Int> = []) -> [UInt8] {
        var bytes: [UInt8] = []
        for frame in 0..<count {
            var piece: [UInt8] = [0xFF, 0xFB, 0x90, 0xC4] + [UInt8](repeating: 0, count: 413)
            withUnsafeBytes(of: UInt64(number).littleEndian) { number in
                for (place, byte) in number.enumerated() { piece[400 + place] = byte }
            }
            piece[410] = UInt8(truncatingIfNeeded: frame)
            if changed.contains(frame) { piece[411] = 1 }
            bytes += piece
        }
        return bytes
    }

    /// A frame of ID3v2.3 with a text in an encoding that its first byte names.
    static func text(_ id: String, _ encoding: UInt8, _ text: [UInt8]) -> [UInt8] {
        let size = text.count + 1
        let count = (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) }
        return Array(id.utf8) + count + [0, 0, encoding] + text
    }

    static func tag(_ frames: [[UInt8]], padding: Int = 0) -> [UInt8] {
        let body = frames.flatMap(\.self) + [UInt8](repeating: 0, count: padding)
        let size = (0..<4).map { UInt8(body.count >> (21 - 7 * $0) & 0x7F) }
        return Array("ID3".utf8) + [3, 0, 0] + size + body
    }

    /// A text of UTF-16 with its mark.
    static func utf16(_ text: String) -> [UInt8] {
        [0xFF, 0xFE] + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    }

    /// An MP3 with tags.
    static func song(
        _ number: Int,
        title: String? = nil,
        artist: String? = nil,
        album: String? = nil,
        track: Int? = nil,
        frames count: Int = 12
    ) -> Data {
        var tags: [[UInt8]] = []
        for (id, value) in [("TIT2", title), ("TPE1", artist), ("TALB", album), ("TRCK", track.map { "\($0)" })] {
            if let value { tags.append(text(id, 1, utf16(value))) }
        }
        return Data((tags.isEmpty ? [] : tag(tags)) + frames(count, number: number))
    }

    /// A WAV with texts in its INFO list, whatever their encoding.
    static func wave(_ info: [(String, [UInt8])], frames: Int = 800, value: UInt8 = 128) -> Data {
        func number(_ value: Int, _ count: Int = 4) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        func chunk(_ id: String, _ body: [UInt8]) -> [UInt8] {
            Array(id.utf8) + number(body.count) + body + (body.count % 2 == 1 ? [0] : [])
        }
        let list = Array("INFO".utf8) + info.flatMap { chunk($0, $1 + [0]) }
        let format = number(1, 2) + number(1, 2) + number(8_000) + number(8_000) + number(1, 2) + number(8, 2)
        let body =
            Array("WAVE".utf8) + chunk("fmt ", format) + (info.isEmpty ? [] : chunk("LIST", list))
            + chunk("data", [UInt8](repeating: value, count: frames))
        return Data(Array("RIFF".utf8) + number(body.count) + body)
    }
}
