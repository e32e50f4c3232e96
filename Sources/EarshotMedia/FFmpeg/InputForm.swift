import CFFmpeg

/// The format of an input that does not state it, such as raw samples.
package struct InputForm: Hashable, Sendable {
    /// FFmpeg's short name of the format, for example `s16le`; `nil` to detect it.
    package var formatName: String?
    /// The sample rate, in hertz; `nil` if the input states it.
    package var sampleRate: Int?
    /// The number of channels; `nil` if the input states it.
    package var channelCount: Int?

    package init(formatName: String? = nil, sampleRate: Int? = nil, channelCount: Int? = nil) {
        self.formatName = formatName
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    /// Returns `true` if FFmpeg has an input format of this name.
    package static func isKnown(formatName: String) -> Bool { av_find_input_format(formatName) != nil }

    /// Puts rate and channels among the options of a demuxer; formats that state them themselves have no such options, and
    /// FFmpeg passes over them.
    func add(to options: inout OpaquePointer?) {
        if let sampleRate { av_dict_set_int(&options, "sample_rate", Int64(sampleRate), 0) }
        guard let channelCount else { return }
        var layout = AVChannelLayout()
        av_channel_layout_default(&layout, Int32(clamping: channelCount))
        defer { av_channel_layout_uninit(&layout) }
        var name = [CChar](repeating: 0, count: 128)
        guard av_channel_layout_describe(&layout, &name, name.count) > 0 else { return }
        av_dict_set(&options, "ch_layout", name, 0)
    }
}
