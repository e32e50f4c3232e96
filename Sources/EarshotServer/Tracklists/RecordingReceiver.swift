import EarshotCore
import Foundation
import Hummingbird
import NIOCore

/// Takes a long recording from a request into a file.
struct RecordingReceiver: Sendable {
    /// The number of bytes after which the free disk space is checked again.
    private static let checkInterval = 16 << 20

    let files: TracklistFiles
    let disk: DiskReserve

    /// An open file goes from the thread that opened it to the task that writes it; nobody has it meanwhile.
    private struct Opened: @unchecked Sendable {
        let name: String
        let handle: FileHandle
    }

    /// Takes a recording.
    ///
    /// - Returns: The name of its file. ``TracklistFiles/settle(_:)`` is to be called once a job names it.
    /// - Throws: `uploadTooLarge`, `timedOut`, `requestInvalid` for one without bytes, `serviceBusy` if too many wait, `tooManyRequests`,
    ///   `writeFailed`.
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

    /// Refuses a recording for which there is no room. Blocks.
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
                // Others write beside it: there may be less room than when it began.
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
            // Its length may not have been known before.
            try await BlockingWork.run { () throws(EarshotError) in try check(for: 0, within: total) }
        }
    }
}
