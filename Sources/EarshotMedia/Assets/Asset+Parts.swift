import CFFmpeg
import EarshotCore
import Foundation

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

    /// Containers whose tags may be of ID3, and so of any encoding.
    private static let legacyFormats = ["mp3", "aac", "wav", "w64", "aiff", "tta", "dsf", "avi"]

    static func tags(
        _ demuxer: Demuxer,
        _ stream: UnsafeMutablePointer<AVStream>?,
        _ encoding: LegacyEncoding? = nil
    ) -> Tags {
        var values = rawPairs(demuxer.context.pointee.metadata)
        if let stream {
            // Ogg has no place for tags but the stream.
            let takesAll = demuxer.isFormat("ogg")
            values += rawPairs(stream.pointee.metadata).filter { name, _ in
                let key = name.lowercased()
                return takesAll || !(trackTags.contains(key) || key.hasPrefix("_statistics"))
            }
        }
        guard legacyFormats.contains(where: demuxer.isFormat) else {
            return Tags(values.map { ($0, String(decoding: $1, as: UTF8.self)) })
        }
        return LegacyTags(values, encoding: encoding, file: demuxer.url.isFileURL ? demuxer.url.path : nil).tags
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
        rawPairs(dictionary).map { ($0, String(decoding: $1, as: UTF8.self)) }
    }

    /// Names and the bytes of the values, which need not be UTF-8.
    private static func rawPairs(_ dictionary: OpaquePointer?) -> [(String, [UInt8])] {
        var pairs: [(String, [UInt8])] = []
        var entry: UnsafeMutablePointer<AVDictionaryEntry>?
        while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
            if let key = next.pointee.key, let value = next.pointee.value {
                let bytes = UnsafeBufferPointer(start: value, count: strlen(value))
                pairs.append((String(cString: key), bytes.map { UInt8(bitPattern: $0) }))
            }
            entry = next
        }
        return pairs
    }
}
