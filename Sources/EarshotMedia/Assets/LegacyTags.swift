import EarshotCore

/// Tags of a container that may have texts in an encoding that nothing says.
struct LegacyTags {
    /// The tags, in Unicode.
    let tags: Tags

    /// - Parameters:
    ///   - values: The tags from FFmpeg: names with bytes, of which the first of a name counts.
    ///   - encoding: The encoding of texts that do not say it; nothing guesses it, the same for all of the file.
    ///   - path: The file, for the bytes that FFmpeg does not give.
    init(_ values: [(String, [UInt8])], encoding: LegacyEncoding?, file path: String?) {
        // A tag that cannot be read a second time is one that FFmpeg gave rightly, or not at all.
        let texts = path.flatMap { path in
            do throws(EarshotError) {
                return try ID3Texts(RawFile(reading: path))
            } catch {
                return nil
            }
        }
        var pairs: [(name: String, text: String)] = []
        var doubtful: [(place: Int, bytes: [UInt8])] = []
        for text in texts?.doubtful ?? [] {
            if text.isUTF16 {
                let bytes = ID3Texts.even(text.bytes)
                let wanted = encoding.flatMap { [.utf16LittleEndian, .utf16BigEndian].contains($0) ? $0 : nil }
                if let decoded = (wanted ?? LegacyGuess.utf16(bytes))?.text(bytes) {
                    pairs.append((text.name, decoded))
                }
            } else if text.bytes.contains(where: { $0 >= 0x80 }) {
                doubtful.append((pairs.count, text.bytes))
                pairs.append((text.name, ""))
            }
        }
        for (name, bytes) in values {
            if texts?.certain.contains(name.lowercased()) != true, let raw = Self.doubtfulBytes(bytes) {
                doubtful.append((pairs.count, raw))
                pairs.append((name, ""))
            } else {
                pairs.append((name, String(decoding: bytes, as: UTF8.self)))
            }
        }
        let used = encoding ?? LegacyGuess.encoding(of: doubtful.map(\.bytes))
        for (place, bytes) in doubtful {
            pairs[place].text = used.text(bytes) ?? LegacyEncoding.latin1.text(bytes) ?? ""
        }
        tags = Tags(pairs.map { ($0.name, $0.text) })
    }

    /// The bytes of a text that may be in any encoding: one that is no UTF-8, and one that FFmpeg made of Latin-1.
    private static func doubtfulBytes(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.contains(where: { $0 >= 0x80 }) else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else { return bytes }
        var raw: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return nil }
            raw.append(byte)
        }
        return raw
    }
}
