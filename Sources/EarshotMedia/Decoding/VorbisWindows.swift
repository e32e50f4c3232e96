import CFFmpeg

/// The two window sizes of a Vorbis stream.
///
/// Where they change, FFmpeg takes a packet's duration for that of its neighbour, so that timestamps are off by up to a
/// quarter of the difference until they change back.
enum VorbisWindows {
    private static let mark: [UInt8] = [1] + Array("vorbis".utf8)

    /// That quarter in frames; 0 for other encodings.
    static func swing(_ parameters: AVCodecParameters) -> Int64 {
        guard parameters.codec_id == AV_CODEC_ID_VORBIS, let data = parameters.extradata else { return 0 }
        let header = UnsafeBufferPointer(start: data, count: Int(parameters.extradata_size))
        return swing(Array(header.prefix(64)))
    }

    /// The same from the first header, which stands behind a few bytes of lengths.
    static func swing(_ header: [UInt8]) -> Int64 {
        for start in 0..<min(16, max(header.count - 29, 0)) where header[start...].starts(with: mark) {
            // Two exponents of two: the short window in the low half of the byte, the long one in the high half.
            let sizes = header[start + 28]
            let (long, short) = (Int64(1) << Int64(sizes >> 4), Int64(1) << Int64(sizes & 15))
            return max((long - short) / 4, 0)
        }
        // Of an unknown header the most that Vorbis admits.
        return 2_048
    }
}
