import EarshotCore

/// The encoding of audio in a file.
public enum AudioEncoding: Hashable, Sendable {
    /// Linear PCM; `nil` for a layout that preserves every sample of the source.
    case pcm(PCMLayout?)
    /// FLAC with 16 or 24 bits per sample; `nil` for as many as the source needs.
    case flac(bits: Int?)
    /// Apple Lossless with 16 or 24 bits per sample; `nil` for as many as the source needs.
    case alac(bits: Int?)
    /// AAC (low complexity), with a bit rate in bits per second; `nil` for 96,000 per channel.
    case aac(bitRate: Int?)
    /// MPEG layer III, with a bit rate in bits per second; `nil` for a variable rate of high quality (LAME's V2).
    case mp3(bitRate: Int?)
    /// Vorbis, with a bit rate in bits per second; `nil` for a variable rate of quality 5.
    case vorbis(bitRate: Int?)
    /// Opus, with a bit rate in bits per second; `nil` for 64,000 per channel. Its sample rate is always 48 kHz.
    case opus(bitRate: Int?)
    /// The source's encoded packets, unchanged.
    case passthrough

    /// An encoding without its settings.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Linear PCM.
        case pcm
        /// FLAC.
        case flac
        /// Apple Lossless.
        case alac
        /// AAC.
        case aac
        /// MPEG layer III.
        case mp3
        /// Vorbis.
        case vorbis
        /// Opus.
        case opus
        /// The source's encoded packets, unchanged.
        case passthrough

        /// The encoding with its default settings.
        public var usual: AudioEncoding {
            switch self {
            case .pcm: .pcm(nil)
            case .flac: .flac(bits: nil)
            case .alac: .alac(bits: nil)
            case .aac: .aac(bitRate: nil)
            case .mp3: .mp3(bitRate: nil)
            case .vorbis: .vorbis(bitRate: nil)
            case .opus: .opus(bitRate: nil)
            case .passthrough: .passthrough
            }
        }

        /// The most channels that it has.
        var channelLimit: Int { self == .mp3 ? 2 : 8 }

        /// `true` if decoding restores every sample.
        public var isLossless: Bool {
            switch self {
            case .pcm, .flac, .alac, .passthrough: true
            case .aac, .mp3, .vorbis, .opus: false
            }
        }
    }

    /// The encoding without its settings.
    public var kind: Kind {
        switch self {
        case .pcm: .pcm
        case .flac: .flac
        case .alac: .alac
        case .aac: .aac
        case .mp3: .mp3
        case .vorbis: .vorbis
        case .opus: .opus
        case .passthrough: .passthrough
        }
    }

    /// The supported bit rates, in bits per second; for MP3 up to 320,000.
    package static let bitRates = 6_000...1_000_000

    /// Refuses numbers that the encoding does not have, which encoders take for others.
    ///
    /// - Throws: `audioFormatInvalid`.
    func check() throws(EarshotError) {
        switch self {
        case .flac(let bits?) where bits != 16 && bits != 24, .alac(let bits?) where bits != 16 && bits != 24:
            throw EarshotError(
                .audioFormatInvalid,
                "\(kind.rawValue.uppercased()) has no samples of \(bits) bits: choose 16 or 24 bits."
            )
        default:
            let most = kind == .mp3 ? 320_000 : Self.bitRates.upperBound
            guard let bitRate, !(Self.bitRates.lowerBound...most).contains(bitRate) else { return }
            throw EarshotError(
                .audioFormatInvalid,
                "The bit rate of \(kind.rawValue) cannot be \(bitRate): choose \(Self.bitRates.lowerBound) to \(most) bits a second."
            )
        }
    }

    /// The requested bit rate, in bits per second; `nil` for the default.
    var bitRate: Int? {
        switch self {
        case .aac(let rate), .mp3(let rate), .vorbis(let rate), .opus(let rate): rate
        case .pcm, .flac, .alac, .passthrough: nil
        }
    }
}
