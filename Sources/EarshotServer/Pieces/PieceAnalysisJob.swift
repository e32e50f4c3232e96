import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotNodes
import EarshotPieces
import EarshotSignatures
import Foundation
import Logging
import Synchronization

/// Analyzes pieces after they are published: finds recordings and other pieces that they quote, and deviations from their announced
/// properties.
///
/// Authors take turns, each with one piece at a time, so that a piece with many stems does not hold up those of others. The work has a
/// queue of its own, so that it takes no turns of recognition.
///
/// Nodes analyze different pieces: one node at a time holds the lease of a piece. One node at a time concludes an analysis, and knows all
/// pieces that were concluded before: so of two pieces that quote each other, the second one finds the first.
final class PieceAnalysisJob: Sendable {
    /// A reason to look for the next pieces.
    private enum Wake: Sendable {
        /// A piece was published, or a minute has passed: failed pieces are tried again.
        case round
        /// The attempt at a piece has ended.
        case ended
    }

    /// The analysis of a piece before it is searched for quotations.
    private struct Listening: Sendable {
        var findings: PieceFindings
        /// The signatures of the parts that could be decoded, that of the mix first if it is among them.
        var sounds: [(part: StoredPart, signature: Signature)] = []
    }

    /// The name of the lease for concluding analyses.
    static let conclusionLease = "pieces/conclusions"
    /// Returns the name of the lease for analyzing a piece.
    static func lease(of piece: PieceID) -> String { "pieces/hearing/\(piece)" }

    /// The queue of authors. A turn is one part, and one runs at a time, because the machine is for recognition first.
    let queue = WorkQueue(width: 1, limit: 2 * AnalysisOrder.mostAuthors, shortTurn: 0, yields: true)
    private let pieces: PieceService
    /// The queue of this node's conclusions, one at a time: the lease, which a node can take twice, does not keep them apart.
    private let conclusions = WorkQueue(width: 1, limit: 2 * AnalysisOrder.mostAuthors, shortTurn: 0, yields: true)
    private let follower: PieceFollower
    private let history = Mutex(ConclusionHistory())
    private let leases: LeaseKeeper
    private let catalog: CatalogProvider
    private let decoder: any UploadDecoder
    private let shutdown: ShutdownFlag
    private let logger: Logger
    private let order = Mutex(AnalysisOrder())

    init(
        pieces: PieceService,
        catalog: CatalogProvider,
        decoder: any UploadDecoder,
        leases: LeaseKeeper,
        shutdown: ShutdownFlag,
        logger: Logger
    ) {
        follower = PieceFollower(pieces: pieces, decoder: decoder, queue: queue)
        self.leases = leases
        self.pieces = pieces
        self.catalog = catalog
        self.decoder = decoder
        self.shutdown = shutdown
        self.logger = logger
    }

    /// Analyzes pieces until the task is canceled.
    func run() async {
        let (wakes, input) = AsyncStream.makeStream(of: Wake.self)
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await _ in self.pieces.dropped {
                    // First the pieces that other nodes have analyzed: otherwise quotations of them would be missed.
                    await self.follow()
                    input.yield(.round)
                }
                input.finish()
            }
            for await wake in wakes {
                for candidate in await next(wake) {
                    group.addTask {
                        await self.listen(to: candidate)
                        input.yield(.ended)
                    }
                }
            }
        }
    }

    private func follow() async {
        do throws(EarshotError) {
            try await follower.follow()
        } catch {
            guard !Task.isCancelled else { return }
            logger.warning(
                "The catalog of pieces lacks some that are heard",
                metadata: ["code": "\(error.code.rawValue)", "reason": "\(error.message)"]
            )
        }
    }

    /// Returns the pieces whose analysis begins now.
    private func next(_ wake: Wake) async -> [AnalysisOrder.Candidate] {
        let excluded: [Set<PieceID>] = order.withLock { order in
            if wake == .round { order.beginRound() }
            return order.isPaused ? [] : order.excluded
        }
        guard !shutdown.isRaised else { return [] }
        do throws(EarshotError) {
            var candidates: [AnalysisOrder.Candidate] = []
            for pieces in excluded {
                candidates += try await self.pieces.store.unheard(
                    excluding: pieces,
                    // Twice as many: some of them are of authors with a piece under way, and are dropped.
                    limit: 2 * AnalysisOrder.mostAuthors
                )
            }
            let found = candidates
            return order.withLock { $0.begin(found) }
        } catch {
            // Tried again when the next piece is published, or in the next minute.
            if !Task.isCancelled { warn(error) }
            return []
        }
    }

    private func listen(to candidate: AnalysisOrder.Candidate) async {
        let id = candidate.piece
        let isLast = order.withLock { $0.isLast(id) }
        var failure: EarshotError?
        var isElsewhere = false
        await WorkOwner.$current.withValue(WorkOwner(client: candidate.author)) {
            do throws(EarshotError) {
                let outcome = try await leases.run(Self.lease(of: id)) { [self] _ throws(EarshotError) in
                    // Another node may have analyzed the piece before the lease was taken.
                    guard try await pieces.store.findings(of: id) == nil else { return true }
                    if let listening = try await hear(id, isLast: isLast) { try await conclude(listening, of: id) }
                    return true
                }
                isElsewhere = outcome == nil
            } catch {
                failure = error
            }
        }
        let (isLeft, isDone) = (isElsewhere, failure == nil)
        order.withLock { order in
            if isLeft { order.leave(id) } else { order.end(id, isDone: isDone) }
        }
        if let failure, !Task.isCancelled { warn(failure, id) }
    }

    private func warn(_ error: EarshotError, _ id: PieceID? = nil) {
        var metadata: Logger.Metadata = ["code": "\(error.code.rawValue)", "reason": "\(error.message)"]
        if let id { metadata["piece"] = "\(id)" }
        logger.warning("A piece could not be heard yet", metadata: metadata)
    }

    /// Works on the audio of a part in one turn. Returns `nil` if the body does, or if the audio cannot be decoded: the part is then listed as
    /// unheard in the findings.
    ///
    /// - Parameter isLast: `true` if it is the last attempt.
    /// - Throws: An error of the service; unless it is the last attempt, also an error that another attempt may avoid.
    private func attempt<Value: Sendable>(
        _ part: StoredPart,
        of id: PieceID,
        isLast: Bool,
        _ findings: inout PieceFindings,
        _ body: @Sendable (FileHandle) async throws(EarshotError) -> Value?
    ) async throws(EarshotError) -> Value? {
        let pieces = pieces
        do throws(EarshotError) {
            return try await queue.perform { () async throws(EarshotError) in
                try await pieces.vault.ensure(part, of: id)
                let input = try pieces.files.read(part, of: id)
                defer { try? input.close() }
                return try await body(input)
            }
        } catch {
            if error.isOfTheService { throw error }
            if !isLast, [.timedOut, .internalError].contains(error.code) { throw error }
            let name = part.kind == .preview ? "preview" : part.name ?? "mix"
            logger.warning(
                "Sound of a piece cannot be heard",
                metadata: [
                    "piece": "\(id)", "part": "\(name)", "code": "\(error.code.rawValue)", "reason": "\(error.message)",
                ]
            )
            if findings.unheard?.contains(name) != true { findings.unheard = (findings.unheard ?? []) + [name] }
            return nil
        }
    }

    private func keep(_ findings: PieceFindings, of id: PieceID) async throws(EarshotError) {
        let data: Data
        do {
            data = try ServiceAPI.encoder().encode(findings)
        } catch {
            throw EarshotError(
                .internalError,
                "The analysis of a piece could not be encoded: please report this.",
                cause: error
            )
        }
        let isRemarkable = !findings.contains.isEmpty || findings.unheard != nil
        try await pieces.store.setFindings(data, isQuoting: isRemarkable, of: id)
    }

    /// Analyzes the parts of a piece.
    ///
    /// - Parameters:
    ///   - id: The piece.
    ///   - isLast: `true` if it is the last attempt.
    /// - Returns: The findings; `nil` if the piece was removed meanwhile.
    private func hear(_ id: PieceID, isLast: Bool) async throws(EarshotError) -> Listening? {
        guard let record = try await pieces.store.piece(id), record.state == .published else { return nil }
        var findings = PieceFindings(isComplete: true)
        guard let draft = record.draft, let stem = record.part(.stem) else { return Listening(findings: findings) }
        let (converter, decoder) = (pieces.converter, decoder)
        let facts = try await attempt(stem, of: id, isLast: isLast, &findings) { input async throws(EarshotError) in
            try await converter.facts(reading: input, loop: draft.loop) as AudioFindings?
        }
        if let facts { findings.warnings = AudioCheck().warnings(draft, heard: facts) }
        var sounds: [(part: StoredPart, signature: Signature)] = []
        // The stems and the preview too: they may contain other audio than the mix.
        for part in [stem] + record.stems + [record.part(.preview)].compactMap(\.self) {
            let heard = try await attempt(part, of: id, isLast: isLast, &findings) { input async throws(EarshotError) in
                try await decoder.soundSignature(reading: input)
            }
            if let heard { sounds.append((part, heard)) }
        }
        return Listening(findings: findings, sounds: sounds)
    }

    /// Finds the quotations in a piece, stores the findings, and adds the piece to the catalog of pieces.
    private func conclude(_ listening: Listening, of id: PieceID) async throws(EarshotError) {
        try await conclusions.perform { () async throws(EarshotError) in
            while true {
                let outcome = try await leases.run(Self.conclusionLease, continuing: true) {
                    [self] lease throws(EarshotError) in
                    // Following compares the identifiers of all pieces, so it is skipped if no other node has concluded since.
                    if history.withLock({ $0.mayLack(lease, at: MediaClock.system.now.seconds) }) {
                        try await follower.follow()
                    }
                    var findings = listening.findings
                    findings.contains = try await quotations(in: listening.sounds, of: id)
                    try await keep(findings, of: id)
                    history.withLock { $0.concluded(lease, at: MediaClock.system.now.seconds) }
                    return true
                }
                guard outcome == nil else { return }
                // Another node is concluding, which takes a moment.
                do {
                    try await Task.sleep(for: .milliseconds(200))
                } catch {
                    throw EarshotError(.cancelled, "The service ends.")
                }
            }
        }
    }

    /// Returns the quotations in the audio of a piece, and then adds the piece to the catalog of pieces.
    private func quotations(
        in sounds: [(part: StoredPart, signature: Signature)],
        of id: PieceID
    ) async throws(EarshotError) -> [PieceFindings.Quotation] {
        let (catalog, others) = (try await catalog.whole(), pieces.catalog)
        let found = try await queue.run { () throws(EarshotError) in
            var found: [PieceFindings.Quotation] = []
            for (part, signature) in sounds {
                let isMix = part.kind == .stem && part.name == nil
                // A quotation of the mix is not repeated for stems and preview.
                let told = Set(found.map(\.id))
                var own = try Self.plays(of: signature, in: catalog).filter { $0.duplicateOf == nil }
                    .map { Self.quotation($0, .catalog) }
                if let others {
                    own += try Self.plays(of: signature, in: others.catalog)
                        .filter { $0.id.rawValue != id.description }.map { Self.quotation($0, .piece) }
                }
                found += own.filter { !told.contains($0.id) }.sorted { ($0.start, $0.id) < ($1.start, $1.id) }
                    .map { quotation in
                        guard !isMix else { return quotation }
                        var quotation = quotation
                        quotation.stem = part.name
                        quotation.isPreview = part.kind == .preview ? true : nil
                        return quotation
                    }
            }
            return found
        }
        let mix = sounds.first { $0.part.kind == .stem && $0.part.name == nil }
        try await follower.add(mix?.signature, as: id)
        return found
    }

    private static func plays(of signature: Signature, in catalog: Catalog) throws(EarshotError) -> [Play] {
        do throws(EarshotError) {
            return catalog.isEmpty ? [] : try catalog.plays(in: signature)
        } catch {
            // Audio that is too short for a query contains no quotation that could be found.
            guard [.signatureInvalid, .signatureDurationInvalid].contains(error.code) else { throw error }
            return []
        }
    }

    private static func quotation(_ play: Play, _ source: PieceFindings.Quotation.Source) -> PieceFindings.Quotation {
        PieceFindings.Quotation(
            source: source,
            id: play.id.rawValue,
            title: play.items.lazy.compactMap(\.title).first,
            artist: play.items.lazy.compactMap(\.artist).first,
            start: play.queryRange.lowerBound.seconds,
            end: play.queryRange.upperBound.seconds,
            sourceStart: play.referenceRange.lowerBound.seconds,
            speedSkew: play.speedSkew,
            pitchSkew: play.pitchSkew,
            confidence: play.confidence
        )
    }
}

extension PieceService {
    /// Returns the findings about a piece, with the current titles and authors of other pieces. Pieces that the reader
    /// cannot find, and that are not named as those that it is based on, are omitted.
    func findings(of id: PieceID, basedOn: [PieceID], for reader: Reader) async throws(EarshotError) -> PieceFindings {
        guard let data = try await store.findings(of: id) else { return PieceFindings(isComplete: false) }
        var findings: PieceFindings
        do {
            findings = try ServiceAPI.decoder().decode(PieceFindings.self, from: data)
        } catch {
            throw EarshotError(
                .storeDamaged,
                "The stored analysis of the piece \(id) cannot be read: have it analyzed again.",
                cause: error
            )
        }
        let others = try await store.pieces(findings.contains.compactMap { PieceID($0.id) })
        let authors = try await store.authors(others.values.map(\.author))
        findings.contains = findings.contains.compactMap { quotation in
            guard quotation.source == .piece else { return quotation }
            guard let other = PieceID(quotation.id).flatMap({ others[$0] }),
                reader.mayFind(other) || reader.maySee(other) && basedOn.contains(other.id)
            else { return nil }
            var told = quotation
            told.title = other.draft?.title
            told.artist = authors[other.author]?.name.text
            return told
        }
        return findings
    }
}
