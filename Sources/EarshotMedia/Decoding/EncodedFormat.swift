import CFFmpeg
import EarshotCore

/// The encoding of a stream of packets: the parameters that a decoder or another container needs besides the packets.
public struct EncodedFormat: Sendable, CustomStringConvertible {
    /// The encoding's short name, for example `mp3`, `aac`, `flac`, `vorbis`, `pcm_s16le`.
    public let codec: String
    /// The sample rate, in hertz; 0 if unknown.
    public let sampleRate: Int
    /// The number of channels; 0 if unknown.
    public let channelCount: Int
    /// The codec configuration before the first packet, as in MP4 for AAC; empty if the codec needs none.
    public let configuration: [UInt8]
    let parameters: CodecParameters
    /// The unit of the container's times, in seconds.
    let timeBase: AVRational
    /// The container's time of the first frame that is heard.
    let zero: Int64

    init(_ stream: UnsafeMutablePointer<AVStream>) throws(EarshotError) {
        parameters = try CodecParameters(copying: stream.pointee.codecpar)
        timeBase = stream.pointee.time_base
        zero = stream.pointee.start_time == earshot_no_timestamp ? 0 : stream.pointee.start_time
        let stated = stream.pointee.codecpar.pointee
        codec = FFmpegText.codec(stated)
        sampleRate = Int(stated.sample_rate)
        channelCount = Int(stated.ch_layout.nb_channels)
        configuration =
            stated.extradata.map {
                Array(UnsafeBufferPointer(start: $0, count: Int(max(stated.extradata_size, 0))))
            } ?? []
    }

    /// The codec, channels and sample rate, for example `aac of 2 channels at 44100 Hz`.
    public var description: String { "\(codec) of \(channelCount) channels at \(sampleRate) Hz" }

    /// A time of the container on the asset's timeline.
    func time(_ stamp: Int64) -> MediaTime? {
        stamp == earshot_no_timestamp ? nil : Self.duration(stamp - zero, timeBase)
    }

    /// The time of the container of one on the asset's timeline.
    func stamp(_ time: MediaTime) -> Int64 {
        guard time.isNumeric else { return earshot_no_timestamp }
        return av_rescale_q(time.value, AVRational(num: 1, den: time.timescale), timeBase) + zero
    }

    /// So many units as time.
    static func duration(_ units: Int64, _ base: AVRational) -> MediaTime {
        let (product, overflow) = units.multipliedReportingOverflow(by: Int64(base.num))
        return overflow ? .indefinite : MediaTime(value: product, timescale: base.den)
    }
}
