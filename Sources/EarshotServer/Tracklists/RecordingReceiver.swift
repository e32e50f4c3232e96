import EarshotCore
import Foundation
import Hummingbird
import NIOCore

/// Writes the long recording of a request into a file.
struct RecordingReceiver: Sendable {
    /// The number of bytes after which the free disk space is checked again.
    private static let checkInterval = 16 << 20

    let files: TracklistFiles
    let disk: DiskReserve

    /// An open file. Safe to send: the thread that opens it hands it over, and only the task that receives it uses it.
    private struct Opened: @unchecked Sendable {
        let name: String
        let handle: FileHandle
    }

    /// Receives a recording.
    ///
    /// - Returns: The name of the recording. ``TracklistFiles/settle(_:)`` must be called once a job contains it.
    /// - Throws: `uploadTooLarge`, `timedOut`, `requestInvalid` for an empty body, `serviceBusy` if waiting recordings take too much room,
    ///   `tooManyRequests`, `writeFailed`.
    func take(_ context: RequestContext, of owner: String) async throws -> String {
        let settings = context.settings
        let limit = settings.tracklistLimit
        let length = context.request.headers[.contentLength].flatMap { Int($0) }
        if let length, length > limit { throw UploadFile.tooLarge(limit) }
        let total = settings.tracklistTotalLimit
        let opened = try await BlockingWork.run { () throws(EarshotError) in
            try check(for: length ?? 1, within: total)
            let (name, handle) = try files.begin(owner)
            return Opened(name: name, handle: handle)
        }
        do {
            try await write(context.request.body, opened, limit, total, settings.uploadTime)
            return opened.name
        } catch {
            files.removeRecording(opened.name)
            files.settle(opened.name)
            throw error
        }
    }

    /// Throws if there is no room for a recording. Blocks.
    private func check(for bytes: Int, within total: Int) throws(EarshotError) {
        try disk.check(for: bytes)
        guard files.recordingBytes() <= total - bytes else {
            throw EarshotError(
                .serviceBusy,
                "The service has no room for more recordings, as others wait for their tracklists: try again later."
            )
        }
    }

    private func write(
        _ body: RequestBody,
        _ opened: Opened,
        _ limit: Int,
        _ total: Int,
        _ time: Duration
    ) async throws {
        try await withTimeLimit(time + .seconds(limit / PaceMeter.leastPace), "The upload") {
            defer { try? opened.handle.close() }
            var pace = PaceMeter(at: MediaClock.system.now.seconds, advice: "send it again on a better connection")
            var (size, unchecked) = (0, 0)
            for try await block in body {
                let count = block.readableBytes
                try pace.take(count, at: MediaClock.system.now.seconds)
                size += count
                guard size <= limit else { throw UploadFile.tooLarge(limit) }
                // Other writers may have filled the disk since the upload began.
                unchecked += count
                let isDue = unchecked >= Self.checkInterval
                if isDue { unchecked = 0 }
                try await BlockingWork.run { () throws(EarshotError) in
                    if isDue { try check(for: 1, within: total) }
                    do {
                        try opened.handle.write(contentsOf: Data(block.readableBytesView))
                    } catch {
                        throw EarshotError(
                            .writeFailed,
                            "The service could not store the upload: there may be no room left on its disk.",
                            cause: error
                        )
                    }
                }
            }
            guard size > 0 else {
                throw EarshotError(.requestInvalid, "The request has no body: send audio or a signature.")
            }
            // Checked at the end too: without `Content-Length`, only 1 byte was checked before.
            try await BlockingWork.run { () throws(EarshotError) in try check(for: 0, within: total) }
        }
    }
}
