public import ArgumentParser
import CommandKit
import EarshotCore
public import EarshotMedia

/// The options for the format of a converted file.
struct ExportOptions: ParsableArguments {
    @Option(
        name: .long,
        help: "Begin with these settings."
    )
    var preset: ExportPreset?

    @Option(name: .long, help: "The encoding; what the type commonly holds unless stated.")
    var encoding: AudioEncoding.Kind?

    @Option(name: .long, help: "Frames a second; the file's own unless stated.")
    var rate: Int?

    @Option(name: .long, help: "Channels, 1 to 8; the file's own unless stated.")
    var channels: Int?

    @Option(name: .long, help: "Bits a sample: 8, 16, 24 or 32; as many as keep the file unless stated.")
    var bits: Int?

    @Flag(name: .long, help: "Floating-point samples, of 32 bits or 64.")
    var float = false

    @Flag(name: .long, help: "The highest byte of a sample first.")
    var bigEndian = false

    @Flag(name: .long, help: "All of one channel before the next, in raw files.")
    var planar = false

    @Option(name: .long, help: "Bits a second of what leaves something out.")
    var bitRate: Int?

    @Flag(name: .long, help: "Round samples of fewer bits, without noise that hides it.")
    var noDither = false

    @Flag(name: .long, help: "Leave tags, pictures and chapters out.")
    var noTags = false

    @Option(name: .long, help: "Which audio stream, by its index; `earshot probe` lists them.")
    var stream: Int?

    @Option(name: .long, help: "Begin here, in seconds or h:mm:ss.")
    var from: TimeArgument?

    @Option(name: .long, help: "End here, in seconds or h:mm:ss.")
    var until: TimeArgument?

    func validate() throws {
        guard (from?.time ?? .zero) < (until?.time ?? .positiveInfinity) else {
            throw ValidationError("--from must be before --until.")
        }
        let rates = AudioEncoding.bitRates
        if let bitRate, !rates.contains(bitRate) {
            throw ValidationError("--bit-rate is in bits a second: choose \(rates.lowerBound) to \(rates.upperBound).")
        }
        if let bits, ![8, 16, 24, 32, 64].contains(bits) {
            throw ValidationError("--bits has no \(bits): choose 8, 16, 24 or 32, of floating point 32 or 64.")
        }
    }

    /// - Throws: `audioFormatInvalid`, and a usage error for settings that do not go together.
    func settings() throws -> ExportSettings {
        var settings = preset.map { ExportSettings($0) } ?? ExportSettings()
        if let rate { settings.sampleRate = rate }
        switch channels {
        case nil: break
        case 1: settings.channels = .mono
        case 2: settings.channels = .stereo
        case .some(let count): settings.channels = .count(count)
        }
        if let stream { settings.stream = .index(stream) }
        if noDither { settings.dithers = false }
        if noTags { settings.keepsMetadata = false }
        if from != nil || until != nil { settings.range = (from?.time ?? .zero)..<(until?.time ?? .positiveInfinity) }
        let hasLayout = bits != nil || float || bigEndian || planar
        switch encoding ?? settings.encoding?.kind ?? (float || bigEndian || planar ? .pcm : nil) {
        case nil:
            if let bits { settings.bits = bits }
            if let bitRate { settings.bitRate = bitRate }
        case .pcm:
            let preset = encoding == nil ? presetLayout(settings) : nil
            settings.encoding = .pcm(hasLayout ? try layout(preset) : preset)
        case .flac: settings.encoding = .flac(bits: bits)
        case .alac: settings.encoding = .alac(bits: bits)
        case .aac: settings.encoding = .aac(bitRate: bitRate)
        case .mp3: settings.encoding = .mp3(bitRate: bitRate)
        case .vorbis: settings.encoding = .vorbis(bitRate: bitRate)
        case .opus: settings.encoding = .opus(bitRate: bitRate)
        case .passthrough: settings.encoding = .passthrough
        }
        return settings
    }

    /// Returns the layout from the options; what they leave open comes from the preset.
    private func layout(_ preset: PCMLayout?) throws -> PCMLayout {
        guard let bits = bits ?? (float ? 32 : preset?.bits) else {
            throw ValidationError("--big-endian and --planar want to know of which samples: say --bits or --float too.")
        }
        return try PCMLayout(
            bits: bits,
            isFloat: float || preset?.isFloat == true && bits >= 32,
            isBigEndian: bigEndian || preset?.isBigEndian == true,
            isInterleaved: !planar
        )
    }

    private func presetLayout(_ settings: ExportSettings) -> PCMLayout? {
        guard case .pcm(let layout) = settings.encoding else { return nil }
        return layout
    }
}

extension ExportPreset: ExpressibleByArgument {}
extension AudioEncoding.Kind: ExpressibleByArgument {}
