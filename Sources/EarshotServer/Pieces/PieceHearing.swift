import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotPieces
import EarshotSignatures
import Foundation
import Logging

/// Listens to pieces after they are published, one after another: what else is heard in them, and where they are
/// otherwise than was said.
struct PieceHearing: Sendable {
    /// How often a piece is tried that cannot be heard at the moment.
    private static let patience = 3

    private let core: ServiceCore
    private var pieces: PieceService { core.pieces }

    init(_ core: ServiceCore) {
        self.core = core
    }

    /// Listens until the task is cancelled.
    func run() async {
        var attempts: [PieceID: Int] = [:]
        for await _ in pieces.dropped {
            do throws(EarshotError) {
                try await hearAll(&attempts)
            } catch {
                // The next drop, or the next minute, tries again.
                guard !Task.isCancelled else { break }
                core.logger.warning("A piece could not be heard yet", metadata: ["reason": "\(error.message)"])
            }
        }
        // The group would take an earlier end for that of the service.
        while (try? await Task.sleep(for: .seconds(3600))) != nil {}
    }

    private func hearAll(_ attempts: inout [PieceID: Int]) async throws(EarshotError) {
        while !core.isStopping, let id = try await pieces.store.unheard(limit: 1).first {
            let findings: PieceFindings
            do throws(EarshotError) {
                guard let heard = try await hear(id) else { continue }
                findings = heard
            } catch {
                let isPassing = [.serviceBusy, .cancelled, .storeUnavailable, .writeFailed, .timedOut].contains(
                    error.code
                )
                attempts[id, default: 0] += 1
                if isPassing, attempts[id, default: 0] < Self.patience { throw error }
                core.logger.error(
                    "A piece cannot be heard",
                    metadata: ["piece": "\(id)", "code": "\(error.code.rawValue)", "reason": "\(error.message)"]
                )
                findings = PieceFindings(isComplete: true)
            }
            attempts[id] = nil
            try await keep(findings, of: id)
        }
    }

    private func keep(_ findings: PieceFindings, of id: PieceID) async throws(EarshotError) {
        let data: Data
        do {
            data = try ServiceAPI.encoder().encode(findings)
        } catch {
            throw EarshotError(.internalError, "What was heard in a piece could not be encoded.", cause: error)
        }
        try await pieces.store.setFindings(data, isQuoting: !findings.contains.isEmpty, of: id)
    }

    /// Listens to a piece, and lets it be recognised from now on.
    ///
    /// - Returns: What was heard; nothing where the piece was removed meanwhile.
    private func hear(_ id: PieceID) async throws(EarshotError) -> PieceFindings? {
        guard let record = try await pieces.store.piece(id), record.state == .published else { return nil }
        guard let draft = record.draft, let stem = record.part(.stem) else { return PieceFindings(isComplete: true) }
        let (core, converter, files) = (core, pieces.converter, pieces.files)
        try await pieces.vault.ensure(stem, of: id)
        let facts = try await core.queue.perform { () throws(EarshotError) in
            let input = try files.read(stem, of: id)
            defer { try? input.close() }
            return try await converter.facts(reading: input, loop: draft.loop)
        }
        var findings = PieceFindings(isComplete: true, warnings: SoundCheck().warnings(draft, heard: facts))
        let mix = try await signature(of: stem, of: id)
        if let mix { findings.contains = try await quotations(in: mix, of: id) }
        for other in record.stems {
            try await pieces.vault.ensure(other, of: id)
            guard let signature = try await signature(of: other, of: id) else { continue }
            // What the mix has, is told of it alone.
            let told = Set(findings.contains.map(\.id))
            findings.contains += try await quotations(in: signature, of: id).filter { !told.contains($0.id) }
                .map { quotation in
                    var quotation = quotation
                    quotation.stem = other.name
                    return quotation
                }
        }
        if let mix { try await add(mix, as: id) }
        return findings
    }

    /// The signature of a stem; nothing where it is too short, or silent: then nothing can be heard in it.
    private func signature(of stem: StoredPart, of id: PieceID) async throws(EarshotError) -> Signature? {
        let (core, files) = (core, pieces.files)
        do throws(EarshotError) {
            return try await core.queue.perform { () throws(EarshotError) in
                let input = try files.read(stem, of: id)
                defer { try? input.close() }
                return try await core.decoder.signature(reading: input, limit: nil)
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
        let (catalog, others) = (core.catalog.catalog, pieces.catalog?.catalog)
        return try await core.queue.run { () throws(EarshotError) in
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
            start: play.recordingRange.lowerBound.seconds,
            end: play.recordingRange.upperBound.seconds,
            sourceStart: play.referenceRange.lowerBound.seconds,
            speedSkew: play.speedSkew,
            pitchSkew: play.pitchSkew,
            confidence: play.confidence
        )
    }

    /// Lets a piece be recognised.
    private func add(_ signature: Signature, as id: PieceID) async throws(EarshotError) {
        guard let catalog = pieces.catalog, !signature.isEmpty else { return }
        let name = ReferenceID(id.description)
        try await core.queue.run { () throws(EarshotError) in
            guard !catalog.catalog.contains(name) else { return }
            try PieceService.changing { try catalog.add([Catalog.Addition(id: name, signature: signature, items: [])]) }
        }
        // Who removed it meanwhile could not remove it from here.
        guard try await pieces.store.piece(id)?.state != .published else { return }
        try await core.queue.run { () throws(EarshotError) in
            guard catalog.catalog.contains(name) else { return }
            try PieceService.changing { try catalog.remove([name]) }
        }
    }
}

extension PieceService {
    /// What was heard in a piece, with the titles and authors of other pieces as they are now. Of pieces that whoever asks may not see
    /// nothing is told.
    func findings(of id: PieceID, for reader: Reader) async throws(EarshotError) -> PieceFindings {
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
            guard let other = PieceID(quotation.id).flatMap({ others[$0] }), reader.maySee(other) else { return nil }
            var told = quotation
            told.title = other.draft?.title
            told.artist = authors[other.author]?.name.text
            return told
        }
        return findings
    }
}
