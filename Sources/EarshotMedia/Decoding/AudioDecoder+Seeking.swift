import CFFmpeg
import EarshotCore

extension AudioDecoder {
    /// Containers and codecs that can be entered at a timestamp and then give the very samples of a full decode.
    ///
    /// Timestamps of the others are rounded or estimated, or their decoders need an unknown run-up.
    static func entersExactly(_ demuxer: Demuxer, _ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        guard let io = demuxer.context.pointee.pb, io.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0 else { return false }
        guard demuxer.audioStreams.count == 1, demuxer.videoStreams.isEmpty else { return false }
        let codec = String(cString: avcodec_get_name(stream.pointee.codecpar.pointee.codec_id))
        if codec.hasPrefix("pcm_") { return ["wav", "w64", "aiff", "au", "caf"].contains(where: demuxer.isFormat) }
        return codec == "flac" && demuxer.isFormat("flac") || codec == "vorbis" && demuxer.isFormat("ogg")
    }

    /// The whole second at which decoding for a range begins: a second before it, so that a resampler has forgotten
    /// that anything was left out. On a whole second its phase is that of a full decode, whatever the rates.
    static func entrySecond(before start: MediaTime) -> Int64? {
        let second = start.converted(toTimescale: 1, rounding: .towardNegativeInfinity)
        // Not worth it close to the begin.
        guard second.isNumeric, second.value >= 4, second.value < Int64(Int32.max) else { return nil }
        return second.value - 1
    }

    /// Cuts off what of a frame lies before the entry; false when all of it does.
    static func cut(_ frame: UnsafeMutablePointer<AVFrame>, from start: Int64, to entry: Int64) -> Bool {
        let (excess, overflow) = entry.subtractingReportingOverflow(start)
        guard !overflow, excess < Int64(frame.pointee.nb_samples) else { return false }
        earshot_drop_head(frame, Int32(excess))
        return true
    }
}
