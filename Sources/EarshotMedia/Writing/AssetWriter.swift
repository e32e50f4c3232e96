import CFFmpeg
import Dispatch
public import EarshotCore
public import Foundation
import Synchronization

/// Writes decoded, captured or generated audio to a file, block by block.
///
/// ```swift
/// let writer = try AssetWriter(to: url)
/// let input = try writer.addInput(AudioFormat(sampleRate: 44_100, channelCount: 2))
/// try await writer.start()
/// for try await block in reader { try await input.append(block) }
/// input.finish()
/// let file = try await writer.finish()
/// ```
///
/// Encoded packets go to ``addPacketInput(_:)``, and are written unchanged.
///
/// The file appears under its name when ``finish()`` returns. Until then an existing file is unchanged, whatever
/// happens.
public final class AssetWriter: Sendable {
    /// The state of a writer.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// The writer was not started.
        case unknown
        /// The writer accepts audio.
        case writing
        /// The file is complete.
        case completed
        /// Writing failed; ``AssetWriter/error`` has the reason.
        case failed
        /// Writing was canceled.
        case cancelled
    }

    struct Core: Sendable {
        var state = State.unknown
        var error: EarshotError?
        var input: (intake: WriterInputQueue, format: WritingWorker.Format)?
    }

    /// The address of the file.
    public let url: URL
    /// The type of the file that is written.
    public let type: FileType
    private let replacing: Bool
    let core = Mutex(Core())
    let worker: WritingWorker

    /// Creates a writer. No file is created before ``start(at:)``.
    ///
    /// - Parameters:
    ///   - url: The address of the file.
    ///   - type: The file type; `nil` for that of the extension.
    ///   - replacing: `true` to replace an existing file.
    /// - Throws: `destinationExists`, `fileTypeUnsupported`.
    public init(to url: URL, as type: FileType? = nil, replacing: Bool = false) throws(EarshotError) {
        self.url = url
        self.type = try FileType.choose(for: url, stated: type)
        self.replacing = replacing
        let destination = AudioStreamWriter.Destination.file(url, replacing: replacing)
        try destination.check()
        worker = WritingWorker(destination, type: self.type)
    }

    /// The state of the writer.
    public var state: State { core.withLock { $0.state } }
    /// The error in the state ``State/failed``; `nil` in other states.
    public var error: EarshotError? { core.withLock { $0.error } }

    /// Returns `true` if an input with an encoding can be added: the writer has no input yet and was not started, and
    /// the file type supports the encoding.
    public func canAdd(_ encoding: AudioEncoding) -> Bool {
        core.withLock { $0.state == .unknown && $0.input == nil } && type.encodings.contains(encoding.kind)
    }

    /// Adds the only input.
    ///
    /// - Parameters:
    ///   - format: The format of the blocks.
    ///   - encoding: The encoding; `nil` for the default of the file type.
    ///   - isRealTime: `true` if blocks arrive in real time, as from a microphone, so that the caller must not be
    ///     blocked: up to ten seconds of audio are buffered.
    ///   - dithers: `true` to dither when the number of bits per sample is reduced.
    /// - Throws: `pipelineRefused` if ``canAdd(_:)`` returns `false`, or for ``AudioEncoding/passthrough``;
    ///   `audioFormatInvalid` for an unsupported number of bits or bit rate.
    public func addInput(
        _ format: AudioFormat,
        encoding: AudioEncoding? = nil,
        isRealTime: Bool = false,
        dithers: Bool = true
    ) throws(EarshotError) -> Input {
        let encoding = encoding ?? type.usualEncoding.usual
        guard canAdd(encoding), encoding.kind != .passthrough else {
            throw EarshotError(
                .pipelineRefused,
                "\(url.path) takes one input of \(type.encodings.map(\.rawValue).joined(separator: " or ")), before it is started: "
                    + "choose another encoding or type."
            )
        }
        try encoding.check()
        let bits = format.sampleType == .int16 ? 16 : 32
        var settings = EncoderSettings(
            encoding: encoding,
            sampleRate: format.sampleRate,
            channelCount: format.channelCount,
            significantBits: bits,
            dithers: dithers
        )
        switch encoding {
        case .pcm(nil):
            let layout: PCMLayout = bits == 16 ? .int16 : .float32
            settings.encoding = .pcm(layout.ordered(bigEndian: type == .aiff))
        case .flac(nil): settings.encoding = .flac(bits: bits == 16 ? 16 : 24)
        case .alac(nil): settings.encoding = .alac(bits: bits == 16 ? 16 : 24)
        default: break
        }
        let intake = WriterInputQueue(room: isRealTime ? 10 * format.sampleRate : 65_536, writer: self)
        core.withLock { $0.input = (intake, .sound(settings)) }
        return Input(format, intake, name: url.path)
    }

    /// Adds an input for encoded packets, as the only input. The file contains the same packets.
    ///
    /// - Parameter format: The encoding of the packets, from ``PacketReader/format``.
    /// - Throws: `pipelineRefused` if there is an input already, the writer was started, or the file type does not
    ///   support the encoding.
    public func addPacketInput(_ format: EncodedFormat) throws(EarshotError) -> PacketInput {
        guard core.withLock({ $0.state == .unknown && $0.input == nil }) else {
            throw EarshotError(
                .pipelineRefused,
                "\(url.path) takes one input, before the writer is started: add it first, and only once."
            )
        }
        guard format.fits(type, av_guess_format(type.muxerName, nil, nil)) else {
            throw EarshotError(
                .pipelineRefused,
                "\(url.path) does not hold packets of \(format.codec): choose another type, or an encoding."
            )
        }
        // A megabyte or two: the packets of a few seconds, however they are encoded.
        let intake = WriterInputQueue(room: 1 << 20, writer: self)
        core.withLock { $0.input = (intake, .packets(format)) }
        return PacketInput(format, intake)
    }

    /// Creates the file under a temporary name, and accepts audio from then on.
    ///
    /// - Parameter time: The time, on the timeline of the blocks, of the first frame of the file. Earlier audio is left
    ///   out; missing audio is silence.
    /// - Throws: `pipelineRefused` without an input, or if the encoding does not support the sample rate or channels;
    ///   `codecUnsupported`, `writeFailed`.
    public func start(at time: MediaTime = .zero) async throws(EarshotError) {
        let input = core.withLock { core -> (intake: WriterInputQueue, format: WritingWorker.Format)? in
            guard core.state == .unknown, let input = core.input else { return nil }
            core.state = .writing
            return input
        }
        guard let input else {
            throw EarshotError(
                .pipelineRefused,
                "The writer of \(url.path) cannot be started: add an input first, and start it once."
            )
        }
        do throws(EarshotError) {
            try await worker.open(input.format, start: time)
            input.intake.open()
        } catch {
            throw end(error)
        }
    }

    /// Waits until all audio is written, and renames the file to its name.
    ///
    /// - Throws: The error of the writer; `pipelineRefused` before the start; `destinationExists` if another program
    ///   has created the file meanwhile; `cancelled`.
    @discardableResult
    public func finish() async throws(EarshotError) -> WrittenFile {
        let intake = core.withLock { $0.state == .writing ? $0.input?.intake : nil }
        guard let intake else {
            throw error
                ?? EarshotError(
                    state == .cancelled ? .cancelled : .pipelineRefused,
                    state == .cancelled
                        ? "Writing \(url.path) was canceled."
                        : "\(url.path) cannot be finished: start it first, and finish once."
                )
        }
        intake.finish()
        do throws(EarshotError) {
            let file = try await worker.finish()
            core.withLock { $0.state = .completed }
            return file
        } catch {
            throw end(error)
        }
    }

    /// Cancels writing, from any thread. No partial file is left, and a file that was to be replaced is unchanged.
    public func cancel() {
        let intake = core.withLock { core -> WriterInputQueue? in
            guard core.state == .unknown || core.state == .writing else { return nil }
            core.state = .cancelled
            return core.input?.intake
        }
        worker.cancel()
        intake?.end()
    }

    /// Records an error, and returns the one to report.
    @discardableResult
    func end(_ error: EarshotError) -> EarshotError {
        let (told, intake) = core.withLock { core -> (EarshotError, WriterInputQueue?) in
            if core.state == .writing || core.state == .unknown {
                core.state = error.code == .cancelled ? .cancelled : .failed
                if error.code != .cancelled { core.error = error }
            }
            return (core.error ?? error, core.input?.intake)
        }
        worker.cancel()
        intake?.end()
        return told
    }
}
