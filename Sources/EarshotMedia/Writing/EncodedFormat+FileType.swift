import CFFmpeg

extension EncodedFormat {
    /// Returns `true` if a kind of file can hold it.
    func fits(_ type: FileType, _ container: UnsafePointer<AVOutputFormat>?) -> Bool {
        // FFmpeg does not know of all its containers what they hold.
        type == .raw || type.encodings.contains { $0.rawValue == codec }
            || avformat_query_codec(container, parameters.pointer.pointee.codec_id, 0) > 0
    }
}
