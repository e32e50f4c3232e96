/// A search by names apart from the database: what is looked for, and the order of what was found.
package struct NameSearch: Sendable {
    /// The most popular hits that are put in order. Of more than these, only those are added that are called exactly what was asked for.
    package static let candidateLimit = 400
    /// The most hits of exactly the name that was asked for that are added.
    package static let exactLimit = 50

    /// A field of the query, and the column that it is looked for in.
    package struct Field: Sendable {
        /// The column; `nil` for all.
        package var column: String?
        /// All ways to read it; all terms of one of them have to be found.
        package var readings: [[SearchQuery.Term]]
        /// The whole of it, as names are compared.
        package var whole: String
    }

    /// An entity that was found.
    package struct Candidate: Sendable {
        package var number: Int64
        package var id: String
        package var name: String
        package var columns: [String: String]

        package init(number: Int64, id: String, name: String, columns: [String: String]) {
            (self.number, self.id, self.name, self.columns) = (number, id, name, columns)
        }
    }

    /// The kind of entity that is looked for.
    package let kind: MusicKind
    /// The fields with words; empty if there is nothing to look for.
    package let fields: [Field]
    private let query: MusicQuery

    /// The search of a query.
    package init(_ query: MusicQuery) {
        self.query = query
        if query.track != nil || query.anything != nil {
            kind = .track
        } else {
            kind = query.album != nil ? .album : .artist
        }
        fields = [("track", query.track), ("album", query.album), ("artist", query.artist), (nil, query.anything)]
            .compactMap { column, text in
                guard let text else { return nil }
                let search = SearchQuery(text, isTyping: query.isTyping)
                guard !search.terms.isEmpty else { return nil }
                return Field(column: column, readings: search.readings, whole: search.text.folded)
            }
    }

    /// The name that was asked for; `nil` if only others than the entity's own were.
    package static func whole(of fields: [Field], _ kind: MusicKind) -> String? {
        fields.first { $0.column == kind.table || $0.column == nil }?.whole
    }

    // MARK: - Mistakes

    /// The fields with known words in place of unknown ones; `nil` if no word is near.
    package func corrected(
        isKnown: (SearchQuery.Term) throws -> Bool,
        nearest: (String) throws -> String?
    ) rethrows -> [Field]? {
        let meant = try fields.map { field in try Self.corrected(field, isKnown, nearest) }
        guard meant.contains(where: { field in field != nil }) else { return nil }
        return zip(fields, meant).map { $1 ?? $0 }
    }

    private static func corrected(
        _ field: Field,
        _ isKnown: (SearchQuery.Term) throws -> Bool,
        _ nearest: (String) throws -> String?
    ) rethrows -> Field? {
        var terms = field.readings[0]
        var hasChanged = false
        for (index, term) in terms.enumerated() {
            // Scripts without spaces have no words to compare with.
            guard term.tokens.count == 1, try !isKnown(term) else { continue }
            guard let word = try nearest(term.text) else { return nil }
            terms[index] = SearchQuery.Term(tokens: [word])
            hasChanged = true
        }
        guard hasChanged else { return nil }
        var corrected = field
        corrected.readings = [terms]
        return corrected
    }

    // MARK: - Order

    /// The hits that were asked for, the best first.
    package func hits(_ candidates: [Candidate]) -> [MusicHit] {
        let scored = candidates.map { (candidate: $0, score: score($0)) }
            .sorted { ($0.score, $1.candidate.number) > ($1.score, $0.candidate.number) }
        return scored.dropFirst(query.offset).prefix(query.limit).map {
            MusicHit(entity($0.candidate.id), score: $0.score)
        }
    }

    private func entity(_ id: String) -> MusicHit.Entity {
        switch kind {
        case .artist: .artist(EntityID(id))
        case .album: .album(EntityID(id))
        case .track: .track(EntityID(id))
        }
    }

    /// The measure of how well a candidate fits, most of all by the name that was asked for, then by how well it is known.
    private func score(_ candidate: Candidate) -> Double {
        var score = SearchIndexEntry.popularity(of: candidate.number)
        for field in fields {
            let column = field.column ?? kind.table
            let text = column == kind.table ? candidate.name : candidate.columns[column] ?? ""
            guard !text.isEmpty else { continue }
            if text == field.whole {
                score += 4
            } else if text.hasPrefix(field.whole) {
                score += 2
            } else if text.contains(field.whole) {
                score += 1
            }
            // Of names that hold the same words the shorter says less else.
            score += min(1, Double(field.whole.utf8.count) / Double(text.utf8.count))
        }
        return score
    }
}
