/// The part of a search by name that does not depend on the database: the parsed query, and the ranking of candidates.
package struct NameSearch: Sendable {
    /// The number of most popular candidates that are ranked. Of the others, only those with exactly the name of the query are added.
    package static let candidateLimit = 400
    /// The largest number of candidates with exactly the name of the query that are added.
    package static let exactLimit = 50

    /// A field of the query, and the index column to search.
    package struct Field: Sendable {
        /// The index column; `nil` for all columns.
        package var column: String?
        /// The alternative parses of the field; a candidate has to contain all terms of one of them.
        package var readings: [[SearchQuery.Term]]
        /// The whole field as a key, to compare with whole names.
        package var whole: String
    }

    /// An entity that the database found.
    package struct Candidate: Sendable {
        package var number: Int64
        package var id: String
        package var name: String
        package var columns: [String: String]

        package init(number: Int64, id: String, name: String, columns: [String: String]) {
            (self.number, self.id, self.name, self.columns) = (number, id, name, columns)
        }
    }

    /// The kind of entity to search for.
    package let kind: MusicKind
    /// The fields that contain words; empty if the query has none.
    package let fields: [Field]
    private let query: MusicQuery

    /// Parses a query.
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

    /// Returns the name that the entity itself should have; `nil` if the fields name only other entities, such as its artist.
    package static func whole(of fields: [Field], _ kind: MusicKind) -> String? {
        fields.first { $0.column == kind.table || $0.column == nil }?.whole
    }

    // MARK: - Mistakes

    /// Returns the fields with unknown words replaced by similar known ones; `nil` if no known word is similar.
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

    /// Returns the page of hits that the query asks for, best first.
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
