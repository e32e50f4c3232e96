import Crypto
import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import NIOHTTP1

/// The way of one part to the service: it goes on where a connection has broken off, and nothing that has arrived is sent again.
struct PartUpload: Sendable {
    /// A part and what is said of it.
    struct Part: Sendable {
        let announcement: PartAnnouncement
        let bytes: Data
        let type: String

        init(_ kind: PartKind, named name: String? = nil, _ sound: AudioBundle) {
            self.init(kind, sound.bytes, sound.format.mediaType) {
                $0.name = name
                $0.format = sound.format
            }
        }

        /// The name in errors.
        var words: String { announcement.kind.called(announcement.name) }

        init(_ cover: CoverImage) { self.init(.cover, cover.bytes, "image/\(cover.format.rawValue)") { _ in } }

        init(_ file: AttachmentBundle) {
            self.init(.attachment, file.bytes, "application/octet-stream") {
                $0.fileName = file.fileName
                $0.mediaType = file.mediaType
            }
        }

        private init(_ kind: PartKind, _ bytes: Data, _ type: String, _ change: (inout PartAnnouncement) -> Void) {
            let digest = SHA256.hash(data: bytes).hexadecimal
            var announcement = PartAnnouncement(kind: kind, size: bytes.count, sha256: digest)
            change(&announcement)
            (self.announcement, self.bytes, self.type) = (announcement, bytes, type)
        }
    }

    /// The number of times that received bytes may differ from sent ones.
    private static let mostDamages = 2

    let requests: PieceRequests
    let part: Part
    /// The largest number of bytes in one request.
    let size: Int

    /// Sends what the service does not have.
    ///
    /// - Parameters:
    ///   - begin: The state of the upload at the service.
    ///   - progress: Told which share has arrived: never less than before, and 1 at the end.
    func run(from begin: UploadState, progress: (Double) -> Void) async throws(EarshotError) {
        var state = begin
        var (share, highest, attempt, damages) = (0.0, 0, 1, 0)
        func take(_ next: UploadState) throws(EarshotError) {
            state = try checked(next, begin)
            // Only what was never there counts as going on: a service that forgets is not asked for ever.
            if state.received > highest { (highest, attempt) = (state.received, 1) }
            // All of it is there only when it is what was announced.
            let arrived = min(Double(state.received) / Double(max(1, state.size)), 0.999)
            share = state.isComplete ? 1 : max(share, arrived)
            progress(share)
        }
        try take(begin)
        // Whether what the service has is known, and not only what it had.
        var isKnown = true
        while !state.isComplete {
            let refusal: PieceRequests.Refusal
            switch isKnown ? await send(state) : await self.state(of: state) {
            case .success(let next):
                let before = state.received
                try take(next)
                if !isKnown || state.isComplete || state.received > before {
                    isKnown = true
                    continue
                }
                refusal = Self.busy("The service has not taken what was sent.")
            case .failure(let failure): refusal = failure
            }
            if refusal.error.code == .uploadFailed {
                damages += 1
                guard damages < Self.mostDamages else { throw refusal.error }
                state.received = 0
                continue
            }
            isKnown = false
            // A place that is not where the service goes on means that an answer was lost.
            let isLost = refusal.error.code == .requestInvalid
            try await pause(isLost ? Self.busy(refusal.error.message) : refusal, &attempt)
        }
    }

    private static func busy(_ message: String) -> PieceRequests.Refusal {
        PieceRequests.Refusal(error: EarshotError(.serviceBusy, message), retryAfter: nil)
    }

    private func path(_ state: UploadState) -> String { "uploads/\(HTTPCall.escaped(state.id))" }

    private func send(_ state: UploadState) async -> Result<UploadState, PieceRequests.Refusal> {
        let end = min(state.received + max(1, size), state.size)
        // Everything is there, and is being looked at.
        if state.size > 0, end == state.received { return .failure(Self.busy("The service has not finished.")) }
        let bytes = part.bytes.dropFirst(state.received).prefix(end - state.received)
        let range = "bytes \(state.received)-\(end - 1)/\(state.size)"
        return told(
            await requests.attempt(
                HTTPCall(.PUT, path: path(state), body: Data(bytes), bodyType: part.type),
                // There is no range of nothing.
                headers: state.size > 0 ? [("content-range", range)] : []
            )
        )
    }

    private func state(of state: UploadState) async -> Result<UploadState, PieceRequests.Refusal> {
        told(await requests.attempt(HTTPCall(.GET, path: path(state))))
    }

    private func told(
        _ answer: Result<HTTPAnswer, PieceRequests.Refusal>
    ) -> Result<UploadState, PieceRequests.Refusal> {
        answer.flatMap { answer in
            do throws(EarshotError) {
                return .success(try requests.service.value(UploadState.self, answer.body))
            } catch {
                return .failure(PieceRequests.Refusal(error: error, retryAfter: nil))
            }
        }
    }

    private func checked(_ state: UploadState, _ begin: UploadState) throws(EarshotError) -> UploadState {
        guard state.id == begin.id, state.size == begin.size, (0...state.size).contains(state.received) else {
            throw EarshotError(
                .malformedResponse,
                "\(requests.service.base) answered for another upload than was requested: try again."
            )
        }
        return state
    }

    private func pause(_ refusal: PieceRequests.Refusal, _ attempt: inout Int) async throws(EarshotError) {
        do {
            try await requests.pause(after: refusal, &attempt)
        } catch {
            if error.code == .cancelled { throw error }
            if PieceRequests.isPassing(error) {
                throw EarshotError(
                    .retriesExhausted,
                    "The \(part.words) could not be sent in \(attempt) attempts: try again later.",
                    cause: error
                )
            }
            guard error.code == .serviceFailure else { throw error }
            throw EarshotError(
                .uploadFailed,
                "The \(part.words) could not be sent: try again.",
                cause: error
            )
        }
    }
}
