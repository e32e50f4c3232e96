import CFFmpeg
import EarshotCore
import Foundation

/// The length that a file states, to distinguish its end from a truncation.
struct DeclaredDuration {
    /// Formats whose header states the length of the sound itself. Others state that of the longest stream, or an
    /// estimate.
    private static let stating = [
        "wav", "w64", "aiff", "caf", "au", "flac", "mp3", "mov", "tta", "ape", "wv", "tak", "mpc", "mpc8",
    ]
    /// Formats of these that state it to the frame.
    private static let exact = ["wav", "w64", "aiff", "au", "flac", "tta"]

    private let url: URL
    private let units: Int64?
    private let timeBase: AVRational
    private let countsFrames: Bool
    private let isExact: Bool
    private let isOgg: Bool
    private let isMatroska: Bool
    private let isWave: Bool

    init(_ demuxer: Demuxer, stream: UnsafeMutablePointer<AVStream>) {
        url = demuxer.url
        timeBase = stream.pointee.time_base
        let isStated = earshot_duration_is_stated(demuxer.context) != 0 && stream.pointee.duration > 0
        units = isStated && Self.stating.contains(where: demuxer.isFormat) ? stream.pointee.duration : nil
        let codec = String(cString: avcodec_get_name(stream.pointee.codecpar.pointee.codec_id))
        // CAF counts whole packets, also the last one of ALAC that is shorter.
        countsFrames = codec.hasPrefix("pcm_") || codec == "flac" || codec == "alac" && !demuxer.isFormat("caf")
        isExact = Self.exact.contains(where: demuxer.isFormat)
        isOgg = demuxer.isFormat("ogg")
        isMatroska = demuxer.isFormat("matroska")
        isWave = demuxer.isFormat("wav")
    }

    /// The reason why a file that was read to its end is incomplete; `nil` if it is complete, or states no length.
    ///
    /// - Parameters:
    ///   - packets: The packets that were read.
    ///   - end: The end of the last frame, in frames of the source from time zero.
    ///   - sampleRate: The source's rate in hertz.
    func breach(_ packets: PacketDecoder, end: Int64, sampleRate: Int32) -> String? {
        if let error = packets.readError { return FFmpegText.reason(error) }
        if url.isFileURL {
            if isOgg, OggTail.isCut(url) { return "its last page is cut" }
            if isMatroska && MatroskaExtent.isCut(url) || isWave && WaveExtent.isCut(url) {
                return "it is shorter than its header says"
            }
        }
        guard let units else { return nil }
        let isShort =
            countsFrames
            ? lacksFrames(units, end, sampleRate) : lacksPackets(units, packets.tally, sampleRate)
        return isShort ? "it has less sound than its header says" : nil
    }

    /// With lossless encodings each frame counts.
    private func lacksFrames(_ units: Int64, _ end: Int64, _ sampleRate: Int32) -> Bool {
        let expected = av_rescale_q(units, timeBase, AVRational(num: 1, den: sampleRate))
        // MP4 rounds to its own clock, commonly milliseconds.
        let tolerance = isExact ? 0 : Int64(sampleRate) / 100
        return end < expected - tolerance
    }

    /// With lossy ones, packets do: the encoder's delay and padding are in some durations and not in others.
    private func lacksPackets(_ units: Int64, _ tally: PacketDecoder.Tally, _ sampleRate: Int32) -> Bool {
        var read = tally.total
        if tally.end > .min, tally.start < .max {
            read = max(read, tally.end, tally.end.subtractingReportingOverflow(tally.start).partialValue)
        }
        // Packets of CAF state no duration.
        let frame = AVRational(num: 1, den: sampleRate)
        read = max(read, av_rescale_q(tally.frames, frame, timeBase))
        let longest = max(tally.longest, av_rescale_q(tally.longestFrame, frame, timeBase))
        let slack = av_rescale_q(1, AVRational(num: 1, den: 100), timeBase)
        // Whether the header's own frame counts as one differs between encoders of MP3. A cut last packet settles it.
        let tolerance = tally.endsDamaged ? longest / 2 : longest + longest / 2 + slack
        return read < units.subtractingReportingOverflow(tolerance).partialValue
    }
}
