import Crypto
import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import NIOHTTP1
import Synchronization

/// The work of one drop: what ``DropState`` says is to be done next is done, until it is over.
final class DropWork: Sendable {
    private struct State {
        var account: PieceAccount?
        var parts: [PartUpload.Part] = []
        /// The identifier under which the piece is announced.
        var own: PieceID?
        /// The identifier that the service gave, once known; `nil` if it has none.
        var creation: Task<PieceID?, Never>?
        var id: PieceID?
        var piece: Piece?
        var error: EarshotError?
    }

    /// The longest time for which the end of a drop waits until the service has removed its parts. Removal continues
    /// afterwards.
    private static let removalLimit = MediaTime(value: 10, timescale: 1)

    private let client: PieceClient
    private let draft: PieceDraft
    private let providers: any DropProviders
    private let description: String
    private let visibility: Piece.Visibility
    private let state = Mutex(State())

    init(
        _ client: PieceClient,
        _ draft: PieceDraft,
        _ providers: any DropProviders,
        description: String,
        visibility: Piece.Visibility
    ) {
        self.client = client
        self.draft = draft
        self.providers = providers
        self.description = description
        self.visibility = visibility
    }

    private var clock: MediaClock { client.configuration.options.clock }

    func run(_ flow: DropFlow) async {
        flow.tell(.validating)
        var step = await stage(flow) { () async throws(EarshotError) -> DropState.Event in
            .validated(needsLogin: try await self.validate())
        }
        while true {
            switch step {
            case .logIn:
                flow.tell(.waitingForLogin)
                step = await stage(flow) { () async throws(EarshotError) -> DropState.Event in
                    let account = try await self.client.logIn()
                    self.state.withLock { $0.account = account }
                    return .loggedIn
                }
            case .render:
                step = await stage(flow) { () async throws(EarshotError) -> DropState.Event in
                    try await self.render(flow)
                    return .rendered
                }
            case .upload:
                step = await stage(flow) { () async throws(EarshotError) -> DropState.Event in
                    try await self.upload(flow)
                    return .uploaded
                }
            case .publish:
                flow.tell(.finishing)
                step = await stage(flow) { () async throws(EarshotError) -> DropState.Event in
                    try await self.publish()
                    return .published
                }
            // The drop was canceled before the step that was just done had ended.
            case .close, .wait: return await close(flow)
            }
        }
    }

    private func stage(
        _ flow: DropFlow,
        _ work: () async throws(EarshotError) -> DropState.Event
    ) async -> DropState.Step {
        let event: DropState.Event
        do {
            event = try await work()
        } catch {
            state.withLock { $0.error = error }
            // A user that does not log in does not want the piece dropped.
            let isCancelled = error.code == .cancelled && flow.phase == .waitingForLogin
            event = isCancelled ? .cancelled : flow.isCancelling ? .validated(needsLogin: false) : .failed
        }
        return flow.handle(event)
    }

    // MARK: - Stages

    /// Returns `true` if somebody has to log in.
    private func validate() async throws(EarshotError) -> Bool {
        guard let account = try await client.account() else { return true }
        let requests = client.requests(of: account)
        var number = 1
        while true {
            do {
                _ = try await requests.token()
                state.withLock { $0.account = account }
                return false
            } catch {
                // The service has forgotten the user.
                if error.code == .clientIdentifierRejected { return true }
                try await requests.pause(after: PieceRequests.Refusal(error: error, retryAfter: nil), &number)
            }
        }
    }

    /// Has the app give all parts. They are in memory, but for files that the system maps, until the drop is over.
    private func render(_ flow: DropFlow) async throws(EarshotError) {
        let (providers, draft) = (providers, draft)
        flow.tell(.rendering(.stem))
        let stem = try await provided(.stem) { try await providers.mixStem(for: draft) }
        let stems = try await provided(.stem) { try await providers.stems(for: draft) }
        flow.tell(.rendering(.preview))
        let preview = try await provided(.preview) { try await providers.preview(for: draft) }
        flow.tell(.rendering(.cover))
        let cover = try await provided(.cover) { try await providers.cover(for: draft) }
        flow.tell(.rendering(.attachment))
        let attachment = try await provided(.attachment) { try await providers.attachment(for: draft) }
        try PieceStem.check(names: stems.map(\.name))
        let parts = try await BlockingWork.run { () throws(EarshotError) -> [PartUpload.Part] in
            var parts = [PartUpload.Part(.stem, stem)]
            for stem in stems {
                parts.append(PartUpload.Part(.stem, named: stem.name, try AudioBundle(stem.sound)))
            }
            if let preview { parts.append(PartUpload.Part(.preview, preview)) }
            if let cover { parts.append(PartUpload.Part(cover)) }
            if let attachment { parts.append(PartUpload.Part(attachment)) }
            return parts
        }
        state.withLock { $0.parts = parts }
    }

    private func provided<Value: Sendable>(
        _ part: PartKind,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws(EarshotError) -> Value {
        let limit = client.configuration.providerLimit
        let end = await withTimeLimit(limit, clock: clock, unfinished: .abandoned) {
            () async -> Result<Value, any Error> in
            do {
                return .success(try await work())
            } catch {
                return .failure(error)
            }
        }
        switch end {
        case .value(.success(let value)): return value
        case .value(.failure(let error)): throw Self.refusal(part, error)
        case .timedOut:
            throw EarshotError(
                .providerTimedOut,
                "The app did not give the \(part.rawValue) within \(limit.seconds) s: try again."
            )
        case .cancelled: throw EarshotError(.cancelled, "The drop was canceled.")
        }
    }

    /// The error of a provider. An error about a rule for parts keeps its code.
    private static func refusal(_ part: PartKind, _ error: any Error) -> EarshotError {
        let rules: [EarshotError.Code] = [.stemMissing, .pieceInvalid, .coverSizeInvalid, .attachmentTooLarge]
        if let error = error as? EarshotError, rules.contains(error.code) { return error }
        return EarshotError(
            .providerFailed,
            "The app could not give the \(part.rawValue): \(error.words)",
            cause: error
        )
    }

    private func upload(_ flow: DropFlow) async throws(EarshotError) {
        let (account, parts) = state.withLock { ($0.account, $0.parts) }
        guard let account else { throw PieceClient.notLoggedIn }
        let requests = client.requests(of: account)
        let created = try await create(requests, parts)
        guard created.uploads.map(\.kind) == parts.map(\.announcement.kind),
            created.uploads.map(\.name) == parts.map(\.announcement.name),
            zip(created.uploads, parts).allSatisfy({ $0.size == $1.announcement.size })
        else {
            throw EarshotError(
                .malformedResponse,
                "\(requests.service.base) asks for other parts than were announced: try again."
            )
        }
        // Of all stems together, so that an app has one bar of them.
        var sizes: [PartKind: Int] = [:]
        for part in parts { sizes[part.announcement.kind, default: 0] += part.announcement.size }
        var sent: [PartKind: Int] = [:]
        for (part, begin) in zip(parts, created.uploads) {
            let (kind, size) = (part.announcement.kind, part.announcement.size)
            let (before, total) = (sent[kind, default: 0], sizes[kind, default: size])
            let upload = PartUpload(requests: requests, part: part, size: client.configuration.uploadSize)
            try await upload.run(from: begin) { share in
                // Of a part that is the only one of its kind, and may be empty, the share is its own.
                let fraction = total == size ? share : (Double(before) + Double(size) * share) / Double(total)
                flow.tell(.uploading(kind, fraction: fraction))
            }
            sent[kind, default: 0] += size
        }
    }

    /// Begins the piece at the service.
    private func create(
        _ requests: PieceRequests,
        _ parts: [PartUpload.Part]
    ) async throws(EarshotError) -> PieceCreated {
        var form = DraftForm(draft)
        // Told by the client, so that an answer that is lost leaves no piece that nobody knows of.
        let own = PieceID()
        form.id = own
        let call = try requests.call(
            .POST,
            "pieces",
            PieceCreation(
                draft: form,
                description: description,
                visibility: visibility,
                parts: parts.map(\.announcement)
            )
        )
        // The request goes on when the drop is canceled: only its answer says what is to be removed then.
        let request = Task.detached { () async -> Result<PieceCreated, EarshotError> in
            do throws(EarshotError) {
                return .success(try await requests.value(PieceCreated.self, call))
            } catch {
                return .failure(error)
            }
        }
        let creation = Task.detached { () async -> PieceID? in
            switch await request.value {
            case .success(let created): created.id
            case .failure(let error): PieceRequests.isPassing(error) ? own : nil
            }
        }
        state.withLock { ($0.own, $0.creation) = (own, creation) }
        let end = await withTimeLimit(nil, clock: clock, unfinished: .abandoned) { await request.value }
        guard case .value(let answer) = end else {
            throw EarshotError(.cancelled, "The drop was canceled.")
        }
        let created = try answer.get()
        state.withLock { $0.id = created.id }
        return created
    }

    private func publish() async throws(EarshotError) {
        let (account, id) = state.withLock { ($0.account, $0.id) }
        guard let account, let id else {
            throw EarshotError(.internalError, "There is no piece to publish: please report this.")
        }
        let requests = client.requests(of: account)
        let work = { @Sendable () async -> Result<Piece, EarshotError> in
            do throws(EarshotError) {
                return .success(try await requests.value(Piece.self, HTTPCall(.POST, path: "pieces/\(id)/publish")))
            } catch {
                return .failure(error)
            }
        }
        switch await withTimeLimit(nil, clock: clock, unfinished: .shielded, work) {
        case .value(.success(let piece)):
            guard piece.id == id else {
                throw EarshotError(
                    .malformedResponse,
                    "\(requests.service.base) published another piece: try again."
                )
            }
            state.withLock { $0.piece = piece }
        case .value(.failure(let error)) where PieceRequests.isPassing(error):
            throw EarshotError(
                .retriesExhausted,
                "The piece could not be published: try again later.",
                cause: error
            )
        case .value(.failure(let error)): throw error
        case .timedOut, .cancelled:
            throw EarshotError(.internalError, "The piece was not published: please report this.")
        }
    }

    // MARK: - The end

    private func close(_ flow: DropFlow) async {
        let (piece, error) = state.withLock { ($0.piece, $0.error) }
        let isDone = flow.phase == .done
        let leftover = isDone ? nil : await remove()
        let providers = providers
        // Whatever the app does when it is told, the drop ends.
        _ = await withTimeLimit(client.configuration.providerLimit, clock: clock, unfinished: .shielded) {
            await providers.closed(succeeded: isDone)
        }
        if isDone, let piece {
            client.dropped()
            flow.finish(.done(piece), .success(piece))
        } else if flow.phase == .failed {
            let reason = error ?? EarshotError(.internalError, "The drop failed without an error: please report this.")
            let told = Self.failure(reason, leaving: leftover)
            flow.finish(.failed(told), .failure(told), leftover: leftover)
        } else {
            let told = Self.failure(EarshotError(.cancelled, "The drop was canceled."), leaving: leftover)
            flow.finish(.cancelled, .failure(told), leftover: leftover)
        }
    }

    /// An error that names what could not be removed, too.
    private static func failure(_ error: EarshotError, leaving leftover: PieceID?) -> EarshotError {
        guard let leftover else { return error }
        return EarshotError(
            error.code,
            "\(error.message) The service may still have something of it: remove the piece \(leftover).",
            cause: error.cause
        )
    }

    /// Has the service remove what it has of the piece.
    ///
    /// - Returns: The piece that it may still have something of; `nil` if nothing is left.
    private func remove() async -> PieceID? {
        let (account, creation, known) = state.withLock { ($0.account, $0.creation, $0.id ?? $0.own) }
        guard let account, let creation else { return nil }
        let requests = client.requests(of: account)
        let end = await withTimeLimit(Self.removalLimit, clock: clock, unfinished: .shielded) {
            () async -> PieceID? in
            guard let id = await creation.value else { return nil }
            do throws(EarshotError) {
                _ = try await requests.answer(HTTPCall(.DELETE, path: "pieces/\(id)"))
                return nil
            } catch {
                // What is not there needs no removal.
                return error.code == .pieceNotFound ? nil : id
            }
        }
        guard case .value(let leftover) = end else { return known }
        return leftover
    }
}
