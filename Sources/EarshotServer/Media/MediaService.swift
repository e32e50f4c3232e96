import EarshotAnalysis
import EarshotCore
import EarshotLibrary
import EarshotMedia
import EarshotRecognition
import Foundation
import Logging

/// What a service does with the media folders that it was given.
final class MediaService: Sendable {
    let roots: MediaRoots
    /// Makes files of assets; nothing where there is no folder for them.
    let exports: ExportQueue?
    /// The disk of the folder of exports; `nil` if there is none.
    let exportDisk: DiskReserve?
    let analyses: AnalysisQueue
    let index: any MediaIndex
    let waveforms = WaveformCache()
    /// Answers that go on behind their handlers.
    let places: StreamSlots
    /// Opening, decoding and looking for files, which block.
    let queue: WorkQueue

    /// - Throws: `configurationInvalid` for folders that cannot be used.
    init?(
        _ settings: ServiceSettings,
        accounts: any AccountStore,
        analyses: any AnalysisStore,
        analyzers: [any AudioAnalyzer],
        folders: any FolderStore,
        index: (any MediaIndex)?,
        logger: Logger,
        now: @escaping @Sendable () -> Date
    ) throws(EarshotError) {
        guard !settings.mediaRoots.isEmpty else {
            guard settings.exportFolder == nil else {
                throw EarshotError(
                    .configurationInvalid,
                    "There is a folder for exports and none to export from: name a media folder too."
                )
            }
            return nil
        }
        let roots = try MediaRoots(settings.mediaRoots)
        self.roots = roots
        exportDisk = settings.exportFolder.map { DiskReserve(folder: $0, reserve: settings.reservedSpace) }
        exports = settings.exportFolder.map { folder in
            ExportQueue(
                folder: folder,
                store: accounts,
                width: settings.exportWorkers,
                kept: settings.exportsKept,
                mode: settings.exportMode,
                now: now,
                logger: logger
            )
        }
        self.analyses = AnalysisQueue(
            analyzers,
            store: analyses,
            roots: roots,
            width: settings.analysisWorkers,
            now: now,
            logger: logger
        )
        self.index = index ?? FolderIndex(roots, store: folders, logger: logger)
        places = StreamSlots(limit: 256, clientLimit: settings.requestsPerClient)
        queue = WorkQueue(width: settings.workers, limit: settings.queueLimit)
    }

    /// Begins.
    ///
    /// - Throws: `configurationInvalid` for a folder of exports that may not be written, and what stores throw.
    func start() async throws(EarshotError) { try await exports?.start() }

    /// Ends what is under way.
    func stop() async {
        await exports?.stop()
        await analyses.stop()
    }

    /// The place of an asset.
    ///
    /// - Throws: As ``MediaRoots/place(_:_:)`` does, and `serviceBusy`.
    func place(_ id: String, _ kind: MediaRoots.Kind = .file) async throws(EarshotError) -> MediaRoots.Place {
        let roots = roots
        return try await queue.run { () throws(EarshotError) in try roots.place(id, kind) }
    }

    /// Does something with a file that blocks, in its turn. A cancelled task ends it.
    ///
    /// - Throws: What the work throws, in words that do not tell where on the machine the file is.
    func work<Value: Sendable>(
        on place: MediaRoots.Place,
        _ body: @escaping @Sendable (URL, Cancellation) throws(EarshotError) -> Value
    ) async throws(EarshotError) -> Value {
        let cancellation = Cancellation()
        let queue = queue
        let result = await withTaskCancellationHandler {
            await Self.result { () async throws(EarshotError) in
                try await queue.run { () throws(EarshotError) in try body(place.url, cancellation) }
            }
        } onCancel: {
            cancellation.cancel()
        }
        switch result {
        case .success(let value): return value
        case .failure(let error): throw place.told(error)
        }
    }

    private static func result<Value: Sendable>(
        _ body: () async throws(EarshotError) -> Value
    ) async -> Result<Value, EarshotError> {
        do throws(EarshotError) {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }

    /// The waveform of a file.
    ///
    /// - Parameters:
    ///   - place: The file.
    ///   - frames: Frames of a run; more where the file is very long.
    /// - Throws: What decoding throws.
    func waveform(of place: MediaRoots.Place, frames: Int) async throws(EarshotError) -> Waveform {
        let key = WaveformCache.Key(path: place.url.path, stamp: place.stamp, frames: frames)
        return try await waveforms.waveform(key) { [self] () async throws(EarshotError) in
            try await work(on: place) { (url, cancellation) throws(EarshotError) in
                let decoder = try AudioDecoder(url, cancellation: cancellation)
                var maker = WaveformMaker(
                    sampleRate: decoder.format.sampleRate,
                    channelCount: decoder.format.channelCount,
                    framesPerBucket: frames
                )
                while let block = try decoder.next() { maker.append(block.buffer) }
                return maker.waveform
            }
        }
    }
}
