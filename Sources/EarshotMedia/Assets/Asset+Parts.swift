import CFFmpeg
import EarshotCore

/// Translations of FFmpeg's structures.
extension Asset {
    /// Tags of a stream that describe the track, not the piece, in containers that hold several.
    private static let trackTags: Set<String> = [
        "title", "language", "handler_name", "vendor_id", "encoder", "duration", "bps", "number_of_frames",
        "number_of_bytes", "creation_time",
    ]

    static func positive(_ number: Int64) -> Int? {
        number > 0 ? Int(number) : nil
    }

    static func tags(_ demuxer: Demuxer, _ stream: UnsafeMutablePointer<AVStream>?) -> Tags {
        var tags = Tags(pairs(demuxer.context.pointee.metadata))
        guard let stream else { return tags }
        // Ogg has no place for tags but the stream.
        let takesAll = demuxer.isFormat("ogg")
        for (name, value) in pairs(stream.pointee.metadata) {
            let key = name.lowercased()
            if !takesAll, trackTags.contains(key) || key.hasPrefix("_statistics") { continue }
            tags.add(name, value)
        }
        return tags
    }

    static func artwork(_ demuxer: Demuxer) -> Artwork? {
        let pictures = demuxer.streams.filter {
            $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 && $0.pointee.attached_pic.size > 0
        }
        let front = pictures.first {
            Tags(pairs($0.pointee.metadata)).comment?.lowercased().contains("front") ?? false
        }
        guard let picture = front ?? pictures.first, let data = picture.pointee.attached_pic.data else { return nil }
        let bytes = UnsafeBufferPointer(start: data, count: Int(picture.pointee.attached_pic.size))
        return Artwork(bytes: Array(bytes), mimeType: mimeType(picture.pointee.codecpar.pointee.codec_id))
    }

    static func chapters(_ demuxer: Demuxer) -> [Chapter] {
        (0..<Int(demuxer.context.pointee.nb_chapters)).compactMap { index in
            guard let chapter = demuxer.context.pointee.chapters[index]?.pointee else { return nil }
            return Chapter(
                title: Tags(pairs(chapter.metadata)).title,
                start: time(chapter.start, chapter.time_base),
                end: time(chapter.end, chapter.time_base)
            )
        }
    }

    static func audioStream(_ stream: UnsafeMutablePointer<AVStream>, in demuxer: Demuxer) -> AudioStream {
        let parameters = stream.pointee.codecpar.pointee
        return AudioStream(
            index: Int(stream.pointee.index),
            codec: FFmpegText.codec(parameters),
            sampleRate: Int(parameters.sample_rate),
            channelCount: Int(parameters.ch_layout.nb_channels),
            language: Tags(pairs(stream.pointee.metadata))["language"].flatMap { $0 == "und" ? nil : $0 },
            bitRate: positive(parameters.bit_rate),
            duration: demuxer.playedDuration(of: stream),
            isDefault: stream.pointee.disposition & AV_DISPOSITION_DEFAULT != 0
        )
    }

    private static func time(_ value: Int64, _ base: AVRational) -> MediaTime {
        guard value != earshot_no_timestamp, base.num > 0, base.den > 0 else { return .indefinite }
        let (product, overflow) = value.multipliedReportingOverflow(by: Int64(base.num))
        return overflow ? .indefinite : MediaTime(value: product, timescale: base.den)
    }

    private static func mimeType(_ codec: AVCodecID) -> String {
        switch codec {
        case AV_CODEC_ID_MJPEG: "image/jpeg"
        case AV_CODEC_ID_PNG: "image/png"
        case AV_CODEC_ID_GIF: "image/gif"
        case AV_CODEC_ID_BMP: "image/bmp"
        case AV_CODEC_ID_WEBP: "image/webp"
        case AV_CODEC_ID_TIFF: "image/tiff"
        default: "application/octet-stream"
        }
    }

    private static func pairs(_ dictionary: OpaquePointer?) -> [(String, String)] {
        var pairs: [(String, String)] = []
        var entry: UnsafeMutablePointer<AVDictionaryEntry>?
        while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
            if let key = next.pointee.key, let value = next.pointee.value {
                pairs.append((String(cString: key), String(cString: value)))
            }
            entry = next
        }
        return pairs
    }
}
