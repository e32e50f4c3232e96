import CFFmpeg
import EarshotCore
import Foundation

/// An open container: an owner for FFmpeg's format context.
///
/// Not thread-safe; its calls block.
final class Demuxer {
    /// The file's path, or the address, for messages.
    let name: String
    let url: URL
    let context: UnsafeMutablePointer<AVFormatContext>
    private var file: UnsafeMutablePointer<AVIOContext>?
    /// Kept alive for FFmpeg, which reads through it.
    private let pipe: PipeInput?
    private let cancellation: Cancellation

    /// Opens an address and finds its streams.
    ///
    /// - Parameters:
    ///   - url: A file or address.
    ///   - isLive: `true` to look ahead as little as possible: what comes in real time is waited for.
    ///   - form: The format of an input that does not state it.
    ///   - cancellation: Cancels a wait.
    /// - Throws: `assetNotFound`, `assetIsDirectory`, `assetUnreadable` or `cancelled`.
    convenience init(
        _ url: URL,
        isLive: Bool = false,
        form: InputForm? = nil,
        cancellation: Cancellation
    ) throws(EarshotError) {
        FFmpegLog.silence()
        let opened = try Self.open(url, isLive: isLive, form: form, cancellation: cancellation)
        self.init(opened, url: url, name: Self.name(of: url), cancellation: cancellation)
        let result = avformat_find_stream_info(context, nil)
        // From here on `deinit` closes the file.
        guard result >= 0 else { throw Self.openError(result, name, cancellation) }
        if cancellation.isCancelled { throw Self.cancelled(name) }
    }

    /// Takes over what has been opened.
    init(_ opened: Opened, url: URL, name: String, cancellation: Cancellation) {
        self.url = url
        self.name = name
        self.cancellation = cancellation
        context = opened.context
        file = opened.file
        pipe = opened.pipe
    }

    deinit {
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&context)
        avio_closep(&file)
    }

    /// The short names of the container's format, for example `mov,mp4,m4a,3gp,3g2,mj2`.
    var formatName: String {
        context.pointee.iformat?.pointee.name.map { String(cString: $0) } ?? ""
    }

    /// Returns `true` if one of the format's short names is the given one.
    func isFormat(_ name: String) -> Bool {
        formatName.split(separator: ",").contains { $0 == name }
    }

    var streamCount: Int { Int(context.pointee.nb_streams) }

    func stream(_ index: Int) -> UnsafeMutablePointer<AVStream> {
        // FFmpeg fills the whole array up to `nb_streams`.
        context.pointee.streams[index]!
    }

    var streams: [UnsafeMutablePointer<AVStream>] { (0..<streamCount).map(stream) }

    var audioStreams: [UnsafeMutablePointer<AVStream>] {
        streams.filter { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO }
    }

    /// Streams with moving pictures; cover art is also a stream to FFmpeg.
    var videoStreams: [UnsafeMutablePointer<AVStream>] {
        streams.filter {
            $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
                && $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
        }
    }

    /// The stream that a player would choose.
    var bestAudioStream: UnsafeMutablePointer<AVStream>? {
        let index = av_find_best_stream(context, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0)
        return index >= 0 ? stream(Int(index)) : audioStreams.first
    }

    /// Reads the next packet of any stream that is not discarded; 0 or an FFmpeg error code.
    func read(into packet: UnsafeMutablePointer<AVPacket>) -> Int32 {
        av_read_frame(context, packet)
    }

    /// The duration of the whole asset.
    func duration(of stream: UnsafeMutablePointer<AVStream>?) -> MediaTime {
        // A stream's own duration is in its own units; the container's is in microseconds.
        if let stream, videoStreams.isEmpty, stream.pointee.duration > 0 {
            return playedDuration(of: stream)
        }
        guard context.pointee.duration > 0 else { return .indefinite }
        return MediaTime(value: context.pointee.duration, timescale: AV_TIME_BASE)
    }

    /// The duration that the container declares for one stream; `nil` if it only declares that of several together.
    func declaredDuration(of stream: UnsafeMutablePointer<AVStream>) -> MediaTime? {
        if stream.pointee.duration > 0 { return playedDuration(of: stream) }
        let isAlone = videoStreams.isEmpty && audioStreams.count == 1
        return isAlone && context.pointee.duration > 0 ? duration(of: stream) : nil
    }

    /// The duration of one stream, or of the container, as stated: with delay and padding of encoders.
    func statedDuration(of stream: UnsafeMutablePointer<AVStream>) -> MediaTime? {
        if stream.pointee.duration != earshot_no_timestamp {
            let base = stream.pointee.time_base
            let (units, overflow) = stream.pointee.duration.multipliedReportingOverflow(by: Int64(base.num))
            return overflow ? nil : MediaTime(value: units, timescale: base.den)
        }
        guard context.pointee.duration != earshot_no_timestamp else { return nil }
        return MediaTime(value: context.pointee.duration, timescale: AV_TIME_BASE)
    }

    /// The duration of one stream, in frames if the rate is known.
    func playedDuration(of stream: UnsafeMutablePointer<AVStream>) -> MediaTime {
        guard stream.pointee.duration > 0 else { return .indefinite }
        let parameters = stream.pointee.codecpar.pointee
        let scale = parameters.sample_rate > 0 ? parameters.sample_rate : 90_000
        let played = AVRational(num: 1, den: scale)
        var frames = av_rescale_q(stream.pointee.duration, stream.pointee.time_base, played)
        // Of MP3, and of Opus in Ogg, FFmpeg counts the encoder's delay too, which is never heard.
        if isFormat("mp3"), stream.pointee.start_time > 0 {
            frames -= av_rescale_q(stream.pointee.start_time, stream.pointee.time_base, played)
        } else if isFormat("ogg"), parameters.codec_id == AV_CODEC_ID_OPUS {
            frames -= Int64(parameters.initial_padding)
        }
        return MediaTime(value: max(frames, 0), timescale: scale)
    }

    static func cancelled(_ name: String) -> EarshotError {
        EarshotError(.cancelled, "Reading \(name) was canceled.")
    }
}
