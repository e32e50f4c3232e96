/// The audio formats of pieces.
public enum StemFormat: String, Hashable, Sendable, Codable, CaseIterable {
    /// WAVE with PCM.
    case wave
    /// Vorbis in Ogg.
    case oggVorbis
    /// AAC in M4A.
    case aacM4A

    /// The file extension, without the dot.
    public var fileExtension: String {
        switch self {
        case .wave: "wav"
        case .oggVorbis: "ogg"
        case .aacM4A: "m4a"
        }
    }

    /// The media type in HTTP.
    public var mediaType: String {
        switch self {
        case .wave: "audio/wav"
        case .oggVorbis: "audio/ogg"
        case .aacM4A: "audio/mp4"
        }
    }

    /// Creates the format for a file extension, in any letter case; `nil` if there is none.
    public init?(fileExtension: String) {
        switch fileExtension.lowercased() {
        case "wav", "wave": self = .wave
        case "ogg", "oga": self = .oggVorbis
        case "m4a", "mp4": self = .aacM4A
        default: return nil
        }
    }

    /// Creates the format for the first bytes of a file; `nil` if they match none. The rest may still be damaged.
    public init?(beginOf bytes: some Sequence<UInt8>) {
        let begin = Array(bytes.prefix(64))
        func holds(_ text: String, at place: Int) -> Bool {
            begin.count >= place + text.utf8.count && begin[place..<place + text.utf8.count].elementsEqual(text.utf8)
        }
        if holds("RIFF", at: 0) || holds("RF64", at: 0), holds("WAVE", at: 8) {
            self = .wave
        } else if holds("OggS", at: 0), begin.count > 26 {
            // The segment table lies between the page's header and its first packet.
            guard holds("\u{1}vorbis", at: 27 + Int(begin[26])) else { return nil }
            self = .oggVorbis
        } else if holds("ftyp", at: 4) {
            self = .aacM4A
        } else {
            return nil
        }
    }
}
