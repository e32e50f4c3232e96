package import EarshotCore
package import Foundation
import Synchronization

/// Pieces in memory, for tests and for services without storage. They are lost with the object.
package final class MemoryPieceStore: PieceStore {
    private struct State {
        var pieces: [PieceID: PieceRecord] = [:]
        /// The published pieces, including removed ones, in order of publication.
        var order: [PieceID] = []
        var graph = ProvenanceGraph()
        var findings: [PieceID: (data: Data, isQuoting: Bool)] = [:]
        var authors: [String: PieceAuthor] = [:]
        var users: [String: String] = [:]
        var applications: [String: PieceApplication] = [:]
        var codes: [Data: LoginCode] = [:]
        var discarded: [DiscardedPart: Date] = [:]

        /// Adds a published piece to the graph and the order, once.
        mutating func publish(_ piece: PieceRecord) throws(EarshotError) {
            guard piece.state == .published, !graph.contains(piece.id) else { return }
            try graph.add(piece.id, basedOn: piece.basedOn)
            order.append(piece.id)
        }

        /// Returns the storage that pieces use: those of an author, and all.
        func usage(ofAuthor author: String) -> PieceUsage {
            var usage = PieceUsage()
            var announcers: Set<String> = []
            for piece in pieces.values {
                let (size, announced) = (piece.size, piece.announced)
                usage.totalBytes += size
                usage.totalAnnounced += announced
                if announced > 0 { announcers.insert(piece.author) }
                guard piece.author == author else { continue }
                usage.authorBytes += size
                usage.authorAnnounced += announced
                if piece.state == .draft { usage.drafts += 1 }
            }
            usage.announcers = announcers.count
            return usage
        }

        /// Stores an author, unless another author has the name.
        mutating func put(_ author: PieceAuthor) -> Bool {
            guard !authors.values.contains(where: { $0.name.key == author.name.key && $0.id != author.id })
            else { return false }
            authors[author.id] = author
            return true
        }

        /// Returns the waiting code for a user code; `nil` if none waits.
        func waitingCode(_ userCode: String, _ now: Date) -> LoginCode? {
            codes.values.first {
                $0.userCode == userCode && $0.author == nil && !$0.isRefused && $0.expires > now
            }
        }

        /// Removes a piece. A published one leaves a stub.
        mutating func remove(_ piece: PieceRecord) throws(EarshotError) {
            discard(piece, keeping: [])
            findings[piece.id] = nil
            if piece.state == .published {
                try graph.remove(piece.id)
                pieces[piece.id] = piece.stub
            } else {
                pieces[piece.id] = nil
            }
        }

        /// Discards the parts that a piece no longer has.
        mutating func discard(_ old: PieceRecord, keeping parts: [StoredPart]) {
            let kept = Set(parts.map(\.id))
            for part in old.parts where !kept.contains(part.id) {
                discarded[DiscardedPart(part: part.id, piece: old.id)] = .distantPast
            }
        }
    }

    private let state = Mutex(State())

    /// Creates an empty store.
    public init() {}
}

// MARK: - Pieces

extension MemoryPieceStore {
    /// Returns a piece in any state; `nil` for an unknown identifier.
    package func piece(_ id: PieceID) async throws(EarshotError) -> PieceRecord? { state.withLock { $0.pieces[id] } }

    /// Returns the existing ones of some pieces, in any state.
    package func pieces(_ ids: [PieceID]) async throws(EarshotError) -> [PieceID: PieceRecord] {
        state.withLock { state in
            Dictionary(ids.compactMap { id in state.pieces[id].map { (id, $0) } }, uniquingKeysWith: { $1 })
        }
    }

    /// Returns the piece with a part; `nil` if there is none.
    package func piece(withPart id: String) async throws(EarshotError) -> PieceRecord? {
        state.withLock { $0.pieces.values.first { $0.parts.contains { $0.id == id } } }
    }

    /// Stores a new piece.
    package func add(_ piece: PieceRecord, within limits: PieceLimits) async throws(EarshotError) {
        try state.withLock { state throws(EarshotError) in
            guard state.pieces[piece.id] == nil else { throw EarshotError.pieceExists(piece.id) }
            // Its relations are stored at publication, but they are checked now.
            var graph = state.graph
            try graph.add(piece.id, basedOn: piece.basedOn)
            var next = state
            next.pieces[piece.id] = piece
            try limits.check(next.usage(ofAuthor: piece.author))
            try next.publish(piece)
            state = next
        }
    }

    /// Changes a piece that is not removed.
    package func update(
        _ id: PieceID,
        within limits: PieceLimits,
        _ body: @escaping @Sendable (inout PieceRecord) throws(EarshotError) -> Void
    ) async throws(EarshotError) -> PieceRecord? {
        try state.withLock { state throws(EarshotError) -> PieceRecord? in
            guard var piece = state.pieces[id], piece.state != .removed else { return nil }
            let old = piece
            try body(&piece)
            var next = state
            next.discard(old, keeping: piece.parts)
            next.pieces[id] = piece
            if piece.size > old.size { try limits.check(next.usage(ofAuthor: piece.author)) }
            try next.publish(piece)
            state = next
            return piece
        }
    }

    /// Removes a piece.
    @discardableResult
    package func remove(
        _ id: PieceID,
        where condition: @escaping @Sendable (PieceRecord) -> Bool
    ) async throws(EarshotError) -> PieceRecord? {
        try state.withLock { state throws(EarshotError) -> PieceRecord? in
            guard let piece = state.pieces[id], piece.state != .removed, condition(piece) else { return nil }
            try state.remove(piece)
            return piece
        }
    }

    /// Returns published pieces, latest first.
    package func pieces(_ query: PieceSearch) async throws(EarshotError) -> (pieces: [PieceRecord], total: Int) {
        let words = query.titleWords
        return state.withLock { state in
            let found = state.order.reversed().compactMap { state.pieces[$0] }.filter { piece in
                guard let draft = piece.draft, piece.state == .published else { return false }
                let key = TitleTokens.key(of: draft.title)
                let isQuoting = state.findings[piece.id]?.isQuoting ?? false
                return words.allSatisfy { key.contains(" " + $0) }
                    && query.author.map { $0 == piece.author } ?? true
                    && query.keys.map { $0.contains(draft.tonality) } ?? true
                    && query.tempo.map { range in
                        draft.tempo.map { range.contains($0.beatsPerMinute) } ?? false
                    } ?? true
                    && query.shortest.map { draft.length >= $0 } ?? true
                    && query.longest.map { draft.length <= $0 } ?? true
                    && query.basedOn.map { piece.basedOn.contains($0) } ?? true
                    && query.visibilities.contains(piece.visibility)
                    && query.isQuoting.map { $0 == isQuoting } ?? true
            }
            return (Array(found.dropFirst(max(0, query.offset)).prefix(max(0, query.limit))), found.count)
        }
    }

    /// Returns the unpublished pieces that were begun before a time.
    package func drafts(begunBefore date: Date) async throws(EarshotError) -> [PieceID] {
        state.withLock { state in
            state.pieces.values.filter { $0.state == .draft && $0.begun < date }.sorted { $0.begun < $1.begun }
                .map(\.id)
        }
    }

    /// Returns the storage that pieces use: those of an author, and all.
    package func usage(ofAuthor author: String) async throws(EarshotError) -> PieceUsage {
        state.withLock { $0.usage(ofAuthor: author) }
    }

    /// Returns the published pieces of which an object store lacks parts.
    package func pieces(notKeptIn store: String) async throws(EarshotError) -> Set<PieceID> {
        state.withLock { state in
            let lacking = state.pieces.values.filter { piece in
                piece.state == .published && piece.parts.contains { $0.keptIn != store }
            }
            return Set(lacking.map(\.id))
        }
    }

    /// Marks a part to be removed from a time on, unless a piece has it then.
    package func discard(_ part: DiscardedPart, from date: Date) async throws(EarshotError) {
        state.withLock { $0.discarded[part] = date }
    }

    /// Returns parts that are due for removal and that no piece has.
    package func discarded(at now: Date, limit: Int) async throws(EarshotError) -> [DiscardedPart] {
        state.withLock { state in
            let due = state.discarded.filter { part, date in
                date <= now && !(state.pieces[part.piece]?.parts.contains { $0.id == part.part } ?? false)
            }
            return Array(due.keys.sorted { $0.part < $1.part }.prefix(max(0, limit)))
        }
    }

    /// Forgets parts whose bytes were removed.
    package func disposed(of parts: [DiscardedPart]) async throws(EarshotError) {
        state.withLock { state in for part in parts { state.discarded[part] = nil } }
    }

    /// Returns the identifiers of all pieces in some states.
    package func identifiers(_ states: Set<PieceRecord.State>) async throws(EarshotError) -> Set<PieceID> {
        state.withLock { Set($0.pieces.values.filter { states.contains($0.state) }.map(\.id)) }
    }

    /// Returns the ancestors of a piece, nearest first.
    package func ancestors(of id: PieceID, limit: Int) async throws(EarshotError) -> [ProvenanceGraph.Relative] {
        state.withLock { $0.graph.ancestors(of: id, limit: limit) }
    }

    /// Returns the published descendants of a piece, nearest first.
    package func descendants(of id: PieceID, limit: Int) async throws(EarshotError) -> [ProvenanceGraph.Relative] {
        state.withLock { $0.graph.descendants(of: id, limit: limit) }
    }

    /// Returns the analysis results of a piece; `nil` if there are none.
    package func findings(of id: PieceID) async throws(EarshotError) -> Data? {
        state.withLock { $0.findings[id]?.data }
    }

    /// Stores the analysis results of a published piece.
    package func setFindings(_ findings: Data?, isQuoting: Bool, of id: PieceID) async throws(EarshotError) {
        state.withLock { state in
            guard state.pieces[id]?.state == .published else { return }
            state.findings[id] = findings.map { ($0, isQuoting) }
        }
    }

    /// Returns the analyzed pieces.
    package func heard() async throws(EarshotError) -> Set<PieceID> { state.withLock { Set($0.findings.keys) } }

    /// Returns published pieces that were not analyzed, one of each author.
    package func unheard(
        excluding excluded: Set<PieceID>,
        limit: Int
    ) async throws(EarshotError) -> [(author: String, piece: PieceID)] {
        state.withLock { state in
            var authors: Set<String> = []
            let first = state.order.compactMap { id -> (author: String, piece: PieceID)? in
                guard let piece = state.pieces[id], piece.state == .published, state.findings[id] == nil,
                    !excluded.contains(id), authors.insert(piece.author).inserted
                else { return nil }
                return (piece.author, id)
            }
            return Array(first.prefix(max(0, limit)))
        }
    }
}

// MARK: - Authors, apps and codes

extension MemoryPieceStore {
    /// Returns an author; `nil` if no author has this identifier.
    package func author(_ id: String) async throws(EarshotError) -> PieceAuthor? { state.withLock { $0.authors[id] } }

    /// Returns the existing ones of some authors.
    package func authors(_ ids: [String]) async throws(EarshotError) -> [String: PieceAuthor] {
        let wanted = Set(ids)
        return state.withLock { $0.authors.filter { wanted.contains($0.key) } }
    }

    /// Returns the author with a name, in any letter case.
    package func author(named key: String) async throws(EarshotError) -> PieceAuthor? {
        state.withLock { $0.authors.values.first { $0.name.key == key } }
    }

    /// Returns the author that a user publishes as.
    package func author(ofUser user: String) async throws(EarshotError) -> PieceAuthor? {
        state.withLock { state in state.users[user].flatMap { state.authors[$0] } }
    }

    /// Stores an author and replaces the one with the same identifier.
    package func put(_ author: PieceAuthor) async throws(EarshotError) -> Bool {
        state.withLock { $0.put(author) }
    }

    /// Changes an author atomically.
    package func updateAuthor(
        _ id: String,
        _ body: @escaping @Sendable (inout PieceAuthor) throws(EarshotError) -> Void
    ) async throws(EarshotError) -> PieceAuthor? {
        try state.withLock { state throws(EarshotError) -> PieceAuthor? in
            guard var author = state.authors[id] else { throw EarshotError.noAuthor(id) }
            try body(&author)
            return state.put(author) ? author : nil
        }
    }

    /// Returns the users that publish as an author, in order of their identifiers.
    package func users(ofAuthor author: String) async throws(EarshotError) -> [String] {
        state.withLock { state in state.users.filter { $0.value == author }.keys.sorted() }
    }

    /// Lets a user publish as an author.
    package func setAuthor(_ author: String?, ofUser user: String) async throws(EarshotError) {
        state.withLock { $0.users[user] = author }
    }

    /// Lets a user publish as an author, if the author's users are the known ones.
    package func addUser(
        _ user: String,
        toAuthor author: String,
        whoHas known: [String]
    ) async throws(EarshotError) -> Bool {
        try state.withLock { state throws(EarshotError) in
            guard state.authors[author] != nil else { throw EarshotError.noAuthor(author) }
            guard state.users.filter({ $0.value == author }).keys.sorted() == known else { return false }
            state.users[user] = author
            return true
        }
    }

    /// Removes an author with all pieces.
    package func removeAuthor(_ id: String) async throws(EarshotError) -> [PieceID]? {
        try state.withLock { state throws(EarshotError) -> [PieceID]? in
            guard state.authors.removeValue(forKey: id) != nil else { return nil }
            let pieces = state.pieces.values.filter { $0.author == id && $0.state != .removed }
            for piece in pieces { try state.remove(piece) }
            state.users = state.users.filter { $0.value != id }
            state.codes = state.codes.filter { $0.value.author != id }
            return pieces.map(\.id)
        }
    }

    /// Returns all apps, in order of their identifiers.
    package func applications() async throws(EarshotError) -> [PieceApplication] {
        state.withLock { $0.applications.values.sorted { $0.id < $1.id } }
    }

    /// Returns an app; `nil` if no app has this identifier.
    package func application(_ id: String) async throws(EarshotError) -> PieceApplication? {
        state.withLock { $0.applications[id] }
    }

    /// Stores an app and replaces the one with the same identifier.
    package func put(_ application: PieceApplication) async throws(EarshotError) {
        state.withLock { $0.applications[application.id] = application }
    }

    /// Removes an app.
    @discardableResult
    package func removeApplication(_ id: String) async throws(EarshotError) -> Bool {
        state.withLock { $0.applications.removeValue(forKey: id) != nil }
    }

    /// Stores a code.
    package func put(_ code: LoginCode) async throws(EarshotError) { state.withLock { $0.codes[code.digest] = code } }

    /// Returns a valid code of a client.
    package func code(_ digest: Data, client: String, at now: Date) async throws(EarshotError) -> LoginCode? {
        state.withLock { state in
            state.codes[digest].flatMap { $0.client == client && $0.expires > now ? $0 : nil }
        }
    }

    /// Removes and returns a code that a user has logged in for.
    package func takeCode(_ digest: Data, client: String, at now: Date) async throws(EarshotError) -> LoginCode? {
        state.withLock { state in
            guard let code = state.codes[digest], code.client == client, code.expires > now, code.author != nil else {
                return nil
            }
            state.codes[digest] = nil
            return code
        }
    }

    /// Returns the waiting code for a user code.
    package func waitingCode(userCode: String, at now: Date) async throws(EarshotError) -> LoginCode? {
        state.withLock { $0.waitingCode(userCode, now) }
    }

    /// Refuses the waiting code for a user code.
    package func refuse(userCode: String, at now: Date) async throws(EarshotError) -> Bool {
        state.withLock { state in
            guard let code = state.waitingCode(userCode, now) else { return false }
            state.codes[code.digest]?.isRefused = true
            return true
        }
    }

    /// Approves the waiting code for a user code, for an author.
    package func approve(userCode: String, author: String, at now: Date) async throws(EarshotError) -> Bool {
        state.withLock { state in
            guard let code = state.waitingCode(userCode, now) else { return false }
            state.codes[code.digest]?.author = author
            return true
        }
    }

    /// Removes expired codes.
    package func removeCodes(expiredBy date: Date) async throws(EarshotError) {
        state.withLock { state in state.codes = state.codes.filter { $0.value.expires > date } }
    }

    /// Removes the codes that an author has approved and that were not used yet.
    package func removeCodes(ofAuthor author: String) async throws(EarshotError) {
        state.withLock { state in state.codes = state.codes.filter { $0.value.author != author } }
    }
}
