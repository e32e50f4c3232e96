import CFFmpeg
import Dispatch
public import EarshotCore
public import Foundation

/// A hash of the audio of a file that does not depend on its tags and pictures.
///
/// Two files with the same digest over ``Content/packets`` contain the same encoded audio, bit by bit. Different
/// encodings of one recording have different digests.
public struct AudioDigest: Hashable, Sendable, CustomStringConvertible {
    /// The part of a file that a digest covers.
    public enum Content: String, Hashable, Sendable {
        /// The encoded packets of every audio stream, and the codec configurations. Takes as long as reading the file.
        case packets
        /// The decoded samples of the stream that a player would choose, without encoder delay.
        case samples
        /// A limited part of the encoded packets of the stream that a player would choose: the beginning, the end,
        /// parts between them, and the total size. Takes the same time for a file of any duration. Different songs have
        /// different digests; two files that differ only in other parts, such as one with a muted word, may have the
        /// same. Compare ``packets`` if two files must be the same.
        case excerpts
    }

    /// The part of the file that the digest covers.
    public let content: Content
    /// The SHA-256 digest: 32 bytes.
    public let bytes: [UInt8]

    /// The SHA-256 digest in hexadecimal digits.
    public var description: String {
        bytes.hexadecimal
    }

    /// Reads a file and hashes its audio.
    ///
    /// - Parameters:
    ///   - url: A file.
    ///   - content: The part to hash.
    /// - Throws: `assetNotFound`, `assetIsDirectory`, `assetUnreadable`, `noAudioStream`, `readFailed` for an
    ///   incomplete file, `cancelled`, and the errors of an ``AssetReader`` if samples are hashed.
    public static func of(_ url: URL, _ content: Content = .packets) async throws(EarshotError) -> AudioDigest {
        let cancellation = Cancellation()
        let queue = DispatchQueue(label: "earshot.media.digest", qos: .userInitiated)
        let result = await BlockingWork.run(on: queue, cancelling: cancellation) { () throws(EarshotError) in
            try blocking(url, content, cancellation: cancellation)
        }
        return try result.get()
    }

    /// Reads a file and hashes its audio on the caller's thread, as ``of(_:_:)`` does.
    ///
    /// - Throws: The errors of ``of(_:_:)``.
    package static func blocking(
        _ url: URL,
        _ content: Content = .packets,
        cancellation: Cancellation = .init()
    ) throws(EarshotError) -> AudioDigest {
        let bytes =
            switch content {
            case .packets: try packets(Demuxer(url, cancellation: cancellation), cancellation)
            case .samples: try samples(AudioDecoder(url, cancellation: cancellation))
            case .excerpts: try excerpts(Demuxer(url, cancellation: cancellation), cancellation)
            }
        return AudioDigest(content: content, bytes: bytes)
    }

    /// The digest of a hash that was made elsewhere.
    init(content: Content, bytes: [UInt8]) {
        (self.content, self.bytes) = (content, bytes)
    }

    // MARK: - Packets

    /// One hash for each stream, so that the way in which packets are interleaved does not matter.
    private static func packets(_ demuxer: Demuxer, _ cancellation: Cancellation) throws(EarshotError) -> [UInt8] {
        var hashes: [Int32: SHA256Hash] = [:]
        for stream in demuxer.streams {
            guard stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO else {
                stream.pointee.discard = AVDISCARD_ALL
                continue
            }
            let hash = SHA256Hash()
            let parameters = stream.pointee.codecpar.pointee
            hash.update("\(FFmpegText.codec(parameters)) ".utf8Bytes)
            hash.update("\(parameters.sample_rate) \(parameters.ch_layout.nb_channels)\n".utf8Bytes)
            hash.update(decoderHead(parameters))
            hashes[stream.pointee.index] = hash
        }
        guard !hashes.isEmpty else {
            throw EarshotError(.noAudioStream, "\(demuxer.name) has no sound: choose a file with sound.")
        }
        // FFmpeg takes the tags at the end for sound, of Monkey's Audio without saying which bytes of the file a packet has.
        if demuxer.isFormat("ape"), demuxer.url.isFileURL {
            return try bytes(of: RawFile(reading: demuxer.url.path), cancellation)
        }
        let end = demuxer.isFormat("mp3") && demuxer.url.isFileURL ? try soundEnd(demuxer.url, cancellation) : .max
        var packet = av_packet_alloc()
        defer { av_packet_free(&packet) }
        guard let packet else { throw Demuxer.outOfMemory(demuxer.url) }
        while true {
            if cancellation.isCancelled { throw Demuxer.cancelled(demuxer.name) }
            let result = demuxer.read(into: packet)
            if result == earshot_error_end() { break }
            if result == earshot_error_again() { continue }
            guard result >= 0 else {
                throw EarshotError(
                    .readFailed,
                    "\(demuxer.name) cannot be read to its end (\(FFmpegText.reason(result))): it is damaged; copy or "
                        + "download it again."
                )
            }
            if let data = packet.pointee.data, packet.pointee.size > 0 {
                let place = Int(packet.pointee.pos)
                let count = place < 0 ? Int(packet.pointee.size) : max(0, min(Int(packet.pointee.size), end - place))
                let bytes = UnsafeRawBufferPointer(start: data, count: count)
                hashes[packet.pointee.stream_index]?.update(bytes)
            }
            av_packet_unref(packet)
        }
        let all = SHA256Hash()
        for (_, hash) in hashes.sorted(by: { $0.key < $1.key }) { all.update(hash.finish()) }
        return all.finish()
    }

    /// A hash of all that stands between the tags of a file.
    private static func bytes(of file: RawFile, _ cancellation: Cancellation) throws(EarshotError) -> [UInt8] {
        let end = try TrailingTags.start(of: file, cancellation: cancellation)
        let head = try file.read(10, at: 0)
        // The size of ID3v2 stands in seven bits of each byte, without the head, and a foot by its mark.
        let size =
            head.dropFirst(6).reduce(0) { $0 << 7 | Int($1 & 0x7F) }
            + (head.count == 10 && head[5] & 0x10 != 0 ? 20 : 10)
        let start = head.count == 10 && head.starts(with: Array("ID3".utf8)) ? size : 0
        let hash = SHA256Hash()
        try file.forEachPiece { (piece, offset) throws(EarshotError) in
            if cancellation.isCancelled { throw Demuxer.cancelled(file.path) }
            let range = max(start, offset)..<max(start, offset, min(end, offset + piece.count))
            if !range.isEmpty { hash.update(piece[range.lowerBound - offset..<range.upperBound - offset]) }
        }
        return hash.finish()
    }

    private static func soundEnd(_ url: URL, _ cancellation: Cancellation) throws(EarshotError) -> Int {
        try TrailingTags.start(of: RawFile(reading: url.path), cancellation: cancellation)
    }

    /// The codec configuration before the first packet, without the comments of Vorbis.
    static func decoderHead(_ parameters: AVCodecParameters) -> [UInt8] {
        guard let data = parameters.extradata, parameters.extradata_size > 0 else { return [] }
        let bytes = Array(UnsafeBufferPointer(start: data, count: Int(parameters.extradata_size)))
        switch parameters.codec_id {
        case AV_CODEC_ID_VORBIS: return VorbisHead.withoutComments(bytes)
        case AV_CODEC_ID_FLAC, AV_CODEC_ID_OPUS, AV_CODEC_ID_AAC, AV_CODEC_ID_ALAC: return bytes
        // Of others FFmpeg may keep more there than the decoder needs.
        default: return []
        }
    }

    // MARK: - Samples

    private static func samples(_ decoder: AudioDecoder) throws(EarshotError) -> [UInt8] {
        let hash = SHA256Hash()
        hash.update("\(decoder.format.sampleRate) \(decoder.format.channelCount)\n".utf8Bytes)
        while let block = try decoder.next() {
            switch block.buffer.samples {
            case .float32(let samples): samples.withUnsafeBytes { hash.update($0) }
            case .int16(let samples): samples.withUnsafeBytes { hash.update($0) }
            }
        }
        return hash.finish()
    }
}

extension String {
    fileprivate var utf8Bytes: [UInt8] { Array(utf8) }
}
