import EarshotAPI
import EarshotCore
import EarshotMedia
import Foundation

extension ExportRequest {
    /// The longest name of a result, in bytes.
    private static let nameSize = 200

    /// Returns the name of the result: a single one, which cannot lead out of a folder.
    ///
    /// - Parameter type: The type of file, which adds its extension to a name without one.
    /// - Throws: `accessDenied` for a path; `requestInvalid` for another invalid name.
    func destinationName(_ type: FileType?) throws(EarshotError) -> String {
        guard var name else {
            let source = asset.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? ""
            let stem = (source as NSString).deletingPathExtension
            guard let type else {
                throw EarshotError(.requestInvalid, "The export has neither a name nor a type: give one of them.")
            }
            return "\(stem.isEmpty ? "export" : stem).\(type.fileExtensions[0])"
        }
        guard !name.utf8.contains(UInt8(ascii: "/")), name.utf8.first != UInt8(ascii: "."), !name.utf8.contains(0)
        else {
            throw EarshotError(
                .accessDenied,
                "This name of an export is refused because it is a path, hidden, or has a zero byte: results lie in one folder only."
            )
        }
        if let type, (name as NSString).pathExtension.isEmpty { name += ".\(type.fileExtensions[0])" }
        guard (1...Self.nameSize).contains(name.utf8.count),
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw EarshotError(
                .requestInvalid,
                "The name of the export is not valid: give 1 to \(Self.nameSize) bytes without control characters."
            )
        }
        return name
    }

    /// Returns the type of file in the request; `nil` if it has none.
    ///
    /// - Throws: `fileTypeUnsupported` for an unknown type.
    func fileType() throws(EarshotError) -> FileType? {
        guard let type else { return nil }
        guard let known = FileType(rawValue: type) else {
            throw EarshotError(
                .fileTypeUnsupported,
                "Nothing is known of the file type \"\(type.prefix(40))\": choose one of "
                    + FileType.allCases.map(\.rawValue).joined(separator: ", ") + "."
            )
        }
        return known
    }

    /// Returns the settings of the preset, with the changes of the request.
    ///
    /// - Throws: `requestInvalid` for an unknown preset or an invalid value, `audioFormatInvalid` for invalid bits or an invalid bit rate.
    func exportSettings() throws(EarshotError) -> ExportSettings {
        var result = ExportSettings()
        if let preset {
            guard let known = ExportPreset(rawValue: preset) else {
                throw EarshotError(
                    .requestInvalid,
                    "There is no preset \"\(preset.prefix(40))\": choose one of "
                        + ExportPreset.allCases.map(\.rawValue).joined(separator: ", ") + "."
                )
            }
            result = ExportSettings(known)
        }
        guard let changes = settings else { return result }
        if let name = changes.encoding {
            guard let kind = AudioEncoding.Kind(rawValue: name) else {
                throw EarshotError(
                    .requestInvalid,
                    "There is no encoding \"\(name.prefix(40))\": choose one of "
                        + AudioEncoding.Kind.allCases.map(\.rawValue).joined(separator: ", ") + "."
                )
            }
            // The bits and the bit rate of the preset's encoding mean nothing for another one.
            if result.encoding?.kind != kind { result.encoding = kind.usual }
        }
        try Self.check(changes)
        try Self.change(&result, changes)
        result.sampleRate = changes.sampleRate ?? result.sampleRate
        if let channels = changes.channels { result.channels = try Self.channels(channels) }
        if let stream = changes.stream { result.stream = .index(stream) }
        result.dithers = changes.dithers ?? result.dithers
        result.keepsMetadata = changes.keepsMetadata ?? result.keepsMetadata
        if changes.start != nil || changes.end != nil {
            let (start, end) = (changes.start ?? 0, changes.end ?? Double(Int32.max))
            guard start >= 0, start < end, end <= Double(Int32.max) else {
                throw EarshotError(
                    .requestInvalid,
                    "The part from \(start) s to \(end) s is empty or begins below 0: give a start of 0 or more and a later end."
                )
            }
            result.range = MediaTime(seconds: start)..<MediaTime(seconds: end)
        }
        return result
    }

    /// Refuses numbers that no encoding supports, even if the chosen encoding ignores them.
    private static func check(_ changes: ExportRequest.Settings) throws(EarshotError) {
        if let bits = changes.bits, ![8, 16, 24, 32, 64].contains(bits) {
            throw EarshotError(
                .audioFormatInvalid,
                "bits is \(bits): give 8, 16, 24 or 32, of floating point 32 or 64, and of FLAC and ALAC 16 or 24."
            )
        }
        let rates = AudioEncoding.bitRates
        if let bitRate = changes.bitRate, !rates.contains(bitRate) {
            throw EarshotError(
                .audioFormatInvalid,
                "bitRate is \(bitRate): give \(rates.lowerBound) to \(rates.upperBound) bits a second."
            )
        }
    }

    /// Changes bits, layout and bit rate: of the encoding if one is chosen, otherwise of the one that the type of file implies.
    private static func change(
        _ result: inout ExportSettings,
        _ changes: ExportRequest.Settings
    ) throws(EarshotError) {
        let isLaidOut = changes.isFloat != nil || changes.isBigEndian != nil
        if result.encoding == nil, isLaidOut { result.encoding = .pcm(nil) }
        switch result.encoding {
        case nil: (result.bits, result.bitRate) = (changes.bits, changes.bitRate)
        case .pcm(let before)? where changes.bits != nil || isLaidOut:
            let isFloat = changes.isFloat ?? before?.isFloat ?? false
            // The preset's number of bits is kept only if integer or floating point does not change.
            let usual = before.flatMap { $0.isFloat == isFloat ? $0.bits : nil } ?? (isFloat ? 32 : 16)
            let layout = try PCMLayout(
                bits: changes.bits ?? usual,
                isFloat: isFloat,
                isBigEndian: changes.isBigEndian ?? before?.isBigEndian ?? false
            )
            result.encoding = .pcm(layout)
        case .flac? where changes.bits != nil: result.encoding = .flac(bits: changes.bits)
        case .alac? where changes.bits != nil: result.encoding = .alac(bits: changes.bits)
        case .aac? where changes.bitRate != nil: result.encoding = .aac(bitRate: changes.bitRate)
        case .mp3? where changes.bitRate != nil: result.encoding = .mp3(bitRate: changes.bitRate)
        case .vorbis? where changes.bitRate != nil: result.encoding = .vorbis(bitRate: changes.bitRate)
        case .opus? where changes.bitRate != nil: result.encoding = .opus(bitRate: changes.bitRate)
        default: break
        }
    }

    /// Returns a number of channels in the form that a reader takes.
    ///
    /// - Throws: `requestInvalid` for a number outside of 1 to 8.
    static func channels(_ count: Int) throws(EarshotError) -> AssetReader.ChannelChoice {
        switch count {
        case 1: .mono
        case 2: .stereo
        case 3...8: .count(count)
        default:
            throw EarshotError(.requestInvalid, "The export cannot have \(count) channels: give a number from 1 to 8.")
        }
    }
}

extension ExportRecord.Plan {
    /// Creates a plan as it is sent.
    init(_ plan: ExportPlan) {
        let (bits, bitRate): (Int?, Int?) =
            switch plan.encoding {
            case .pcm(let layout): (layout?.bits, nil)
            case .flac(let bits), .alac(let bits): (bits, nil)
            case .aac(let rate), .mp3(let rate), .vorbis(let rate), .opus(let rate): (nil, rate)
            case .passthrough: (nil, nil)
            }
        self.init(
            encoding: plan.encoding.kind.rawValue,
            bits: bits,
            bitRate: bitRate,
            sampleRate: plan.sampleRate,
            channels: plan.channelCount,
            duration: AssetRecord.Time(plan.duration),
            losses: plan.losses.map { ExportRecord.Loss(Self.kind(of: $0), $0.description) }
        )
    }

    private static func kind(of loss: ExportPlan.Loss) -> ExportRecord.Loss.Kind {
        switch loss {
        case .decoded: .decoded
        case .encoded: .encoded
        case .channels: .channels
        case .sampleRate: .sampleRate
        case .bits: .bits
        case .chapters: .chapters
        case .pictures: .pictures
        case .tags, .items: .tags
        }
    }
}

extension ExportRecord.Progress {
    /// Creates progress as it is sent.
    init(_ progress: ExportProgress) {
        self.init(
            fraction: progress.fraction,
            frames: progress.frameCount,
            bytes: progress.byteCount,
            position: progress.position.isNumeric ? progress.position.seconds : 0,
            elapsed: progress.elapsed,
            remaining: progress.remaining
        )
    }
}
