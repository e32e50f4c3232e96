import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotPieces
import EarshotSignatures
import Foundation
import Logging

/// Listens to pieces after they are published, one after another: what else is heard in them, and where they are
/// otherwise than was said.
struct PieceAnalysisJob: Sendable {
    /// How often sound is tried that takes too long, or whose decoder fails.
    private static let patience = 3
    /// How many pieces in a row may be out of reach before the others wait too.
    private static let mostInARow = 3

    let pieces: PieceService
    let catalog: CatalogProvider
    let decoder: any UploadDecoder
    let queue: WorkQueue
    let shutdown: ShutdownFlag
    let logger: Logger

    /// Listens until the task is cancelled.
    func run() async {
        var attempts: [PieceID: Int] = [:]
        for await _ in pieces.dropped {
            do throws(EarshotError) {
                try await hearAll(&attempts)
            } catch {
                // The next drop, or the next minute, tries again.
                guard !Task.isCancelled else { break }
                logger.warning("A piece could not be heard yet", metadata: ["reason": "\(error.message)"])
            }
        }
    }

    private func hearAll(_ attempts: inout [PieceID: Int]) async throws(EarshotError) {
        var tried: Set<PieceID> = []
        var inARow = 0
        while !shutdown.isRaised {
            let unheard = try await pieces.store.unheard(limit: attempts.count + 1)
            // Those that nobody has tried come first: one that is out of reach keeps no other one waiting.
            let next = unheard.first { attempts[$0] == nil } ?? unheard.first { !tried.contains($0) }
            guard let id = next else { return }
            tried.insert(id)
            do throws(EarshotError) {
                let isLast = attempts[id, default: 0] + 1 >= Self.patience
                if let findings = try await hear(id, isLast: isLast) { try await keep(findings, of: id) }
                attempts[id] = nil
                inARow = 0
            } catch {
                attempts[id, default: 0] += 1
                inARow += 1
                guard inARow < Self.mostInARow, error.code != .cancelled else { throw error }
                logger.warning(
                    "A piece could not be heard yet",
                    metadata: ["piece": "\(id)", "code": "\(error.code.rawValue)", "reason": "\(error.message)"]
                )
            }
        }
    }

    /// What comes of the sound of a part; nothing where the sound is at fault, which is told in the findings then.
    ///
    /// - Parameter isLast: Whether it was tried often enough.
    /// - Throws: What is at fault only now.
    private func attempt<Value: Sendable>(
        _ part: StoredPart,
        of id: PieceID,
        isLast: Bool,
        _ findings: inout PieceFindings,
        _ body: @Sendable () async throws(EarshotError) -> Value?
    ) async throws(EarshotError) -> Value? {
        do throws(EarshotError) {
            try await pieces.vault.ensure(part, of: id)
            return try await body()
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
        let (queue, converter, files) = (queue, pieces.converter, pieces.files)
        var findings = PieceFindings(isComplete: true)
        let facts = try await attempt(stem, of: id, isLast: isLast, &findings) { () async throws(EarshotError) in
            try await queue.perform { () async throws(EarshotError) -> AudioFindings? in
                let input = try files.read(stem, of: id)
                defer { try? input.close() }
                return try await converter.facts(reading: input, loop: draft.loop)
            }
        }
        if let facts { findings.warnings = AudioCheck().warnings(draft, heard: facts) }
        let mix = try await attempt(stem, of: id, isLast: isLast, &findings) { () async throws(EarshotError) in
            try await signature(of: stem, of: id)
        }
        if let mix {
            findings.contains = try await quotations(in: mix, of: id)
            try await add(mix, as: id)
        }
        // What people are played need not be what they open.
        for other in record.stems + [record.part(.preview)].compactMap(\.self) {
            let heard = try await attempt(other, of: id, isLast: isLast, &findings) { () async throws(EarshotError) in
                try await signature(of: other, of: id)
            }
            guard let heard else { continue }
            // What the mix has, is told of it alone.
            let told = Set(findings.contains.map(\.id))
            findings.contains += try await quotations(in: heard, of: id).filter { !told.contains($0.id) }
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
    private func signature(of stem: StoredPart, of id: PieceID) async throws(EarshotError) -> Signature? {
        let (queue, decoder, files) = (queue, decoder, pieces.files)
        do throws(EarshotError) {
            return try await queue.perform { () throws(EarshotError) in
                let input = try files.read(stem, of: id)
                defer { try? input.close() }
                return try await decoder.signature(reading: input, limit: nil)
            }
        } catch {
            guard [.signatureInvalid, .signatureDurationInvalid].contains(error.code) else { throw error }
            return nil
        }
    }

    /// What else is heard.
    private func quotations(
        in signature: Signature,
        of id: PieceID
    ) async throws(EarshotError) -> [PieceFindings.Quotation] {
        let (catalog, others) = (catalog.catalog, pieces.catalog?.catalog)
        return try await queue.run { () throws(EarshotError) in
            var found = try Self.plays(of: signature, in: catalog).filter { $0.duplicateOf == nil }
                .map { Self.quotation($0, .catalog) }
            if let others {
                found += try Self.plays(of: signature, in: others).filter { $0.id.rawValue != id.description }
                    .map { Self.quotation($0, .piece) }
            }
            return found.sorted { ($0.start, $0.id) < ($1.start, $1.id) }
        }
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

    /// Lets a piece be recognized.
    private func add(_ signature: Signature, as id: PieceID) async throws(EarshotError) {
        guard let catalog = pieces.catalog, !signature.isEmpty else { return }
        let name = ReferenceID(id.description)
        try await queue.run { () throws(EarshotError) in
            guard !catalog.catalog.contains(name) else { return }
            try PieceService.changing { try catalog.add([Catalog.Addition(id: name, signature: signature, items: [])]) }
        }
        // Who removed it meanwhile could not remove it from here.
        guard try await pieces.store.piece(id)?.state != .published else { return }
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
