import CFFmpeg
package import EarshotCore
package import Foundation

/// Decodes one audio stream block by block on the caller's thread. ``AssetReader`` is its asynchronous form.
///
/// Not thread-safe; its functions block. For batch work with a thread for each file.
package final class AudioDecoder {
    /// Sample rates in hertz that are taken for true.
    static let sampleRates = 1_000...768_000

    /// The format of every block.
    package let format: AudioFormat
    /// The duration of the whole asset; indefinite if it is not known.
    package let assetDuration: MediaTime
    /// The duration of the part that is read; `nil` if unknown.
    package let expectedDuration: MediaTime?
    /// The duration of the stream according to the container, including encoder delay and padding; `nil` if it states
    /// none.
    package let statedDuration: MediaTime?
    /// The ``AudioStream/index`` of the stream that is read.
    package let streamIndex: Int
    let meter: ProgressMeter
    /// The type of the samples of every block.
    let type: SampleBuffer.Kind
    /// The format of the source before conversion.
    let sourceFacts: SourceFormat
    private let cancellation: Cancellation
    private var packets: PacketDecoder
    private let converter: SampleConverter
    private var timeline: FrameTimeline
    private var builder: BlockBuilder
    private let promise: DeclaredDuration
    /// The duration of the stream by the container; `nil` if it is not known, or not all of it is read.
    private let declaredDuration: MediaTime?
    /// The place of the first frame.
    private var firstStart: Int64?
    private let asDecoded: Bool
    /// Frames of the source before this place are only there to seek past.
    private var entry: Int64 = .min
    /// Frames of the source that are meant to be heard, where the end of the last packet is not.
    private let audibleFrames: Int64?
    /// The place behind the last of them, once the first is placed.
    private var audibleEnd: Int64?
    /// `true` if the packet decoder already holds the next frame.
    private var holdsFrame: Bool
    /// Decoded frames whose place is not certain yet, or not taken.
    private let waiting = FrameQueue()
    private var isAtEnd = false
    private var hasFailed = false
    /// The error that comes after the last block.
    private var failure: EarshotError?

    /// The progress of reading: position, frames and bytes delivered.
    package var progress: ReadingProgress { meter.progress }

    /// Opens a file and decodes its first frame, so that an unreadable file fails here.
    ///
    /// - Parameters:
    ///   - url: A file or address.
    ///   - options: The part to read, and the output format.
    ///   - isLive: `true` to read ahead as little as possible.
    ///   - form: The format of an input that does not state it, such as raw samples; `nil` to detect it.
    ///   - asDecoded: `true` for blocks as the codec delivers them: one for each frame of the codec, 16-bit integers or
    ///     floating point as in the codec, and with the padding of the last packet of an MP4 file.
    ///   - cancellation: Cancels opening and reading.
    /// - Throws: `assetNotFound`, `assetIsDirectory`, `assetUnreadable`, `assetProtected`, `noAudioStream`,
    ///   `codecUnsupported`, `audioFormatInvalid` or `cancelled`.
    package convenience init(
        _ url: URL,
        options: AssetReader.Options = .init(),
        isLive: Bool = false,
        form: InputForm? = nil,
        asDecoded: Bool = false,
        cancellation: Cancellation = .init()
    ) throws(EarshotError) {
        try self.init(
            url,
            options: options,
            isLive: isLive,
            form: form,
            asDecoded: asDecoded,
            isExact: false,
            cancellation: cancellation
        )
    }

    /// The same for what keeps the sound: samples come in the narrowest type that holds the source's as they are, floating
    /// point where something is computed of them, and another rate is made precisely.
    convenience init(
        exact url: URL,
        options: AssetReader.Options,
        cancellation: Cancellation
    ) throws(EarshotError) {
        try self.init(
            url,
            options: options,
            isLive: false,
            form: nil,
            asDecoded: false,
            isExact: true,
            cancellation: cancellation
        )
    }

    private init(
        _ url: URL,
        options: AssetReader.Options,
        isLive: Bool,
        form: InputForm?,
        asDecoded: Bool,
        isExact: Bool,
        cancellation: Cancellation
    ) throws(EarshotError) {
        try Self.check(options, name: Demuxer.name(of: url))
        let demuxer = try Demuxer(url, isLive: isLive, form: form, cancellation: cancellation)
        let stream = try Self.choose(options.stream, in: demuxer)
        assetDuration = demuxer.duration(of: stream)
        statedDuration = demuxer.statedDuration(of: stream)
        expectedDuration = Self.expected(options.range, of: assetDuration)
        declaredDuration = options.range == nil ? demuxer.declaredDuration(of: stream) : nil
        let meter = ProgressMeter(start: options.range?.lowerBound ?? .zero, expected: expectedDuration)
        self.meter = meter
        self.cancellation = cancellation
        self.asDecoded = asDecoded
        streamIndex = Int(stream.pointee.index)
        let packets = try PacketDecoder(
            demuxer,
            stream: stream,
            cancellation: cancellation,
            foundDamage: { meter.foundDamage() }
        )
        self.packets = packets
        promise = DeclaredDuration(demuxer, stream: stream)
        audibleFrames = asDecoded ? nil : EndPadding.audibleFrames(demuxer, stream)
        holdsFrame = try packets.decodeFrame()

        let hasDamage = meter.progress.damagedPacketCount > 0
        let source = Source(packets, holdsFrame: holdsFrame, hasDamage: hasDamage)
        format = source.output(options, asDecoded: asDecoded)
        type = isExact ? source.exactType(for: format) : SampleBuffer.Kind(format.sampleType)
        converter = SampleConverter(
            output: format,
            type: type,
            layout: source.layout,
            resampling: isExact ? .precise : .standard,
            name: demuxer.name
        )
        sourceFacts = source.facts
        builder = BlockBuilder(
            format: format,
            type: type,
            blockFrames: asDecoded ? .max : options.blockFrames,
            range: Self.frames(options.range, sampleRate: format.sampleRate)
        )
        timeline = FrameTimeline(
            timeBase: stream.pointee.time_base,
            zero: source.zero(demuxer, stream),
            sampleRate: Int32(clamping: source.sampleRate)
        )
        // A file that breaks off before its first frame says so when it is read.
        if !holdsFrame, hasDamage, breach == nil { throw Self.nothingDecodes(demuxer.name) }
        if holdsFrame, let range = options.range { try seek(to: range.lowerBound) }
    }

    /// Decodes the next block; `nil` at the end.
    ///
    /// - Throws: `readFailed` with the position if the file is incomplete or cannot be read further; `cancelled`;
    ///   `assetProtected`. After an error the result is `nil`.
    package func next() throws(EarshotError) -> AudioBlock? {
        try nextDecoded()?.audioBlock
    }

    /// The same with the samples as they are.
    func nextDecoded() throws(EarshotError) -> DecodedBlock? {
        while true {
            if cancellation.isCancelled, failure == nil, !isAtEnd {
                (isAtEnd, hasFailed) = (true, true)
                throw Demuxer.cancelled(packets.demuxer.name)
            }
            if let block = builder.nextBlock() {
                meter.delivered(block)
                return block
            }
            if let failure {
                self.failure = nil
                throw failure
            }
            if isAtEnd {
                if !hasFailed { meter.finished(durationMismatch) }
                return nil
            }
            do throws(EarshotError) {
                try step()
            } catch {
                (isAtEnd, hasFailed) = (true, true)
                if error.code == .cancelled { throw error }
                // What was decoded before comes first.
                timeline.finish()
                do throws(EarshotError) {
                    while let placement = timeline.nextPlacement() { try convertFirst(at: placement) }
                } catch {}
                builder.finish()
                failure = error
            }
        }
    }

    /// Decodes one frame, or converts one whose place is known, or ends.
    private func step() throws(EarshotError) {
        if builder.isComplete { return try end(checking: false) }
        if let placement = timeline.nextPlacement() { return try convertFirst(at: placement) }
        if !holdsFrame, try !packets.decodeFrame() {
            guard timeline.isUndecided else { return try end(checking: true) }
            return timeline.finish()
        }
        holdsFrame = false
        let frame = packets.frame
        timeline.append(
            FrameTimeline.Frame(
                timestamp: frame.pointee.best_effort_timestamp,
                count: frame.pointee.nb_samples,
                sampleRate: frame.pointee.sample_rate,
                bytePosition: packets.bytePosition
            )
        )
        if waiting.isEmpty, !timeline.isUndecided, let placement = timeline.nextPlacement() {
            return try convert(frame, at: placement)
        }
        try waiting.append(moving: frame, name: packets.demuxer.name)
    }

    private func convertFirst(at placement: FrameTimeline.Placement) throws(EarshotError) {
        try waiting.withFirst { (frame) throws(EarshotError) in try convert(frame, at: placement) }
    }

    private func convert(
        _ frame: UnsafeMutablePointer<AVFrame>,
        at placement: FrameTimeline.Placement
    ) throws(EarshotError) {
        if converter.isNewFormat(frame) { try converter.drain(into: &builder) }
        var start = placement.start
        if firstStart == nil { firstStart = start }
        if audibleEnd == nil, let audibleFrames { audibleEnd = start &+ audibleFrames }
        if let audibleEnd, !EndPadding.cut(frame, at: start, end: audibleEnd) { return }
        if start < entry {
            guard Self.cut(frame, from: start, to: entry) else { return }
            start = entry
            entry = .min
            move(to: start, rate: frame.pointee.sample_rate)
        } else if !placement.isContinuous || entry > .min {
            entry = .min
            try converter.drain(into: &builder)
            move(to: start, rate: frame.pointee.sample_rate)
        }
        try converter.convert(frame, into: &builder)
        if asDecoded { builder.finish() }
    }

    private func move(to start: Int64, rate: Int32) {
        builder.move(to: av_rescale(start, Int64(format.sampleRate), Int64(rate)))
    }

    /// Skips most of what lies before a range, where the format lets that be done without a trace.
    private func seek(to start: MediaTime) throws(EarshotError) {
        guard Self.entersExactly(packets.demuxer, packets.stream),
            let second = Self.entrySecond(before: start)
        else { return }
        let rate = packets.frame.pointee.sample_rate
        // Another second for the decoder itself to settle.
        if packets.seek(to: timeline.timestamp(seconds: second - 1)) {
            holdsFrame = try packets.decodeFrame()
            if holdsFrame, timeline.landsBefore(seconds: second, packets.frame.pointee.best_effort_timestamp) {
                entry = second * Int64(rate)
                return
            }
        }
        // It went too far, as with a broken seek table, or nowhere: begin at the begin after all.
        let demuxer = try Demuxer(packets.demuxer.url, cancellation: cancellation)
        let stream = try Self.choose(.index(streamIndex), in: demuxer)
        packets = try PacketDecoder(
            demuxer,
            stream: stream,
            cancellation: cancellation,
            foundDamage: { [meter] in meter.foundDamage() }
        )
        holdsFrame = try packets.decodeFrame()
    }

    private var durationMismatch: DurationMismatch? {
        guard let declaredDuration, let firstStart, let end = timeline.next else { return nil }
        let frames = (audibleEnd.map { min($0, end) } ?? end).subtractingReportingOverflow(firstStart)
        guard !frames.overflow else { return nil }
        return DurationMismatch(
            declared: declaredDuration,
            measured: MediaTime(frames: frames.partialValue, sampleRate: Int(timeline.sampleRate))
        )
    }

    private var breach: String? {
        promise.breach(packets, end: timeline.next ?? 0, sampleRate: timeline.sampleRate)
    }

    private func end(checking: Bool) throws(EarshotError) {
        isAtEnd = true
        if checking { try converter.drain(into: &builder) }
        builder.finish()
        if checking, let reason = breach {
            let isAddress = packets.demuxer.name.contains("://")
            failure = EarshotError(
                .readFailed,
                "Reading \(packets.demuxer.name) ended early, at \(builder.end.label) (\(reason)): "
                    + (isAddress
                        ? "the connection or the stream broke off; open it again."
                        : "the file is not whole; copy or download it again."),
                position: builder.end
            )
            hasFailed = true
        }
    }
}

extension AudioDecoder: BlockingReader {}
