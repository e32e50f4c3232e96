import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotPieces
import EarshotSignatures
import Foundation
import Logging
import Synchronization

/// Listens to pieces after they are published: what else is heard in them, and where they are otherwise than was said.
///
/// Authors take turns, each with one piece at a time: a piece with many sounds keeps nobody else's waiting. All of it has a queue of its
/// own, so that it takes no turns of recognition.
final class PieceAnalysisJob: Sendable {
    /// A reason to look what is next.
    private enum Wake: Sendable {
        /// Something was published, or some time has passed: what failed is tried again.
        case round
        /// An attempt has ended.
        case ended
    }

    /// The turns of authors, a sound each.
    let queue = WorkQueue(
        // One sound after the other: of two pieces that quote each other one is heard second, and finds the other.
        width: 1,
        limit: 2 * AnalysisOrder.mostAuthors,
        shortTurn: 0,
        yields: true
    )
    private let pieces: PieceService
    private let catalog: CatalogProvider
    private let decoder: any UploadDecoder
    private let shutdown: ShutdownFlag
    private let logger: Logger
    private let order = Mutex(AnalysisOrder())

    init(
        pieces: PieceService,
        catalog: CatalogProvider,
        decoder: any UploadDecoder,
        shutdown: ShutdownFlag,
        logger: Logger
    ) {
        self.pieces = pieces
        self.catalog = catalog
        self.decoder = decoder
        self.shutdown = shutdown
        self.logger = logger
    }

    /// Listens until the task is cancelled.
    func run() async {
        let (wakes, input) = AsyncStream.makeStream(of: Wake.self)
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await _ in self.pieces.dropped { input.yield(.round) }
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

    /// The pieces that begin now.
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
                    // Authors with a piece under way are among them.
                    limit: 2 * AnalysisOrder.mostAuthors
                )
            }
            let found = candidates
            return order.withLock { $0.begin(found) }
        } catch {
            // The next drop, or the next minute, tries again.
            if !Task.isCancelled { warn(error) }
            return []
        }
    }

    private func listen(to candidate: AnalysisOrder.Candidate) async {
        let id = candidate.piece
        let isLast = order.withLock { $0.isLast(id) }
        var failure: EarshotError?
        await WorkOwner.$current.withValue(WorkOwner(client: candidate.author)) {
            do throws(EarshotError) {
                if let findings = try await hear(id, isLast: isLast) { try await keep(findings, of: id) }
            } catch {
                failure = error
            }
        }
        order.withLock { $0.end(id, isDone: failure == nil) }
        if let failure, !Task.isCancelled { warn(failure, id) }
    }

    private func warn(_ error: EarshotError, _ id: PieceID? = nil) {
        var metadata: Logger.Metadata = ["code": "\(error.code.rawValue)", "reason": "\(error.message)"]
        if let id { metadata["piece"] = "\(id)" }
        logger.warning("A piece could not be heard yet", metadata: metadata)
    }

    /// What comes of the sound of a part, in one turn; nothing where the sound is at fault, which is told in the findings then.
    ///
    /// - Parameter isLast: Whether it was tried often enough.
    /// - Throws: What is at fault only now.
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
            // What lasts as long as the service or its store is in trouble says nothing of the sound.
            if [.serviceBusy, .cancelled, .storeUnavailable, .writeFailed].contains(error.code) { throw error }
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
            throw EarshotError(.internalError, "What was heard in a piece could not be encoded.", cause: error)
        }
        let isRemarkable = !findings.contains.isEmpty || findings.unheard != nil
        try await pieces.store.setFindings(data, isQuoting: isRemarkable, of: id)
    }

    /// Listens to a piece, and lets it be recognized from now on.
    ///
    /// - Parameters:
    ///   - id: The piece.
    ///   - isLast: Whether it was tried often enough.
    /// - Returns: What was heard; nothing where the piece was removed meanwhile.
    private func hear(_ id: PieceID, isLast: Bool) async throws(EarshotError) -> PieceFindings? {
        guard let record = try await pieces.store.piece(id), record.state == .published else { return nil }
        guard let draft = record.draft, let stem = record.part(.stem) else { return PieceFindings(isComplete: true) }
        let (converter, decoder) = (pieces.converter, decoder)
        var findings = PieceFindings(isComplete: true)
        let facts = try await attempt(stem, of: id, isLast: isLast, &findings) { input async throws(EarshotError) in
            try await converter.facts(reading: input, loop: draft.loop) as AudioFindings?
        }
        if let facts { findings.warnings = AudioCheck().warnings(draft, heard: facts) }
        let mix = try await attempt(stem, of: id, isLast: isLast, &findings) { input async throws(EarshotError) in
            try await Self.signature(reading: input, decoder)
        }
        if let mix { findings.contains = try await quotations(in: mix, of: id, isMix: true) }
        // What people are played need not be what they open.
        for other in record.stems + [record.part(.preview)].compactMap(\.self) {
            let heard = try await attempt(other, of: id, isLast: isLast, &findings) {
                input async throws(EarshotError) in
                try await Self.signature(reading: input, decoder)
            }
            guard let heard else { continue }
            // What the mix has, is told of it alone.
            let told = Set(findings.contains.map(\.id))
            findings.contains += try await quotations(in: heard, of: id, isMix: false).filter { !told.contains($0.id) }
                .map { quotation in
                    var quotation = quotation
                    quotation.stem = other.name
                    quotation.isPreview = other.kind == .preview ? true : nil
                    return quotation
                }
        }
        return findings
    }

    /// The signature of a stem; nothing where it is too short, or silent: then nothing can be heard in it.
    private static func signature(
        reading input: FileHandle,
        _ decoder: any UploadDecoder
    ) async throws(EarshotError) -> Signature? {
        do throws(EarshotError) {
            return try await decoder.signature(reading: input, limit: nil)
        } catch {
            guard [.signatureInvalid, .signatureDurationInvalid].contains(error.code) else { throw error }
            return nil
        }
    }

    /// What else is heard.
    ///
    /// - Parameter isMix: Whether the piece is recognized by it from now on. It becomes so in the same turn in which it is searched: of
    ///   two that quote each other the one that comes second finds the other.
    private func quotations(
        in signature: Signature,
        of id: PieceID,
        isMix: Bool
    ) async throws(EarshotError) -> [PieceFindings.Quotation] {
        let (catalog, others) = (catalog.catalog, pieces.catalog)
        let found = try await queue.run { () throws(EarshotError) in
            var found = try Self.plays(of: signature, in: catalog).filter { $0.duplicateOf == nil }
                .map { Self.quotation($0, .catalog) }
            if let others {
                found += try Self.plays(of: signature, in: others.catalog).filter { $0.id.rawValue != id.description }
                    .map { Self.quotation($0, .piece) }
                if isMix { try Self.add(signature, as: id, to: others) }
            }
            return found.sorted { ($0.start, $0.id) < ($1.start, $1.id) }
        }
        if isMix { try await removeIfGone(id) }
        return found
    }

    private static func plays(of signature: Signature, in catalog: Catalog) throws(EarshotError) -> [Play] {
        do throws(EarshotError) {
            return catalog.isEmpty ? [] : try catalog.plays(in: signature)
        } catch {
            // What is too short to be a query is in nothing that could be told.
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

    /// Lets a piece be recognized. Blocks.
    private static func add(_ signature: Signature, as id: PieceID, to catalog: CatalogStore) throws(EarshotError) {
        let name = ReferenceID(id.description)
        guard !signature.isEmpty, !catalog.catalog.contains(name) else { return }
        try PieceService.changing { try catalog.add([Catalog.Addition(id: name, signature: signature, items: [])]) }
    }

    /// Lets a piece be recognized no longer that was removed while it was added: who removed it could not remove it from here.
    private func removeIfGone(_ id: PieceID) async throws(EarshotError) {
        guard let catalog = pieces.catalog, try await pieces.store.piece(id)?.state != .published else { return }
        let name = ReferenceID(id.description)
        try await queue.run { () throws(EarshotError) in
            guard catalog.catalog.contains(name) else { return }
            try PieceService.changing { try catalog.remove([name]) }
        }
    }
}

extension PieceService {
    /// What was heard in a piece, with the titles and authors of other pieces as they are now. Of pieces that whoever asks cannot find, and
    /// has not named as those that it is based on, nothing is told.
    func findings(of id: PieceID, basedOn: [PieceID], for reader: Reader) async throws(EarshotError) -> PieceFindings {
        guard let data = try await store.findings(of: id) else { return PieceFindings(isComplete: false) }
        var findings: PieceFindings
        do {
            findings = try ServiceAPI.decoder().decode(PieceFindings.self, from: data)
        } catch {
            throw EarshotError(.storeDamaged, "What was heard in the piece \(id) cannot be read.", cause: error)
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
