/// A place in a reference that a query may come from, with the evidence for it.
package struct Candidate: Sendable {
    /// Which segment, and which reference of it.
    var segment: Int
    var reference: Int
    var alignment: Alignment
    /// Weighted votes of the index.
    package var votes: Int
    /// Query landmarks inside the reference, and those that speak for the match.
    package var inside: Int
    package var matched: Int
    /// How much likelier the query is if it comes from here, in nats.
    package var evidence: Double
    /// Hypotheses that had been tried when it was found.
    package var tried: Int
    /// The evidence, one half of the spectrum discounted, less what the best of all places has by chance, in nats.
    package var score: Double
    /// The part of the query that fits, in steps.
    var span: ClosedRange<Double>
}
