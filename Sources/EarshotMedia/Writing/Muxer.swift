import CFFmpeg
import EarshotCore
import Foundation

/// A container that is being written: an owner for FFmpeg's format context.
///
/// Not thread-safe; its calls block.
final class Muxer {
    /// The destination of bytes.
    enum Target {
        /// A file that is there already, empty.
        case file(path: String)
        /// A descriptor that is written from where it stands, such as standard output; nothing can be put right at the end.
        case descriptor(Int32)
    }

    let type: FileType
    /// The destination, for messages.
    let name: String
    let context: UnsafeMutablePointer<AVFormatContext>
    private(set) var stream: UnsafeMutablePointer<AVStream>?
    private let sizeLimit: Int64
    private var isOpen = false
    private var hasHeader = false
    private var packetCount = 0

    /// Bytes written so far.
    var byteCount: Int64 { context.pointee.pb.map { max(avio_tell($0), 0) } ?? 0 }

    /// - Parameters:
    ///   - target: The destination.
    ///   - type: The file type.
    ///   - name: The destination, for messages.
    ///   - sizeLimit: The most bytes that it may have; as many as its kind holds if `nil`.
    /// - Throws: `writeFailed` when the target cannot be written, `codecUnsupported` when FFmpeg lacks the container.
    init(_ target: Target, type: FileType, name: String, sizeLimit: Int64? = nil) throws(EarshotError) {
        FFmpegLog.silence()
        (self.type, self.name) = (type, name)
        self.sizeLimit = sizeLimit ?? type.sizeLimit
        var made: UnsafeMutablePointer<AVFormatContext>?
        guard avformat_alloc_output_context2(&made, nil, type.muxerName, nil) >= 0, let made else {
            throw EarshotError(
                .codecUnsupported,
                "\(name) cannot be written because the FFmpeg libraries here do not write \(type.rawValue): install others."
            )
        }
        context = made
        // The same sound gives the same bytes: no versions, no dates, no random numbers.
        made.pointee.flags |= AVFMT_FLAG_BITEXACT
        let address =
            switch target {
            case .file(let path): "file:" + path
            case .descriptor(let number): "pipe:\(number)"
            }
        var io: UnsafeMutablePointer<AVIOContext>?
        let result = avio_open2(&io, address, AVIO_FLAG_WRITE, nil, nil)
        guard result >= 0, let io else { throw failed(result) }
        made.pointee.pb = io
        // Moving the index of MP4 to the begin opens the file anew.
        made.pointee.url = av_strdup(address)
        isOpen = true
    }

    deinit {
        if isOpen { avio_closep(&context.pointee.pb) }
        avformat_free_context(context)
    }

    /// `true` if the container wants what a decoder needs at its begin, and not in the packets.
    var wantsGlobalHeader: Bool { (context.pointee.oformat.pointee.flags & AVFMT_GLOBALHEADER) != 0 }

    /// Makes the one stream of sound.
    func addStream() throws(EarshotError) -> UnsafeMutablePointer<AVStream> {
        guard let stream = avformat_new_stream(context, nil) else { throw outOfMemory() }
        self.stream = stream
        return stream
    }

    /// Writes the begin of the file.
    ///
    /// - Throws: `pipelineRefused` when the container cannot hold the stream, `writeFailed`.
    func writeHeader() throws(EarshotError) {
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        switch type {
        case .wav: av_dict_set(&options, "rf64", "auto", 0)
        case .m4a:
            av_dict_set(&options, "movflags", "faststart", 0)
            // Where the sound ends stands in the movie's own unit of time, a millisecond unless stated.
            if let rate = stream?.pointee.codecpar.pointee.sample_rate, rate > 0 {
                av_dict_set_int(&options, "movie_timescale", Int64(rate), 0)
            }
        case .aiff, .mp3: av_dict_set(&options, "write_id3v2", "0", 0)
        default: break
        }
        let result = avformat_write_header(context, &options)
        guard result >= 0 else {
            if [earshot_error_invalid_argument(), earshot_error_invalid_data(), earshot_error_not_implemented()]
                .contains(result)
            {
                throw EarshotError(
                    .pipelineRefused,
                    "\(name) cannot be written because \(type.rawValue) does not hold \(described()) "
                        + "(\(FFmpegText.reason(result))): choose another encoding, rate or number of channels."
                )
            }
            throw failed(result)
        }
        hasHeader = true
    }

    /// Writes a packet of the stream.
    ///
    /// - Throws: `containerLimit` when the file would grow too large, `writeFailed`.
    func write(_ packet: UnsafeMutablePointer<AVPacket>) throws(EarshotError) {
        if byteCount + Int64(packet.pointee.size) > sizeLimit { throw tooLarge() }
        packet.pointee.stream_index = 0
        // Where an Ogg file begins and where it ends is both told by its pages, and readers take one that is first and last for the
        // last: a short file gets two.
        if type == .ogg, packetCount == 4 { av_write_frame(context, nil) }
        packetCount += 1
        let result = av_write_frame(context, packet)
        guard result >= 0 else { throw failed(result) }
        try check()
    }

    /// Goes on behind so many bytes, which become a hole in the file. So a file beyond 4 GiB is tested without as much disk.
    func skip(_ count: Int64) throws(EarshotError) {
        let result = avio_seek(context.pointee.pb, count, SEEK_CUR)
        guard result >= 0 else { throw failed(Int32(clamping: result)) }
    }

    /// Writes the end of the file and closes it.
    func finish() throws(EarshotError) {
        if hasHeader {
            let result = av_write_trailer(context)
            guard result >= 0 else { throw failed(result) }
        }
        if let io = context.pointee.pb { avio_flush(io) }
        try check()
        isOpen = false
        let result = avio_closep(&context.pointee.pb)
        guard result >= 0 else { throw failed(result) }
    }

    /// FFmpeg keeps some errors of writing to itself.
    private func check() throws(EarshotError) {
        if let io = context.pointee.pb, io.pointee.error < 0 { throw failed(io.pointee.error) }
    }

    private func described() -> String {
        guard let parameters = stream?.pointee.codecpar.pointee else { return "that" }
        return
            "\(FFmpegText.codec(parameters)) of \(parameters.ch_layout.nb_channels) channels at \(parameters.sample_rate) Hz"
    }

    private func tooLarge() -> EarshotError {
        EarshotError(
            .containerLimit,
            "\(name) cannot be written because \(type.rawValue) files end at 4 GiB: choose caf, wav or flac, or a part of it."
        )
    }

    private func outOfMemory() -> EarshotError {
        EarshotError(.internalError, "\(name) cannot be written for want of memory: end other programs.")
    }

    private func failed(_ code: Int32) -> EarshotError {
        EarshotError(
            .writeFailed,
            "Writing \(name) failed (\(FFmpegText.reason(code))): check the folder and the space left on the disk."
        )
    }
}
