public import EarshotCore
public import Foundation

/// A file type for audio.
public enum FileType: String, Hashable, Sendable, CaseIterable {
    /// Core Audio format, `.caf`.
    case caf
    /// Waveform audio, `.wav`; RF64 for files larger than 4 GiB.
    case wav
    /// AIFF, `.aif` and `.aiff`; AIFF-C for encodings that AIFF does not support.
    case aiff
    /// FLAC in its own container, `.flac`.
    case flac
    /// MPEG-4 with audio only, `.m4a`.
    case m4a
    /// MPEG layer III, `.mp3`, without a container.
    case mp3
    /// Ogg, `.ogg` and `.oga`.
    case ogg
    /// Ogg with Opus, `.opus`.
    case opus
    /// Samples without a header, `.raw` and `.pcm`.
    case raw

    /// The file name extensions of the type, the usual one first.
    public var fileExtensions: [String] {
        switch self {
        case .caf: ["caf"]
        case .wav: ["wav", "wave", "rf64"]
        case .aiff: ["aiff", "aif", "aifc"]
        case .flac: ["flac"]
        case .m4a: ["m4a", "mp4"]
        case .mp3: ["mp3"]
        case .ogg: ["ogg", "oga"]
        case .opus: ["opus"]
        case .raw: ["raw", "pcm"]
        }
    }

    /// The default encoding: the first of ``encodings``.
    public var usualEncoding: AudioEncoding.Kind { encodings.first ?? .pcm }

    /// The encodings that a file of this type can contain, the default first.
    public var encodings: [AudioEncoding.Kind] {
        switch self {
        // FFmpeg does not say in CAF how many frames the last packet of another encoding has.
        case .caf, .wav, .aiff, .raw: [.pcm]
        case .flac: [.flac]
        case .m4a: [.aac, .alac]
        case .mp3: [.mp3]
        case .ogg: [.vorbis, .opus, .flac]
        case .opus: [.opus]
        }
    }

    /// The most bytes that a file can have.
    var sizeLimit: Int64 {
        switch self {
        // Its sizes are 32-bit numbers, taken for signed ones by some readers and for unsigned ones by most.
        case .aiff: Int64(UInt32.max)
        default: .max
        }
    }

    /// FFmpeg's short name of the container.
    var muxerName: String {
        switch self {
        case .caf: "caf"
        case .wav: "wav"
        case .aiff: "aiff"
        case .flac: "flac"
        case .m4a: "ipod"
        case .mp3: "mp3"
        case .ogg: "ogg"
        case .opus: "opus"
        case .raw: "data"
        }
    }

    /// Returns the type of a file name extension in any case; `nil` for an unknown one.
    public init?(fileExtension: String) {
        let wanted = fileExtension.lowercased()
        guard let type = Self.allCases.first(where: { $0.fileExtensions.contains(wanted) }) else { return nil }
        self = type
    }

    /// Returns the file type for a destination: the given one, or that of its extension.
    ///
    /// - Parameters:
    ///   - destination: The address of the file, which need not exist.
    ///   - stated: The requested type; `nil` for that of the extension.
    /// - Throws: `fileTypeUnsupported` if the extension is unknown, or is of another type than the given one.
    public static func choose(for destination: URL, stated: FileType? = nil) throws(EarshotError) -> FileType {
        let named = destination.pathExtension
        let known = FileType(fileExtension: named)
        guard let stated else {
            if let known { return known }
            throw EarshotError(
                .fileTypeUnsupported,
                "\(destination.path) cannot be written because \(named.isEmpty ? "it has no extension" : "nothing is known of .\(named) files"): "
                    + "state a type, or use one of \(allCases.map { "." + $0.fileExtensions[0] }.joined(separator: ", "))."
            )
        }
        if let known, known != stated {
            throw EarshotError(
                .fileTypeUnsupported,
                "\(destination.path) cannot be written as \(stated.rawValue) because its extension stands for \(known.rawValue): "
                    + "change one of the two."
            )
        }
        return stated
    }
}
