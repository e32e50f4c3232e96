import CFFmpeg
import EarshotCore
import Foundation

/// Writes one stream of sound to a file, on the caller's thread: what ``AssetWriter`` and ``ExportSession`` are made of.
///
/// A file appears under its name when it is whole, and not before. Not thread-safe; its calls block.
final class AudioStreamWriter {
    /// The destination of a file.
    enum Destination: Sendable {
        case file(URL, replacing: Bool)
        case descriptor(Int32)

        /// The name in messages.
        var name: String {
            switch self {
            case .file(let url, _): url.path
            case .descriptor(1): "standard output"
            case .descriptor(let number): "descriptor \(number)"
            }
        }

        /// Refuses what may not be replaced, before any work is done for it.
        func check() throws(EarshotError) {
            guard case .file(let url, let replacing) = self else { return }
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else { return }
            if isFolder.boolValue {
                throw EarshotError(.destinationExists, "\(url.path) is a folder: name a file in it.")
            }
            if !replacing { throw AtomicFile.exists(url) }
        }

        /// Makes the file, under a name of its own yet, and the container in it; without a file for a descriptor.
        ///
        /// - Parameters:
        ///   - type: The file type.
        ///   - sizeLimit: The most bytes that it may have; as many as its kind holds if `nil`.
        /// - Throws: `destinationExists`, `codecUnsupported`, `writeFailed`.
        func open(
            _ type: FileType,
            sizeLimit: Int64? = nil
        ) throws(EarshotError) -> (staged: StagedFile?, muxer: Muxer) {
            try check()
            switch self {
            case .file(let url, _):
                let folder = StagedFile.folder(of: url.path)
                StagedFile.removeLeftovers(in: folder)
                let staged = try StagedFile(in: folder, for: url.path, mode: 0o666)
                let target = Muxer.Target.file(path: staged.file.path)
                return (staged, try Muxer(target, type: type, name: name, sizeLimit: sizeLimit))
            case .descriptor(let number):
                return (nil, try Muxer(.descriptor(number), type: type, name: name, sizeLimit: sizeLimit))
            }
        }
    }

    let destination: Destination
    let settings: EncoderSettings
    private let type: FileType
    let muxer: Muxer
    private let staged: StagedFile?
    private let metadata: CarriedMetadata
    private var packer: PCMPacker?
    private var encoder: PacketEncoder?
    private var planes: PlanarFIFO?
    private let packet: UnsafeMutablePointer<AVPacket>
    /// The source's time of the first frame.
    private let start: MediaTime
    /// Frames written.
    private(set) var frameCount: Int64 = 0
    /// Tags that the file could not hold.
    private(set) var droppedTags: [String] = []
    /// `true` if silence for what is missing has a limit: ten minutes, or a tenth of what is heard.
    private let limitsSilence: Bool
    /// Frames of silence in the place of what was missing.
    private var silence: Int64 = 0
    /// Frames of PCM that have gone into packets.
    private var packedFrames: Int64 = 0

    /// Bytes of the file so far.
    var byteCount: Int64 { muxer.byteCount }

    /// Makes the file, under a name of its own yet.
    ///
    /// - Parameters:
    ///   - destination: The destination.
    ///   - type: The file type.
    ///   - settings: The encoding settings.
    ///   - start: The source's time of the first frame; what comes before is left out.
    ///   - metadata: The metadata of the file.
    ///   - limitsSilence: `true` if gaps are filled up to ten minutes, or a tenth of what is heard, in all: a small
    ///     file with damaged times would fill the disk.
    ///   - sizeLimit: The most bytes that it may have; as many as its kind holds if `nil`.
    /// - Throws: `destinationExists`, `pipelineRefused`, `codecUnsupported`, `writeFailed`.
    init(
        _ destination: Destination,
        type: FileType,
        settings: EncoderSettings,
        start: MediaTime = .zero,
        metadata: CarriedMetadata = .nothing,
        limitsSilence: Bool = false,
        sizeLimit: Int64? = nil
    ) throws(EarshotError) {
        (self.destination, self.type, self.settings) = (destination, type, settings)
        self.limitsSilence = limitsSilence
        (self.start, self.metadata) = (start, metadata.cut(from: start, for: type))
        (staged, muxer) = try destination.open(type, sizeLimit: sizeLimit)
        guard let packet = av_packet_alloc() else {
            throw EarshotError(
                .internalError,
                "\(destination.name) cannot be written for want of memory: end other programs."
            )
        }
        self.packet = packet
        if case .pcm(let layout) = settings.encoding {
            let layout = layout ?? .int16
            try addPCM(layout)
        } else {
            encoder = try PacketEncoder(settings, into: muxer)
        }
        let addsTagsLater = staged != nil && metadata.addsTagsLater(to: type)
        self.metadata.apply(to: muxer.context, type: type, withTags: !addsTagsLater)
        try muxer.writeHeader()
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
    }

    private func addPCM(_ layout: PCMLayout) throws(EarshotError) {
        guard layout.fits(type) else {
            throw EarshotError(
                .pipelineRefused,
                "\(destination.name) cannot be written because \(type.rawValue) does not hold samples of \(layout): "
                    + "choose another layout, or raw."
            )
        }
        packer = PCMPacker(
            layout,
            isUnsigned: type == .wav,
            significantBits: settings.significantBits,
            dithers: settings.dithers
        )
        if !layout.isInterleaved {
            planes = try PlanarFIFO(channelCount: settings.channelCount, sampleBytes: layout.bytesPerSample)
        }
        let stream = try muxer.addStream()
        guard let parameters = stream.pointee.codecpar else { return }
        parameters.pointee.codec_type = AVMEDIA_TYPE_AUDIO
        parameters.pointee.codec_id = layout.codec(in: type)
        parameters.pointee.sample_rate = Int32(clamping: settings.sampleRate)
        parameters.pointee.bits_per_coded_sample = Int32(layout.bits)
        parameters.pointee.block_align = Int32(layout.bytesPerSample * settings.channelCount)
        parameters.pointee.bit_rate = Int64(layout.bits * settings.channelCount) * Int64(settings.sampleRate)
        earshot_layout_from_mask(&parameters.pointee.ch_layout, settings.channelMask, Int32(settings.channelCount))
        stream.pointee.time_base = AVRational(num: 1, den: Int32(clamping: settings.sampleRate))
    }

    /// Writes a block. A gap before it becomes silence, and what lies before the end of the last one is left out.
    ///
    /// - Throws: `audioFormatInvalid` for another rate or number of channels than the file has, `containerLimit`,
    ///   `writeFailed`.
    func append(_ block: DecodedBlock) throws(EarshotError) {
        guard block.sampleRate == settings.sampleRate, block.channelCount == settings.channelCount else {
            throw EarshotError(
                .audioFormatInvalid,
                "\(destination.name) takes \(settings.channelCount) channels at \(settings.sampleRate) Hz and was given "
                    + "\(block.channelCount) at \(block.sampleRate) Hz: convert them before."
            )
        }
        let place = (block.time - start).converted(toTimescale: Int32(clamping: settings.sampleRate))
        guard place.isNumeric else { return try write(block.samples) }
        var missing = place.value - frameCount
        if missing > 0 { try allow(silence: missing, before: block.time) }
        while missing > 0 {
            let count = min(missing, 16_384)
            try write(.int16([Int16](repeating: 0, count: Int(count) * settings.channelCount)))
            missing -= count
        }
        guard missing < 0 else { return try write(block.samples) }
        guard -missing < Int64(block.frameCount) else { return }
        try write(block.samples.dropping(Int(-missing) * settings.channelCount))
    }

    /// Counts silence for what is missing.
    ///
    /// - Throws: `readFailed` for more of it than may be.
    private func allow(silence missing: Int64, before time: MediaTime) throws(EarshotError) {
        let heard = frameCount - silence
        silence += missing
        guard limitsSilence, silence > max(600 * Int64(settings.sampleRate), heard / 10) else { return }
        throw EarshotError(
            .readFailed,
            "Writing \(destination.name) ended early, at \(time.label): what is read has gaps of "
                + "\(MediaTime(frames: silence, sampleRate: settings.sampleRate).label) in all, so that its times cannot be right; convert "
                + "the parts that are good with a range.",
            position: time
        )
    }

    private func write(_ samples: SampleBuffer) throws(EarshotError) {
        defer { frameCount += Int64(samples.count / settings.channelCount) }
        if let encoder { return try encoder.encode(samples, into: muxer) }
        guard var packer else { return }
        let bytes = packer.bytes(samples)
        self.packer = packer
        if let planes { return try planes.append(bytes) }
        try write(bytes)
    }

    private func write(_ bytes: [UInt8]) throws(EarshotError) {
        guard !bytes.isEmpty else { return }
        guard av_new_packet(packet, Int32(clamping: bytes.count)) == 0, let data = packet.pointee.data else {
            throw EarshotError(
                .internalError,
                "\(destination.name) cannot be written for want of memory: end other programs."
            )
        }
        defer { av_packet_unref(packet) }
        UnsafeMutableRawBufferPointer(start: data, count: bytes.count).copyBytes(from: bytes)
        packet.pointee.flags |= AV_PKT_FLAG_KEY
        let frames = Int64(bytes.count / max(1, settings.bytesPerFrame))
        if let stream = muxer.stream {
            let base = AVRational(num: 1, den: Int32(clamping: settings.sampleRate))
            packet.pointee.pts = av_rescale_q(packedFrames, base, stream.pointee.time_base)
            packet.pointee.dts = packet.pointee.pts
            packet.pointee.duration = av_rescale_q(frames, base, stream.pointee.time_base)
        }
        packedFrames += frames
        try muxer.write(packet)
    }

    /// Ends the file and gives it its name.
    ///
    /// - Throws: `destinationExists` when somebody else has made one of that name meanwhile, `writeFailed`.
    func finish() throws(EarshotError) -> WrittenFile {
        try encoder?.finish(into: muxer)
        if let planes {
            try planes.forEachPiece { (piece) throws(EarshotError) in try write(piece) }
        }
        try muxer.finish()
        return try Self.name(
            staged,
            destination: destination,
            type: type,
            metadata: metadata,
            frames: frameCount,
            duration: MediaTime(frames: frameCount, sampleRate: settings.sampleRate),
            byteCount: muxer.byteCount,
            dropped: &droppedTags
        )
    }

    /// Gives a whole file its tags and its name.
    static func name(
        _ staged: StagedFile?,
        destination: Destination,
        type: FileType,
        metadata: CarriedMetadata,
        frames: Int64,
        duration: MediaTime,
        byteCount: Int64,
        dropped: inout [String]
    ) throws(EarshotError) -> WrittenFile {
        guard let staged, case .file(let url, let replacing) = destination else {
            return WrittenFile(url: nil, type: type, byteCount: byteCount, frameCount: frames, duration: duration)
        }
        if metadata.addsTagsLater(to: type) { dropped = try metadata.write(to: staged.file, name: url.path) }
        var old = stat()
        if replacing, stat(url.path, &old) == 0 { fchmod(staged.file.descriptor, old.st_mode & 0o7777) }
        try staged.file.synchronize()
        let size = try staged.file.size()
        if replacing {
            try staged.replace(url.resolvingSymlinksInPath().path)
        } else {
            try staged.take(url.path)
        }
        return WrittenFile(
            url: url,
            type: type,
            byteCount: Int64(size),
            frameCount: frames,
            duration: duration,
            droppedTags: dropped
        )
    }
}
