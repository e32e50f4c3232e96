import CFFmpeg
import EarshotCore

/// The end of the sound in MP4 files, whose encoders fill the last packet up.
///
/// FFmpeg takes the padding of other formats off, but of MP4 it gives whole packets. How much of them is meant to be
/// heard stands in the edit list, from which FFmpeg takes the stream's duration, or in a tag of Apple's encoders.
enum EndPadding {
    /// More than that many packets is not padding; whatever the number is, nothing is cut for it.
    private static let mostPackets: Int64 = 3

    /// Frames from the first audible one to the end; `nil` if the file does not say, or only whole packets.
    static func audibleFrames(_ demuxer: Demuxer, _ stream: UnsafeMutablePointer<AVStream>) -> Int64? {
        guard demuxer.isFormat("mov") else { return nil }
        let entries = avformat_index_get_entries_count(stream)
        guard entries >= 2, let last = avformat_index_get_entry(stream, entries - 1)?.pointee.timestamp,
            let previous = avformat_index_get_entry(stream, entries - 2)?.pointee.timestamp
        else { return nil }
        let (packet, overflow) = last.subtractingReportingOverflow(previous)
        guard !overflow, packet > 0, packet < 1 << 20, last.magnitude < 1 << 60 else { return nil }
        let start = stream.pointee.start_time == earshot_no_timestamp ? 0 : stream.pointee.start_time
        let base = stream.pointee.time_base
        let frame = AVRational(num: 1, den: stream.pointee.codecpar.pointee.sample_rate)
        for units in [taggedFrames(demuxer).map { av_rescale_q($0, frame, base) }, stream.pointee.duration] {
            guard let units, units > 0, units < 1 << 60, start.magnitude < 1 << 60 else { continue }
            let excess = last + packet - start - units
            if excess > 0, excess <= mostPackets * packet { return av_rescale_q(units, base, frame) }
        }
        return nil
    }

    /// The number of original frames in the tag `iTunSMPB`: zeros, delay, padding, frames, all hexadecimal.
    private static func taggedFrames(_ demuxer: Demuxer) -> Int64? {
        guard let tag = Asset.tags(demuxer, nil)["iTunSMPB"] else { return nil }
        let fields = tag.split(separator: " ")
        guard fields.count >= 4, fields[3].count == 16 else { return nil }
        return Int64(fields[3], radix: 16)
    }

    /// Cuts off what of a frame lies behind the end; false when all of it does.
    static func cut(_ frame: UnsafeMutablePointer<AVFrame>, at start: Int64, end: Int64) -> Bool {
        let (left, overflow) = end.subtractingReportingOverflow(start)
        guard !overflow, left > 0 else { return false }
        frame.pointee.nb_samples = Int32(min(left, Int64(frame.pointee.nb_samples)))
        return true
    }
}
