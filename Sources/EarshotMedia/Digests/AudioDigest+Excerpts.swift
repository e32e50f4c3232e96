import CFFmpeg
import EarshotCore
import Foundation

/// A hash over a bounded part of the sound: for libraries of many thousand songs, of which none is to be read whole.
extension AudioDigest {
    /// Bytes of packets from the begin on that are hashed.
    private static let headSize = 1 << 17
    /// Of files whose sound cannot be skipped in, more of them.
    private static let longHeadSize = 1 << 21
    /// Pieces behind the head, and the bytes of each.
    private static let (pieces, pieceSize) = (4, 1 << 14)

    /// Containers in which the sound is one run of bytes, with nothing of tags in it.
    private static let runs = ["mp3", "aac", "flac", "wav", "w64", "aiff", "caf", "au"]

    /// The hash over excerpts of the stream that a player would choose. Nothing of it depends on tags, or on where the
    /// sound begins in the file.
    ///
    /// The rule: the kind of the stream and what a decoder needs; the packets from the begin on, at least 128 KiB of them. Where the
    /// sound ends before, that is all. Otherwise what follows tells songs of the same begin apart: of containers in which the
    /// sound is one run of bytes, its length and four pieces of 16 KiB, the last one at its end; of those with an index, the size
    /// of every packet; of all others 2 MiB of packets and the duration, where the stream itself states it.
    static func excerpts(_ demuxer: Demuxer, _ cancellation: Cancellation) throws(EarshotError) -> [UInt8] {
        guard let stream = demuxer.bestAudioStream else {
            throw EarshotError(.noAudioStream, "\(demuxer.name) has no sound: choose a file with sound.")
        }
        for other in demuxer.streams where other != stream { other.pointee.discard = AVDISCARD_ALL }
        let hash = SHA256Hash()
        let parameters = stream.pointee.codecpar.pointee
        let kind = "\(FFmpegText.codec(parameters)) \(parameters.sample_rate) \(parameters.ch_layout.nb_channels)\n"
        hash.update(Array(kind.utf8))
        hash.update(decoderHead(parameters))

        let isRun = demuxer.url.isFileURL && runs.contains(where: demuxer.isFormat)
        let file = isRun ? try RawFile(reading: demuxer.url.path) : nil
        let index = avformat_index_get_entries_count(stream)
        let sizes = demuxer.isFormat("mov") && index > 0 ? index : 0
        let limit = file != nil || sizes > 0 ? headSize : longHeadSize
        var end = Int.max
        if let file { end = try TrailingTags.start(of: file, cancellation: cancellation) }
        let head = try self.head(demuxer, stream, end, limit, cancellation, hash)
        guard !head.isWhole else { return hash.finish() }

        if let file, let run = try run(demuxer, stream, file, head.begin, end), run.count > pieceSize {
            let (begin, end) = (run.lowerBound, run.upperBound)
            hash.update(Array("run \(end - begin)\n".utf8))
            for piece in 1...pieces {
                let rest = end - begin - pieceSize
                let place = begin + rest / pieces * piece + (piece == pieces ? rest % pieces : 0)
                hash.update(try file.read(pieceSize, at: place))
            }
        } else if sizes > 0 {
            hash.update(Array("index \(sizes)\n".utf8))
            for entry in 0..<sizes {
                guard let entry = avformat_index_get_entry(stream, entry) else { continue }
                withUnsafeBytes(of: entry.pointee.size.littleEndian) { hash.update($0) }
            }
        } else if demuxer.context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_STREAM
            || demuxer.context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_PTS
        {
            hash.update(Array("duration \(stream.pointee.duration)\n".utf8))
        }
        return hash.finish()
    }

    /// Hashes packets until there are enough bytes of them.
    private static func head(
        _ demuxer: Demuxer,
        _ stream: UnsafeMutablePointer<AVStream>,
        _ end: Int,
        _ limit: Int,
        _ cancellation: Cancellation,
        _ hash: SHA256Hash
    ) throws(EarshotError) -> (begin: Int?, isWhole: Bool) {
        var packet = av_packet_alloc()
        defer { av_packet_free(&packet) }
        guard let packet else { throw Demuxer.outOfMemory(demuxer.url) }
        var begin: Int?
        var taken = 0
        while taken < limit {
            if cancellation.isCancelled { throw Demuxer.cancelled(demuxer.name) }
            let result = demuxer.read(into: packet)
            if result == earshot_error_again() { continue }
            // A file that breaks off here is what it is: whoever plays it is told.
            guard result >= 0 else { return (begin, true) }
            if packet.pointee.stream_index == stream.pointee.index, let data = packet.pointee.data {
                let place = Int(packet.pointee.pos)
                if begin == nil, place >= 0 { begin = place }
                let size = Int(packet.pointee.size)
                let count = min(limit - taken, place < 0 ? size : max(0, min(size, end - place)))
                hash.update(UnsafeRawBufferPointer(start: data, count: count))
                taken += count
            }
            av_packet_unref(packet)
        }
        return (begin, false)
    }

    /// The range of a file's audio that is one run of bytes.
    ///
    /// - Parameters:
    ///   - first: The offset of the first packet according to FFmpeg.
    ///   - end: The offset of the tags at the end.
    private static func run(
        _ demuxer: Demuxer,
        _ stream: UnsafeMutablePointer<AVStream>,
        _ file: RawFile,
        _ first: Int?,
        _ end: Int
    ) throws(EarshotError) -> Range<Int>? {
        if demuxer.isFormat("flac") {
            guard let begin = try flacSoundBegin(file), begin < end else { return nil }
            return begin..<end
        }
        guard let first, first < end else { return nil }
        if demuxer.isFormat("mp3") || demuxer.isFormat("aac") { return first..<end }
        // Chunks behind the samples may hold texts; how many samples there are is stated.
        let parameters = stream.pointee.codecpar.pointee
        let frameSize = Int(av_get_bits_per_sample(parameters.codec_id)) * Int(parameters.ch_layout.nb_channels) / 8
        guard frameSize > 0, stream.pointee.duration > 0, let frames = Int(exactly: stream.pointee.duration) else {
            return nil
        }
        let (length, overflow) = frames.multipliedReportingOverflow(by: frameSize)
        return overflow ? nil : first..<max(first, min(end - first, length) + first)
    }

    /// The offset of the frames of a FLAC file: after its metadata blocks, and after a tag before them that does not
    /// belong there.
    private static func flacSoundBegin(_ file: RawFile) throws(EarshotError) -> Int? {
        var place = 0
        var head = try file.read(10, at: 0)
        if head.count == 10, head.starts(with: Array("ID3".utf8)) {
            place = 10 + head[6...].reduce(0) { $0 << 7 | Int($1 & 0x7F) } + (head[5] & 0x10 != 0 ? 10 : 0)
            head = try file.read(4, at: place)
        }
        guard head.starts(with: Array("fLaC".utf8)) else { return nil }
        place += 4
        // There are 128 kinds of blocks; a file of more than some thousand is none.
        for _ in 0..<4_096 {
            let block = try file.read(4, at: place)
            guard block.count == 4 else { return nil }
            place += 4 + block[1...].reduce(0) { $0 << 8 | Int($1) }
            if block[0] & 0x80 != 0 { return place }
        }
        return nil
    }
}
