import Dispatch
public import EarshotCore
public import Foundation
import Synchronization

/// Exports an asset, or a part of it, to a file in another encoding or container.
///
/// ```swift
/// let session = ExportSession(url, preset: .flac, to: destination)
/// for loss in try await session.plan().losses { print(loss) }
/// let file = try await session.export()
/// ```
///
/// The file appears under its name when it is complete. An error, a canceled task or a crash leaves an existing file
/// unchanged. Memory is bounded for assets of any duration.
///
/// A session exports once. Its ``status`` and ``progress`` can be read from any thread, and its closures are called on
/// any thread unless a queue is given.
public final class ExportSession: Sendable {
    /// The address of the asset.
    public let url: URL
    /// The settings of the export.
    public let settings: ExportSettings
    /// The address of the file to write.
    public let destination: URL

    private let stated: FileType?
    private let target: AudioStreamWriter.Destination
    private let tags: TagTransfer?
    private let limit: ExportLimit?
    private let cancellation = Cancellation()
    private let queue = DispatchQueue(label: "earshot.media.export", qos: .utility)
    private let state = Mutex(ExportState())
    private let meter = Mutex<ExportMeter?>(nil)
    private let observers = Mutex<[@Sendable (ExportProgress) -> Void]>([])
    /// The closures that end the streams of progress.
    private let endings = Mutex<[@Sendable () -> Void]>([])

    /// Creates a session with individual settings.
    ///
    /// - Parameters:
    ///   - url: A file, or an address that FFmpeg can open.
    ///   - settings: The settings of the export.
    ///   - destination: The address of the file to write.
    ///   - type: The file type; `nil` for that of the destination's extension.
    ///   - replacing: `true` to replace an existing file.
    ///   - tags: The library that copies all tags and pictures: `.tagLib` of `EarshotTags`. `nil` to let FFmpeg write
    ///     the text properties that the file type supports; the plan then names the lost pictures and items.
    ///   - limit: The limit of concurrent exports, shared with other sessions; `nil` for no limit.
    public init(
        _ url: URL,
        settings: ExportSettings = .init(),
        to destination: URL,
        as type: FileType? = nil,
        replacing: Bool = false,
        tags: TagTransfer? = nil,
        limit: ExportLimit? = nil
    ) {
        self.url = url
        self.settings = settings
        self.destination = destination
        self.limit = limit
        self.tags = tags
        stated = type
        target = .file(destination, replacing: replacing)
    }

    /// Creates a session with the settings of a preset.
    ///
    /// - Parameters:
    ///   - url: A file, or an address that FFmpeg can open.
    ///   - preset: The preset of the export.
    ///   - destination: The address of the file to write.
    ///   - type: The file type; `nil` for that of the destination's extension.
    ///   - replacing: `true` to replace an existing file.
    ///   - tags: The library that copies the tags, as in ``init(_:settings:to:as:replacing:tags:limit:)``.
    public convenience init(
        _ url: URL,
        preset: ExportPreset,
        to destination: URL,
        as type: FileType? = nil,
        replacing: Bool = false,
        tags: TagTransfer? = nil
    ) {
        self.init(url, settings: ExportSettings(preset), to: destination, as: type, replacing: replacing, tags: tags)
    }

    /// Creates a session that writes to a file descriptor without seeking, such as standard output.
    package init(
        _ url: URL,
        settings: ExportSettings,
        toDescriptor descriptor: Int32,
        as type: FileType,
        tags: TagTransfer?
    ) {
        self.url = url
        self.settings = settings
        destination = URL(fileURLWithPath: "/dev/fd/\(descriptor)")
        limit = nil
        self.tags = tags
        stated = type
        target = .descriptor(descriptor)
    }

    // MARK: - What it will do

    /// Returns the presets that an asset can be exported with; none if it has no audio.
    ///
    /// - Throws: The errors of opening the asset.
    public static func compatiblePresets(for url: URL) async throws(EarshotError) -> [ExportPreset] {
        let asset = try await Asset.load(url)
        guard !asset.streams.isEmpty else { return [] }
        return ExportPreset.allCases
    }

    /// Returns the file types that some encoding can write with all channels of an asset at its own sample rate.
    ///
    /// - Throws: The errors of opening the asset.
    public static func fileTypes(for url: URL) async throws(EarshotError) -> [FileType] {
        try await BlockingWork.run { () throws(EarshotError) in try ExportPipeline.fileTypes(for: url, Cancellation()) }
    }

    /// Returns the file types that can contain the encoded packets of an asset unchanged.
    ///
    /// - Throws: The errors of opening the asset.
    public static func passthroughTypes(for url: URL) async throws(EarshotError) -> [FileType] {
        let asset = try await Asset.load(url)
        let codec = asset.streams.first?.codec ?? ""
        return FileType.allCases.filter { type in
            type.encodings.contains { $0.rawValue == codec || $0 == .pcm && codec.hasPrefix("pcm_") }
        }
    }

    /// Returns the properties of the result, and those of the source that it does not keep. Nothing is written.
    ///
    /// - Throws: `fileTypeUnsupported`, `pipelineRefused`, `audioFormatInvalid`, and the errors of opening the asset.
    public func plan() async throws(EarshotError) -> ExportPlan {
        let (url, settings, stated, tags, destination) = (url, settings, stated, tags, destination)
        return try await BlockingWork.run { () throws(EarshotError) in
            let type = try FileType.choose(for: destination, stated: stated)
            return try ExportPipeline.plan(
                url,
                settings,
                type: type,
                tags: tags,
                name: destination.path,
                Cancellation()
            ).plan
        }
    }

    // MARK: - Doing it

    /// The status of the export.
    public var status: ExportStatus { state.withLock { $0.status } }
    /// The error in the status ``ExportStatus/failed``; `nil` otherwise.
    public var error: EarshotError? { state.withLock { $0.error } }
    /// The outcome, with texts for users; `nil` before the end.
    public var outcome: ExportOutcome? {
        state.withLock { ExportOutcome($0.status, error: $0.error, destination: destination) }
    }
    /// The progress of the export.
    public var progress: ExportProgress { meter.withLock { $0?.progress } ?? ExportProgress() }

    /// Calls a closure with the progress, at most ten times a second and once at the end.
    ///
    /// - Parameters:
    ///   - queue: The queue on which it is called; any thread if `nil`.
    ///   - observe: Called with the progress.
    public func onProgress(on queue: DispatchQueue? = nil, _ observe: @escaping @Sendable (ExportProgress) -> Void) {
        observers.withLock { observers in
            observers.append { progress in
                guard let queue else { return observe(progress) }
                queue.async { observe(progress) }
            }
        }
    }

    /// The progress, at most ten times a second and once at the end. Each access returns a stream of its own, which
    /// ends with the export.
    public var progressReports: AsyncStream<ExportProgress> {
        let (stream, continuation) = AsyncStream.makeStream(of: ExportProgress.self)
        let isOver = state.withLock { $0.status.isFinal }
        if isOver {
            continuation.finish()
        } else {
            onProgress { continuation.yield($0) }
            endings.withLock { $0.append { continuation.finish() } }
        }
        return stream
    }

    /// Runs the export, and returns the written file.
    ///
    /// - Throws: `destinationExists`, `fileTypeUnsupported`, `pipelineRefused`, `containerLimit`, `writeFailed`,
    ///   `cancelled`, the errors of reading, and `internalError` for a second call. No partial file is left.
    @discardableResult
    public func export() async throws(EarshotError) -> WrittenFile {
        guard state.withLock({ $0.apply(.requested) }) else {
            if status == .cancelled { throw Self.cancelled(destination) }
            throw EarshotError(.internalError, "An export session is used once: make another for \(destination.path).")
        }
        do throws(EarshotError) {
            // Before anything is waited for or read.
            let type = try FileType.choose(for: destination, stated: stated)
            try target.check()
            let file = try await run(type)
            finish(.completed)
            return file
        } catch {
            finish(error.code == .cancelled ? .cancelled : .failed(error))
            throw error
        }
    }

    /// Starts the export, and returns at once.
    ///
    /// - Parameter completion: Called once when the status is final, on any thread. Read ``outcome`` or ``error`` in
    ///   it.
    public func start(_ completion: @escaping @Sendable () -> Void = {}) {
        Task {
            _ = try? await export()
            completion()
        }
    }

    /// Cancels the export, from any thread, in every status that is not final. No partial file is left, and a file that
    /// was to be replaced is unchanged.
    public func cancel() {
        cancellation.cancel()
        limit?.withdraw(ObjectIdentifier(self))
        // Before it was asked for, nobody else will say so.
        state.withLock { state in
            if state.status == .unknown { _ = state.apply(.cancelled) }
        }
    }

    private func run(_ type: FileType) async throws(EarshotError) -> WrittenFile {
        if let limit {
            let hasPlace = await withTaskCancellationHandler {
                await limit.enter(ObjectIdentifier(self), cancellation)
            } onCancel: {
                cancel()
            }
            guard hasPlace else { throw Self.cancelled(destination) }
        }
        defer { limit?.leave() }
        guard !cancellation.isCancelled, state.withLock({ $0.apply(.begun) }) else { throw Self.cancelled(destination) }
        let (url, settings, target, tags) = (url, settings, target, tags)
        let result = await BlockingWork.run(on: queue, cancelling: cancellation) { [self] () throws(EarshotError) in
            try ExportPipeline.run(
                url,
                settings,
                to: target,
                type: type,
                tags: tags,
                cancellation,
                began: { start, expected, now in
                    meter.withLock { $0 = ExportMeter(start: start, expected: expected, now: now) }
                },
                converted: { frames, bytes, position, now in
                    let report = meter.withLock { $0?.converted(frames: frames, bytes: bytes, to: position, now: now) }
                    if let report { tell(report) }
                }
            )
        }
        return try result.get()
    }

    private func finish(_ event: ExportState.Event) {
        if case .completed = event {
            let report = meter.withLock { $0?.finished(now: ExportPipeline.now) }
            if let report { tell(report) }
        }
        _ = state.withLock { $0.apply(event) }
        let endings = endings.withLock { endings in
            defer { endings = [] }
            return endings
        }
        for end in endings { end() }
    }

    private func tell(_ progress: ExportProgress) {
        for observe in observers.withLock({ $0 }) { observe(progress) }
    }

    private static func cancelled(_ destination: URL) -> EarshotError {
        EarshotError(.cancelled, "Writing \(destination.path) was canceled.")
    }
}
