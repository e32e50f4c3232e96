import CFFmpeg
import EarshotCore
import Foundation

extension AudioDecoder {
    /// The format of the first frame; without one, that of the container.
    struct Source {
        let sampleRate: Int
        let layout: AVChannelLayout
        /// `true` if the codec gives integers of 16 bits.
        let hasShortSamples: Bool
        /// The sample format of the codec.
        let sampleFormat: AVSampleFormat
        /// Bits of them that mean something, where the codec says.
        let bits: Int
        private let firstTimestamp: Int64
        private let hasDamage: Bool

        var facts: SourceFormat {
            var layout = layout
            return SourceFormat(
                sampleRate: sampleRate,
                channelCount: Int(layout.nb_channels),
                channelMask: earshot_layout_mask(&layout),
                format: sampleFormat,
                bits: bits
            )
        }

        /// The sample type that keeps the output unchanged: the source's own, or floating point if it is computed.
        func exactType(for format: AudioFormat) -> SampleBuffer.Kind {
            let own = SampleBuffer.Kind(holding: sampleFormat)
            if format.sampleRate == sampleRate, format.channelCount == Int(layout.nb_channels) { return own }
            return own == .int16 || own == .float32 ? .float32 : .float64
        }

        init(_ packets: PacketDecoder, holdsFrame: Bool, hasDamage: Bool) {
            self.hasDamage = hasDamage
            let frame = packets.frame.pointee
            let parameters = packets.stream.pointee.codecpar.pointee
            sampleRate = Int(holdsFrame ? frame.sample_rate : parameters.sample_rate)
            layout = holdsFrame ? frame.ch_layout : parameters.ch_layout
            sampleFormat = AVSampleFormat(holdsFrame ? frame.format : parameters.format)
            bits = Int(max(parameters.bits_per_raw_sample, parameters.bits_per_coded_sample))
            hasShortSamples = sampleFormat == AV_SAMPLE_FMT_S16 || sampleFormat == AV_SAMPLE_FMT_S16P
            firstTimestamp = holdsFrame ? frame.best_effort_timestamp : earshot_no_timestamp
        }

        func output(_ options: AssetReader.Options, asDecoded: Bool) -> AudioFormat {
            let channels =
                switch options.channels {
                case .source: Int(layout.nb_channels)
                case .mono: 1
                case .stereo: 2
                case .count(let count): count
                }
            return AudioFormat(
                sampleRate: options.sampleRate ?? sampleRate,
                channelCount: channels,
                sampleType: !asDecoded ? options.sampleType : hasShortSamples ? .int16 : .float32
            )
        }

        /// The timestamp of time zero: of the first audible sample where there is only one stream of sound, otherwise
        /// of the first thing of all, so that sound that begins after the picture keeps its delay.
        func zero(_ demuxer: Demuxer, _ stream: UnsafeMutablePointer<AVStream>) -> Int64 {
            var first = firstTimestamp == earshot_no_timestamp ? 0 : firstTimestamp
            let stated = stream.pointee.start_time
            // When the first frames are damaged, the first good one is not at zero.
            if hasDamage, stated != earshot_no_timestamp { first = min(first, stated) }
            let isAlone = demuxer.videoStreams.isEmpty && demuxer.audioStreams.count == 1
            let start = demuxer.context.pointee.start_time
            guard !isAlone, start != earshot_no_timestamp else { return first }
            return av_rescale_q(start, AVRational(num: 1, den: AV_TIME_BASE), stream.pointee.time_base)
        }
    }

    static func check(_ options: AssetReader.Options, name: String) throws(EarshotError) {
        if let rate = options.sampleRate, !sampleRates.contains(rate) {
            throw EarshotError(
                .audioFormatInvalid,
                "\(name) cannot be decoded to \(rate) Hz: choose a rate from \(sampleRates.lowerBound) "
                    + "to \(sampleRates.upperBound) Hz."
            )
        }
        if case .count(let count) = options.channels, !(1...8).contains(count) {
            throw EarshotError(
                .audioFormatInvalid,
                "\(name) cannot be decoded to \(count) channels: choose 1 to 8."
            )
        }
        if options.blockFrames < 1 {
            throw EarshotError(
                .audioFormatInvalid,
                "\(name) cannot be decoded in blocks of \(options.blockFrames) frames: choose at least 1."
            )
        }
    }

    static func choose(
        _ choice: AssetReader.StreamChoice,
        in demuxer: Demuxer
    ) throws(EarshotError) -> UnsafeMutablePointer<AVStream> {
        switch choice {
        case .best:
            if let stream = demuxer.bestAudioStream { return stream }
            throw EarshotError(
                .noAudioStream,
                "\(demuxer.name) cannot be decoded because it has no audio stream: choose a file with sound."
            )
        case .index(let index):
            if let stream = demuxer.audioStreams.first(where: { $0.pointee.index == index }) { return stream }
            let indices = demuxer.audioStreams.map { "\($0.pointee.index)" }.joined(separator: ", ")
            throw EarshotError(
                .noAudioStream,
                "\(demuxer.name) cannot be decoded because it has no audio stream with the index \(index): "
                    + (indices.isEmpty ? "it has no sound at all." : "choose one of \(indices).")
            )
        }
    }

    static func nothingDecodes(_ name: String) -> EarshotError {
        EarshotError(
            .assetUnreadable,
            "\(name) cannot be opened as media (no part of it can be decoded): it has an unknown format or is damaged."
        )
    }

    static func expected(_ range: Range<MediaTime>?, of duration: MediaTime) -> MediaTime? {
        guard let range else { return duration.isNumeric ? duration : nil }
        let start = max(range.lowerBound, .zero)
        let end = duration.isNumeric ? min(range.upperBound, duration) : range.upperBound
        guard start.isNumeric, end.isNumeric else { return nil }
        return max(end - start, .zero)
    }

    /// A range in frames; what is not a number reaches as far as possible.
    static func frames(_ range: Range<MediaTime>?, sampleRate: Int) -> Range<Int64> {
        // Half of the numbers leave room for sums.
        let (least, most) = (Int64.min / 2, Int64.max / 2)
        guard let range else { return least..<most }
        func frame(_ time: MediaTime, _ otherwise: Int64) -> Int64 {
            let converted = time.converted(toTimescale: Int32(clamping: sampleRate))
            return converted.isNumeric ? min(max(converted.value, least), most) : otherwise
        }
        let start = frame(range.lowerBound, least)
        return start..<max(start, frame(range.upperBound, most))
    }
}
