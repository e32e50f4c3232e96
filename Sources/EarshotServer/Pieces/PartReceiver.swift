import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import Hummingbird
import NIOCore

/// Receives the bytes of a part from requests. All bytes that arrive are kept, even if the connection breaks.
struct PartReceiver: Sendable {
    /// The number of bytes after which the free disk space is checked again.
    private static let checkInterval = 16 << 20

    let pieces: PieceService
    let piece: PieceID
    let part: StoredPart

    /// Returns the progress of a part. If all bytes are there but the completion was never reported, it is verified
    /// now.
    func state() async throws(EarshotError) -> UploadState {
        let received = try await received()
        guard !part.isComplete, received == part.size, part.size > 0 || hasFile else { return told(received) }
        do throws(EarshotError) {
            let turn = try pieces.intake.take(part.id, isPolite: true)
            defer { pieces.intake.leave(part.id, turn) }
            try await finish(turn)
            return told(part.size, isComplete: true)
        } catch {
            guard [.uploadFailed, .pieceInvalid, .coverSizeInvalid, .requestInvalid].contains(error.code) else {
                throw error
            }
            return told(try await self.received())
        }
    }

    private var hasFile: Bool { FileManager.default.fileExists(atPath: pieces.files.incoming(part, of: piece).path) }

    private func received() async throws(EarshotError) -> Int {
        let (files, part, piece) = (pieces.files, part, piece)
        return try await BlockingWork.run { () throws(EarshotError) in files.received(part, of: piece) }
    }

    private func told(_ received: Int, isComplete: Bool? = nil) -> UploadState {
        UploadState(part, received: received, isComplete: isComplete)
    }

    /// Receives the body of a request.
    ///
    /// - Parameters:
    ///   - body: The bytes.
    ///   - header: The header `Content-Range`; `nil` if the body is the whole part.
    ///   - settings: The settings with the time limit of uploads.
    /// - Returns: The state of the part's upload.
    /// - Throws: `requestInvalid`, `uploadTooLarge`, `timedOut`, and what ``PieceFiles/finish(_:of:)`` throws.
    func take(_ body: RequestBody, range header: String?, _ settings: ServiceSettings) async throws -> UploadState {
        let range = try header.map { header throws(EarshotError) in try ContentRange(header) }
        if let range, range.total != part.size {
            throw EarshotError(
                .requestInvalid,
                "Content-Range has a total of \(range.total) bytes, and \(part.size) were announced: send the announced file."
            )
        }
        let turn: UploadHandler.Turn
        do throws(EarshotError) {
            turn = try pieces.intake.take(part.id)
        } catch {
            throw HTTPFailure.conflict(error)
        }
        defer { pieces.intake.leave(part.id, turn) }
        let before = try await received()
        let start = range?.bytes.lowerBound ?? 0
        guard range == nil || start == before else {
            throw HTTPFailure.conflict(
                EarshotError(
                    .requestInvalid,
                    "\(before) bytes have arrived, and the request begins at byte \(start): continue at byte \(before)."
                )
            )
        }
        let end = try await write(body, start..<(range?.bytes.upperBound ?? part.size), turn, settings)
        guard end == part.size else { return told(end) }
        try await finish(turn)
        return told(part.size, isComplete: true)
    }

    /// Writes the bytes of a body as they arrive.
    ///
    /// - Returns: The offset at which they end.
    private func write(
        _ body: RequestBody,
        _ range: Range<Int>,
        _ turn: UploadHandler.Turn,
        _ settings: ServiceSettings
    ) async throws -> Int {
        let (pieces, piece, part) = (pieces, piece, part)
        let limit = settings.uploadTime + .seconds(range.count / PaceMeter.leastPace)
        return try await withTimeLimit(limit, "The upload") {
            let handle = try await BlockingWork.run { () throws(EarshotError) in
                try pieces.files.make(piece)
                // In the turn: opening truncates the file, which must not cut what a later request has written.
                var opened: FileHandle?
                try pieces.intake.write(turn) { () throws(EarshotError) in
                    opened = try pieces.files.open(part, of: piece, keeping: range.lowerBound)
                }
                guard let opened else { throw EarshotError(.internalError, "A part could not be opened.") }
                return Opened(handle: opened)
            }.handle
            defer { try? handle.close() }
            // If the drop was given up before the folder was made, its removal did not remove the folder.
            let state = try await pieces.store.piece(piece)?.state ?? .removed
            guard state != .removed else { throw try await given(up: piece) }
            var place = range.lowerBound
            var pace = PaceMeter(at: MediaClock.system.now.seconds)
            var unchecked = 0
            for try await block in body {
                let count = block.readableBytes
                try pace.take(count, at: MediaClock.system.now.seconds)
                guard place + count <= range.upperBound else {
                    // A request whose body contradicts its header is not trusted: all of its bytes are dropped.
                    try await BlockingWork.run { () throws(EarshotError) in
                        try pieces.intake.write(turn) { () throws(EarshotError) in
                            try? handle.truncate(atOffset: UInt64(range.lowerBound))
                        }
                    }
                    throw EarshotError(
                        .uploadTooLarge,
                        "The body has more than the \(range.count) bytes that Content-Range announces: send just these."
                    )
                }
                // Other writers may have filled the disk since the request was admitted.
                unchecked += count
                let isDue = unchecked >= Self.checkInterval
                if isDue { unchecked = 0 }
                try await BlockingWork.run { () throws(EarshotError) in
                    if isDue { try pieces.disk.check() }
                    try pieces.intake.write(turn) { () throws(EarshotError) in
                        do {
                            try handle.write(contentsOf: Data(block.readableBytesView))
                        } catch {
                            throw PieceFiles.unwritable(pieces.files.incoming(part, of: piece), error)
                        }
                    }
                }
                place += count
            }
            return place
        }
    }

    /// An open file. Safe to send: the thread that opens it hands it over, and only the task that receives it uses it.
    private struct Opened: @unchecked Sendable {
        let handle: FileHandle
    }

    /// Checks and renames a part of which all bytes have arrived, copies it to the object store if there is one, and marks it as complete in
    /// the store.
    private func finish(_ turn: UploadHandler.Turn) async throws(EarshotError) {
        guard pieces.intake.finish(turn) else {
            throw EarshotError(.cancelled, "Another request sends the same part now: wait for it.")
        }
        let (files, part, piece, name) = (pieces.files, part, piece, pieces.vault.storeName)
        try await BlockingWork.run { () throws(EarshotError) in try files.finish(part, of: piece) }
        // Before the part counts as complete, because any node may then be asked for it. If this fails, the next request for the
        // state tries again.
        try await pieces.keep(part, of: piece)
        let record = try await pieces.store.update(piece) { record in
            guard let index = record.parts.firstIndex(where: { $0.id == part.id }) else { return }
            record.parts[index].isComplete = true
            record.parts[index].keptIn = name
        }
        guard record == nil else { return }
        if name != nil { try await pieces.discardAgain([part.id], of: piece) }
        throw try await given(up: piece)
    }

    /// Removes the files of a drop that was given up meanwhile, and returns the error for the request.
    private func given(up piece: PieceID) async throws(EarshotError) -> EarshotError {
        let files = pieces.files
        try await BlockingWork.run { () throws(EarshotError) in files.remove(piece) }
        return PieceService.missing(piece.description)
    }
}

extension UploadState {
    /// Creates the progress of a part.
    init(_ part: StoredPart, received: Int, isComplete: Bool? = nil) {
        self.init(
            id: part.id,
            kind: part.kind,
            name: part.name,
            size: part.size,
            received: min(received, part.size),
            isComplete: isComplete ?? part.isComplete
        )
    }
}
