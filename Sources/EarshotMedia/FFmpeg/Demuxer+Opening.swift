import CFFmpeg
import EarshotCore
import Foundation

extension Demuxer {
    /// The state to close after opening.
    struct Opened {
        let context: UnsafeMutablePointer<AVFormatContext>
        var file: UnsafeMutablePointer<AVIOContext>?
        var pipe: PipeInput?
    }

    /// Everything that leads to the network, and nothing that leads to the machine's own files.
    private static let networkProtocols =
        "http,https,httpproxy,tcp,tls,udp,udplite,rtp,srtp,rtsp,rtmp,rtmps,rtmpt,rtmpts,srt,mmsh,mmst,icecast,crypto,data"

    /// The name of an address in messages: a file's path; other addresses without user name and password.
    static func name(of url: URL) -> String {
        if url.isFileURL { return url.path }
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url.absoluteString }
        parts.user = nil
        parts.password = nil
        return parts.string ?? url.absoluteString
    }

    static func open(
        _ url: URL,
        isLive: Bool,
        form: InputForm? = nil,
        cancellation: Cancellation
    ) throws(EarshotError) -> Opened {
        if url.isFileURL { try checkFile(url) }
        guard var context = avformat_alloc_context() else { throw outOfMemory(url) }
        context.pointee.interrupt_callback = cancellation.interruptCallback
        // Finding streams decodes a little of each. A picture of 15,000 by 15,000 would take 700 MB to say how large it is.
        context.pointee.codec_whitelist = av_strdup(FFmpegLibraries.audioDecoders)

        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        let address = url.isFileURL ? "file:" + url.path : url.absoluteString
        var file: UnsafeMutablePointer<AVIOContext>?
        var pipe: PipeInput?
        if let descriptor = PipeInput.descriptor(of: url) {
            let input = PipeInput(descriptor: descriptor, limitsTags: true, cancellation: cancellation)
            context.pointee.pb = input.io
            pipe = input
        } else if url.isFileURL, let input = PipeInput(limitingTagsOf: url.path, cancellation: cancellation) {
            context.pointee.pb = input.io
            pipe = input
        } else if url.isFileURL {
            av_dict_set(&options, "protocol_whitelist", "file", 0)
            var callback = cancellation.interruptCallback
            let result = avio_open2(&file, address, AVIO_FLAG_READ, &callback, &options)
            guard result >= 0 else {
                avformat_free_context(context)
                throw openError(result, name(of: url), cancellation)
            }
            context.pointee.pb = file
        }
        av_dict_free(&options)
        if context.pointee.pb != nil {
            // A music folder may hold playlists, session descriptions and lists of parts (.m3u8, .sdp, concat), each a
            // format to FFmpeg. None of them may lead to the network or to another file. So the one file is opened
            // above, nothing but `data:` is allowed to anything inside it, and further opening is refused.
            earshot_refuse_nested_files(context)
            av_dict_set(&options, "protocol_whitelist", "data", 0)
        } else if ["http", "https"].contains(url.scheme?.lowercased()) {
            // A playlist from the network must not read local files.
            av_dict_set(&options, "protocol_whitelist", "http,https,httpproxy,tcp,tls,crypto,data", 0)
        } else {
            // Nor must a stream of another kind that turns out to be a playlist or a session description.
            av_dict_set(&options, "protocol_whitelist", networkProtocols, 0)
        }

        if isLive {
            // Otherwise FFmpeg first collects 50 packets of what has no timestamps, 2,500 of what may have another encoding
            // than its header says, and five seconds of anything.
            av_dict_set_int(&options, "max_ts_probe", 1, 0)
            av_dict_set_int(&options, "max_probe_packets", 8, 0)
            av_dict_set_int(&options, "analyzeduration", 2 * Int64(AV_TIME_BASE), 0)
        }
        form?.add(to: &options)
        let format = form?.formatName.flatMap { av_find_input_format($0) }
        var opening: UnsafeMutablePointer<AVFormatContext>? = context
        let result = avformat_open_input(&opening, address, format, &options)
        guard result >= 0, let opening else {
            // FFmpeg has freed the context, but not the file that it did not open.
            avio_closep(&file)
            throw openError(result, name(of: url), cancellation)
        }
        context = opening
        return Opened(context: context, file: file, pipe: pipe)
    }

    /// Says what is wrong with a file in better words than FFmpeg can.
    private static func checkFile(_ url: URL) throws(EarshotError) {
        let path = url.path
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == EACCES { throw forbidden(path) }
            throw EarshotError(
                .assetNotFound,
                "\(path) cannot be opened because there is no such file: check the path."
            )
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            throw EarshotError(
                .assetIsDirectory,
                "\(path) cannot be opened because it is a folder: name a media file in it."
            )
        }
        guard access(path, R_OK) == 0 else { throw forbidden(path) }
        if status.st_mode & S_IFMT == S_IFCHR || status.st_mode & S_IFMT == S_IFBLK {
            throw EarshotError(
                .assetUnreadable,
                "\(path) cannot be opened because it is a device, not a file: to hear a microphone, use `earshot listen`."
            )
        }
        if status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 {
            throw EarshotError(
                .assetUnreadable,
                "\(path) cannot be opened because it is empty: copy or download it again."
            )
        }
    }

    private static func forbidden(_ path: String) -> EarshotError {
        EarshotError(
            .assetUnreadable,
            "\(path) cannot be opened because you have no permission to read it: change its access rights."
        )
    }

    static func outOfMemory(_ url: URL) -> EarshotError {
        EarshotError(.internalError, "\(name(of: url)) cannot be opened for want of memory: end other programs.")
    }

    static func openError(_ code: Int32, _ name: String, _ cancellation: Cancellation) -> EarshotError {
        if cancellation.isCancelled || code == earshot_error_exit() { return cancelled(name) }
        if earshot_error_is_unreachable(code) != 0 {
            return EarshotError(
                .assetNotFound,
                "\(name) cannot be opened because it cannot be reached (\(FFmpegText.reason(code))): check the address."
            )
        }
        if code == earshot_error_access() { return forbidden(name) }
        // That its data makes no sense says no more than the sentence does.
        let isMeaningless = code == earshot_error_invalid_data() || code == earshot_error_invalid_argument()
        let reason = isMeaningless ? "" : " (\(FFmpegText.reason(code)))"
        return EarshotError(
            .assetUnreadable,
            "\(name) cannot be opened as media\(reason): it has an unknown format or is damaged."
        )
    }
}
