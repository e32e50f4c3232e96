import Dispatch
public import EarshotCore
public import Foundation
import Synchronization

/// Makes a file of an asset, or of a part of it, in another encoding or container.
///
/// ```swift
/// let session = ExportSession(url, preset: .flac, to: destination)
/// for loss in try await session.plan().losses { print(loss) }
/// let file = try await session.export()
/// ```
///
/// A file appears under its name when it is whole. Whatever happens before — an error, a cancelled task, a lost process —
/// leaves what was there as it was. Memory stays bounded, however long the asset is.
///
/// A session exports once. Its ``status`` and ``progress`` may be asked for from any thread, and closures given to it are called on
/// any thread, unless a queue is stated.
public final class ExportSession: Sendable {
    /// The asset's address.
    public let url: URL
    /// What is made of it.
    public let settings: ExportSettings
    /// Where the result goes.
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
    /// What ends the streams of progress.
    private let endings = Mutex<[@Sendable () -> Void]>([])

    /// An export with settings of its own.
    ///
    /// - Parameters:
    ///   - url: A file, or an address that FFmpeg can open.
    ///   - settings: What is made of it.
    ///   - destination: Where the result goes.
    ///   - type: What kind of file it is; by the destination's extension if `nil`.
    ///   - replacing: `true` if a file that is there already may be replaced.
    ///   - tags: The library that carries all tags and pictures over, `.tagLib` of `EarshotTags`; without it, FFmpeg writes the
    ///     properties that the kind of file takes, and the plan names the pictures and items that are lost.
    ///   - limit: How many exports may run side by side, for all that share it; as many as there are if `nil`.
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

    /// An export with the settings of a preset.
    ///
    /// - Parameters:
    ///   - url: A file, or an address that FFmpeg can open.
    ///   - preset: What is made of it.
    ///   - destination: Where the result goes.
    ///   - type: What kind of file it is; by the destination's extension if `nil`.
    ///   - replacing: `true` if a file that is there already may be replaced.
    ///   - tags: As in ``init(_:settings:to:as:replacing:tags:limit:)``.
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

    /// An export into a stream, such as standard output, at which nothing can be put right at the end.
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

    /// The presets that an asset can be exported with.
    ///
    /// - Throws: What opening it throws.
    public static func compatiblePresets(for url: URL) async throws(EarshotError) -> [ExportPreset] {
        let asset = try await Asset.load(url)
        guard !asset.streams.isEmpty else { return [] }
        return ExportPreset.allCases
    }

    /// The kinds of file that an asset can be exported to with all its channels at its own rate, in some encoding.
    ///
    /// - Throws: What opening it throws.
    public static func fileTypes(for url: URL) async throws(EarshotError) -> [FileType] {
        try await BlockingWork.run { () throws(EarshotError) in try ExportPipeline.fileTypes(for: url, Cancellation()) }
    }

    /// The kinds of file that an asset can be exported to with its packets as they are.
    ///
    /// - Throws: What opening it throws.
    public static func passthroughTypes(for url: URL) async throws(EarshotError) -> [FileType] {
        let asset = try await Asset.load(url)
        let codec = asset.streams.first?.codec ?? ""
        return FileType.allCases.filter { type in
            type.encodings.contains { $0.rawValue == codec || $0 == .pcm && codec.hasPrefix("pcm_") }
        }
    }

    /// What the export will do, and what of the source the result will lack. Nothing is written.
    ///
    /// - Throws: `fileTypeUnsupported`, `pipelineRefused`, `audioFormatInvalid`, and what opening the asset throws.
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

    /// How far it has come.
    public var status: ExportStatus { state.withLock { $0.status } }
    /// Why it failed: there in the status ``ExportStatus/failed``, and in no other.
    public var error: EarshotError? { state.withLock { $0.error } }
    /// How it ended, in words for people; `nil` before the end.
    public var outcome: ExportOutcome? {
        state.withLock { ExportOutcome($0.status, error: $0.error, destination: destination) }
    }
    /// How much is done.
    public var progress: ExportProgress { meter.withLock { $0?.progress } ?? ExportProgress() }

    /// Calls a closure with the progress, at most ten times a second and once at the end.
    ///
    /// - Parameters:
    ///   - queue: Where it is called; on any thread if `nil`.
    ///   - observe: Is told.
    public func onProgress(on queue: DispatchQueue? = nil, _ observe: @escaping @Sendable (ExportProgress) -> Void) {
        observers.withLock { observers in
            observers.append { progress in
                guard let queue else { return observe(progress) }
                queue.async { observe(progress) }
            }
        }
    }

    /// The progress, at most ten times a second and once at the end. The stream ends with the export.
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

    /// Exports.
    ///
    /// - Returns: The file.
    /// - Throws: `destinationExists`, `fileTypeUnsupported`, `pipelineRefused`, `containerLimit`, `writeFailed`, `cancelled`, and what
    ///   reading throws. Nothing is left behind then.
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

    /// Exports while the caller goes on.
    ///
    /// - Parameter completion: Called once, in a final status, on any thread.
    public func start(_ completion: @escaping @Sendable () -> Void = {}) {
        Task {
            _ = try? await export()
            completion()
        }
    }

    /// Ends it from any thread, in every status that is not final. Nothing is left behind, and a file that was to be replaced
    /// stays as it is.
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
        EarshotError(.cancelled, "Writing \(destination.path) was cancelled.")
    }
}
