import EarshotAnalysis
import EarshotCore
import EarshotLibrary
import EarshotMedia
import EarshotRecognition
import Foundation
import Logging

/// The media folders of a service and the work on them.
final class MediaService: Sendable {
    let roots: MediaRoots
    /// The queue of exports; `nil` if there is no export folder.
    let exports: ExportQueue?
    /// The disk of the folder of exports; `nil` if there is none.
    let exportDisk: DiskReserve?
    let analyses: AnalysisQueue
    let index: any MediaIndex
    let waveforms = WaveformCache()
    /// Limits streamed responses, which are sent after their handlers have returned.
    let places: StreamSlots
    /// The queue in which files are opened, decoded and searched.
    let queue: WorkQueue
    let decoder: any FileDecoder
    /// The folder for temporary files with samples.
    private let spool: URL

    /// Creates the service; `nil` without media folders.
    ///
    /// - Throws: `configurationInvalid` for folders that cannot be used, or a folder for exports without a media folder.
    init?(
        _ settings: ServiceSettings,
        accounts: any AccountStore,
        analyses: any AnalysisStore,
        analyzers: [any AudioAnalyzer],
        decoder: any FileDecoder,
        spool: URL,
        folders: any FolderStore,
        index: (any MediaIndex)?,
        logger: Logger,
        now: @escaping @Sendable () -> Date
    ) throws(EarshotError) {
        guard !settings.mediaRoots.isEmpty else {
            guard settings.exportFolder == nil else {
                throw EarshotError(
                    .configurationInvalid,
                    "There is a folder for exports and no media folder: name one with --media-root NAME=DIR too."
                )
            }
            return nil
        }
        let roots = try MediaRoots(settings.mediaRoots)
        self.roots = roots
        let exportDisk = settings.exportFolder.map { DiskReserve(folder: $0, reserve: settings.reservedSpace) }
        self.exportDisk = exportDisk
        exports = settings.exportFolder.map { folder in
            ExportQueue(
                folder: folder,
                store: accounts,
                decoder: decoder,
                disk: exportDisk,
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
            decoder: decoder,
            width: settings.analysisWorkers,
            now: now,
            logger: logger
        )
        self.index = index ?? FolderIndex(roots, store: folders, decoder: decoder, logger: logger)
        (self.decoder, self.spool) = (decoder, spool)
        places = StreamSlots(limit: 256, clientLimit: settings.requestsPerClient)
        queue = WorkQueue(width: settings.workers, limit: settings.queueLimit)
    }

    /// Starts the queue of exports.
    ///
    /// - Throws: `configurationInvalid` for a folder of exports that may not be written, and what stores throw.
    func start() async throws(EarshotError) { try await exports?.start() }

    /// Cancels active exports and analyses.
    func stop() async {
        await exports?.stop()
        await analyses.stop()
    }

    /// Returns the file or folder of an asset.
    ///
    /// - Throws: As ``MediaRoots/place(_:_:)`` does, and `serviceBusy`.
    func place(_ id: String, _ kind: MediaRoots.Kind = .file) async throws(EarshotError) -> MediaRoots.Place {
        let roots = roots
        return try await queue.run { () throws(EarshotError) in try roots.place(id, kind) }
    }

    /// Runs a task on a file when its turn in the queue comes, and returns the result. Canceling the task ends it.
    ///
    /// - Throws: Errors of the task. Their messages have the identifier in place of the path on this machine.
    func result(_ task: FileTask, of place: MediaRoots.Place) async throws(EarshotError) -> Data {
        let decoder = decoder
        do throws(EarshotError) {
            return try await queue.perform { () async throws(EarshotError) in
                try await decoder.run(task, on: place.url)
            }
        } catch {
            throw place.told(error)
        }
    }

    /// Runs a task on a file and decodes its JSON result.
    func value<Value: Decodable & Sendable>(
        _ type: Value.Type,
        _ task: FileTask,
        of place: MediaRoots.Place
    ) async throws(EarshotError) -> Value {
        let decoder = decoder
        do throws(EarshotError) {
            return try await queue.perform { () async throws(EarshotError) in
                try await decoder.value(type, task, of: place.url)
            }
        } catch {
            throw place.told(error)
        }
    }

    /// Returns samples of a file in an unlinked temporary file.
    ///
    /// - Throws: As ``result(_:of:)``, and `writeFailed`.
    func samples(_ request: SampleRequest, of place: MediaRoots.Place) async throws(EarshotError) -> RawFile {
        let path = spool.appendingPathComponent("upload-\(UUID().uuidString)").path
        let decoder = decoder
        do throws(EarshotError) {
            return try await queue.perform { () async throws(EarshotError) in
                let file = try RawFile(writing: path, as: "the samples", flags: O_CREAT | O_EXCL)
                unlink(path)
                try await decoder.run(.samples(request), on: place.url, into: file, limit: request.sizeLimit)
                return file
            }
        } catch {
            throw place.told(error)
        }
    }

    /// Returns the waveform of a file.
    ///
    /// - Parameters:
    ///   - place: The file.
    ///   - frames: The number of frames of a run. A very long file gets longer runs.
    /// - Throws: Errors of decoding.
    func waveform(of place: MediaRoots.Place, frames: Int) async throws(EarshotError) -> Waveform {
        let key = WaveformCache.Key(path: place.url.path, stamp: place.stamp, frames: frames)
        return try await waveforms.waveform(key) { [self] () async throws(EarshotError) in
            try WaveformFile.waveform(try await result(.waveform(framesPerBucket: frames), of: place))
        }
    }
}
