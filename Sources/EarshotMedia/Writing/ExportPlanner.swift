import EarshotCore

/// Decides what an export does.
struct ExportPlanner {
    let asset: Asset
    let stream: AudioStream
    let source: SourceFormat
    let settings: ExportSettings
    let type: FileType
    /// For messages.
    let name: String

    private static let sampleRates = 8_000...192_000

    /// - Throws: `pipelineRefused` when the kind of file cannot hold what is wanted, `audioFormatInvalid`.
    /// - Returns: The plan, how the sound is encoded, and what the file gets besides.
    func plan(
        metadata: CarriedMetadata
    ) throws(EarshotError) -> (ExportPlan, EncoderSettings, CarriedMetadata) {
        var encoding = try settings.encoding(for: type)
        guard encoding.kind == .passthrough || type.encodings.contains(encoding.kind) else {
            throw EarshotError(
                .pipelineRefused,
                "\(name) cannot be written because \(type.rawValue) does not hold \(encoding.kind.rawValue): choose "
                    + type.encodings.map(\.rawValue).joined(separator: " or ") + ", or another type."
            )
        }
        try encoding.check()
        if let wanted = settings.sampleRate, !Self.sampleRates.contains(wanted) {
            throw EarshotError(
                .audioFormatInvalid,
                "\(name) cannot be written at \(wanted) Hz: choose a rate from 8000 to 192000 Hz."
            )
        }
        let channels =
            switch settings.channels {
            case .source: source.channelCount
            case .mono: 1
            case .stereo: 2
            case .count(let count): count
            }
        if channels > encoding.kind.channelLimit {
            throw EarshotError(
                .pipelineRefused,
                "\(name) cannot be written because \(encoding.kind.rawValue) has \(encoding.kind.channelLimit) channels at most, and the "
                    + "sound has \(channels): choose another encoding, or fewer channels."
            )
        }
        let rate = rate(for: encoding)
        let isComputed = rate != source.sampleRate || channels != source.channelCount
        // What is computed anew has bits below those of the source.
        let isExact = !isComputed && (source.type == .int16 || source.type == .int32)
        let bits = resolve(&encoding)
        var losses: [ExportPlan.Loss] = []
        if encoding.kind != .passthrough {
            let isLossy = !stream.codec.hasPrefix("pcm_") && !Self.losslessCodecs.contains(stream.codec)
            if isLossy { losses.append(.decoded(codec: stream.codec)) }
            if !encoding.kind.isLossless { losses.append(.encoded(encoding.kind)) }
            if channels < source.channelCount { losses.append(.channels(from: source.channelCount, to: channels)) }
            if rate < source.sampleRate { losses.append(.sampleRate(from: source.sampleRate, to: rate)) }
            // What a lossy decoder gives in floating point has no more than 24 bits that mean something.
            if let bits, bits < (isLossy ? min(source.bits, 24) : source.bits) {
                losses.append(.bits(from: source.bits, to: bits))
            }
        }
        let fitted = metadata.fitted(to: type, isPart: settings.range != nil)
        losses += fitted.losses
        let plan = ExportPlan(
            type: type,
            encoding: encoding,
            sampleRate: rate,
            channelCount: channels,
            duration: AudioDecoder.expected(settings.range, of: asset.duration) ?? .indefinite,
            losses: losses
        )
        let encoder = EncoderSettings(
            encoding: encoding,
            sampleRate: rate,
            channelCount: channels,
            channelMask: source.channelMask,
            significantBits: isExact ? source.bits : 64,
            dithers: settings.dithers
        )
        return (plan, encoder, fitted.metadata)
    }

    private static let losslessCodecs: Set<String> = [
        "flac", "alac", "wavpack", "ape", "tta", "mlp", "truehd", "tak", "shorten",
    ]

    /// Fills what the encoding leaves open; gives the bits of a sample in a result that has such.
    private func resolve(_ encoding: inout AudioEncoding) -> Int? {
        switch encoding {
        case .pcm(let stated):
            // AIFF holds the highest byte first.
            let layout =
                stated.map { type == .aiff && $0.bits > 16 ? $0.ordered(bigEndian: true) : $0 }
                ?? PCMLayout(holding: source, isBigEndian: type == .aiff)
            encoding = .pcm(layout)
            return layout.isFloat && layout.bits == 32 && source.type != .int32 ? max(32, source.bits) : layout.bits
        case .flac(let stated):
            let bits = stated ?? (source.bits > 16 ? 24 : 16)
            encoding = .flac(bits: bits)
            return bits
        case .alac(let stated):
            let bits = stated ?? (source.bits > 16 ? 24 : 16)
            encoding = .alac(bits: bits)
            return bits
        case .aac, .mp3, .vorbis, .opus, .passthrough:
            return nil
        }
    }

    /// The rate of the result: what is asked for, otherwise the nearest to the source's that the encoding knows.
    private func rate(for encoding: AudioEncoding) -> Int {
        let wanted = settings.sampleRate ?? source.sampleRate
        let known: [Int]
        switch encoding.kind {
        case .opus: return 48_000
        case .mp3: known = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
        case .aac:
            known = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000]
        default: return wanted
        }
        guard settings.sampleRate == nil else { return wanted }
        // Upwards, where there is something above.
        return known.first { $0 >= wanted } ?? known[known.count - 1]
    }
}
