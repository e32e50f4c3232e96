import CFFmpeg
public import EarshotCore

/// The sample format of linear PCM in a file.
public struct PCMLayout: Hashable, Sendable, CustomStringConvertible {
    /// The number of bits per sample: 8, 16, 24 or 32 for integers, 32 or 64 for floating point.
    public let bits: Int
    /// `true` for floating-point samples, with full scale at 1.
    public let isFloat: Bool
    /// `true` for big-endian samples.
    public let isBigEndian: Bool
    /// `true` if the samples of a frame are adjacent; otherwise all samples of a channel precede those of the next.
    public let isInterleaved: Bool

    /// Signed 16-bit integers, little-endian, interleaved.
    public static let int16 = PCMLayout(uncheckedBits: 16, isFloat: false, isBigEndian: false, isInterleaved: true)

    /// 32-bit floating point, little-endian, interleaved.
    public static let float32 = PCMLayout(uncheckedBits: 32, isFloat: true, isBigEndian: false, isInterleaved: true)

    /// Creates a layout.
    ///
    /// - Parameters:
    ///   - bits: The number of bits per sample: 8, 16, 24 or 32 for integers, 32 or 64 for floating point.
    ///   - isFloat: `true` for floating-point samples.
    ///   - isBigEndian: `true` for big-endian samples.
    ///   - isInterleaved: `true` if the samples of a frame are adjacent.
    /// - Throws: `audioFormatInvalid` for another number of bits.
    public init(
        bits: Int,
        isFloat: Bool = false,
        isBigEndian: Bool = false,
        isInterleaved: Bool = true
    ) throws(EarshotError) {
        guard isFloat ? bits == 32 || bits == 64 : [8, 16, 24, 32].contains(bits) else {
            throw EarshotError(
                .audioFormatInvalid,
                "There are no PCM samples of \(bits) bits\(isFloat ? " in floating point" : ""): choose "
                    + (isFloat ? "32 or 64." : "8, 16, 24 or 32.")
            )
        }
        self.init(uncheckedBits: bits, isFloat: isFloat, isBigEndian: isBigEndian, isInterleaved: isInterleaved)
    }

    private init(uncheckedBits bits: Int, isFloat: Bool, isBigEndian: Bool, isInterleaved: Bool) {
        self.bits = bits
        self.isFloat = isFloat
        self.isBigEndian = isBigEndian
        self.isInterleaved = isInterleaved
    }

    /// The narrowest layout that keeps every sample of a source.
    init(holding source: SourceFormat, isBigEndian: Bool = false) {
        let isFloat = source.type == .float32 || source.type == .float64
        let bits = isFloat ? (source.type == .float64 ? 64 : 32) : (source.bits + 7) / 8 * 8
        self.init(uncheckedBits: bits, isFloat: isFloat, isBigEndian: isBigEndian, isInterleaved: true)
    }

    /// The size of a sample, in bytes.
    public var bytesPerSample: Int { bits / 8 }

    /// The same with another order of bytes.
    func ordered(bigEndian: Bool) -> PCMLayout {
        PCMLayout(uncheckedBits: bits, isFloat: isFloat, isBigEndian: bigEndian, isInterleaved: isInterleaved)
    }

    /// The layout as text, for example `24-bit integers, big-endian`.
    public var description: String {
        var text = "\(bits)-bit \(isFloat ? "floating point" : "integers")"
        if bits > 8 { text += isBigEndian ? ", big-endian" : ", little-endian" }
        return isInterleaved ? text : text + ", not interleaved"
    }

    /// FFmpeg's name of the layout in a container.
    ///
    /// - Parameter type: The file type: WAV has unsigned 8-bit samples.
    func codec(in type: FileType) -> AVCodecID {
        switch (bits, isFloat, isBigEndian) {
        case (8, _, _): type == .wav ? AV_CODEC_ID_PCM_U8 : AV_CODEC_ID_PCM_S8
        case (16, _, false): AV_CODEC_ID_PCM_S16LE
        case (16, _, true): AV_CODEC_ID_PCM_S16BE
        case (24, _, false): AV_CODEC_ID_PCM_S24LE
        case (24, _, true): AV_CODEC_ID_PCM_S24BE
        case (32, false, false): AV_CODEC_ID_PCM_S32LE
        case (32, false, true): AV_CODEC_ID_PCM_S32BE
        case (32, true, false): AV_CODEC_ID_PCM_F32LE
        case (32, true, true): AV_CODEC_ID_PCM_F32BE
        case (_, _, false): AV_CODEC_ID_PCM_F64LE
        case (_, _, true): AV_CODEC_ID_PCM_F64BE
        }
    }

    /// Returns `true` if a kind of file can hold it.
    func fits(_ type: FileType) -> Bool {
        switch type {
        case .raw: true
        case .caf: isInterleaved
        case .wav: isInterleaved && (!isBigEndian || bits == 8)
        // AIFF-C knows floating point and the 16-bit samples of PCs.
        case .aiff: isInterleaved && (isBigEndian || bits == 8 || bits == 16 && !isFloat)
        default: false
        }
    }
}
