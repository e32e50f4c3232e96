import Earshot
import EarshotCatalogs
import EarshotSignatures

/// What a catalog says to a query, with the evidence: the one place where the tools look inside the engine.
public struct Answer: Sendable {
    /// The best candidate's reference, answered or not.
    public var id: String?
    /// Where in the reference the query begins, in seconds.
    public var offset = 0.0
    /// Reference seconds in one second of the query.
    public var speed = 1.0
    /// How much higher the query sounds: 0.05 is 105 Hz for 100 Hz.
    public var pitch = 0.0
    /// The best candidate's score.
    public var score = 0.0
    /// Its confidence.
    public var confidence = 0.0
    /// Whether it is given as an answer.
    public var isAnswered = false
    /// The references that are answered.
    public var answered: [String] = []
    /// Whether looking for changed speed and pitch made the difference.
    public var isEscalated = false
    /// Weighted votes of the index.
    public var votes = 0
    /// Landmarks of the query inside the reference, and those with a counterpart.
    public var inside = 0
    /// Landmarks with a counterpart.
    public var matched = 0
    /// How much likelier the query is if it comes from there, in nats.
    public var evidence = 0.0
    /// Landmarks that the query has.
    public var landmarks = 0

    /// An answer of nothing, to a query that cannot be asked.
    public init() {}

    /// Asks a catalog as the command does.
    ///
    /// - Throws: What searching throws.
    public init(of catalog: Catalog, to query: Signature, escalates: Bool = true, isThorough: Bool = false) throws {
        var parameters = MatchingParameters()
        parameters.escalates = escalates
        landmarks = query.landmarks.count
        take(try catalog.search(query, isThorough: isThorough, parameters: parameters))
    }

    /// The score at which answers are given.
    public static var threshold: Double { MatchingParameters().threshold }

    private mutating func take(_ result: Catalog.SearchResult) {
        isAnswered = !result.accepted.isEmpty
        answered = result.accepted.map(\.id.rawValue)
        guard let best = result.best, let evidence = result.evidence else { return }
        id = best.id.rawValue
        offset = best.offset.seconds
        speed = 1 + best.speedSkew
        pitch = best.pitchSkew
        confidence = best.confidence
        score = evidence.score
        votes = evidence.votes
        inside = evidence.inside
        matched = evidence.matched
        self.evidence = evidence.evidence
        isEscalated = evidence.tried > 1
    }
}

/// Searching, as the tools measure it.
public enum Engine {
    /// What one search gives.
    public struct Found: Sendable {
        /// The best candidate's reference.
        public var id: String?
        /// Its score.
        public var score: Double
        /// Whether it is an answer.
        public var isAnswered: Bool
        /// Where in it the query begins, in seconds.
        public var offset: Double
        /// Keys that were looked up.
        public var lookups: Int
        /// Blocks of postings that were decoded.
        public var blocks: Int
        /// Postings that voted.
        public var hits: Int
    }

    /// Asks a catalog once.
    ///
    /// - Parameter escalates: Whether changed speed and pitch are looked for when there is no answer at once.
    public static func search(_ catalog: Catalog, for query: Signature, escalates: Bool) throws -> Found {
        var parameters = MatchingParameters()
        // Processor time is measured of the asking thread.
        (parameters.escalates, parameters.mostLanes) = (escalates, 1)
        return try search(catalog, for: query, parameters: parameters)
    }

    /// The same with other numbers than those of the command.
    package static func search(
        _ catalog: Catalog,
        for query: Signature,
        parameters: MatchingParameters
    ) throws -> Found {
        let result = try catalog.search(query, parameters: parameters)
        return Found(
            id: result.best?.id.rawValue,
            score: result.evidence?.score ?? 0,
            isAnswered: !result.accepted.isEmpty,
            offset: result.best?.offset.seconds ?? 0,
            lookups: result.work.lookups,
            blocks: result.work.blocksRead,
            hits: result.work.hits
        )
    }
}
