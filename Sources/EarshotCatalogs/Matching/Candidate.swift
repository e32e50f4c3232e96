/// A place in a reference that a query may come from, with the evidence for it.
package struct Candidate: Sendable {
    /// Which segment, and which reference of it.
    var segment: Int
    var reference: Int
    var alignment: Alignment
    /// Weighted votes of the index.
    package var votes: Int
    /// Query landmarks inside the reference, and those with a counterpart.
    package var inside: Int
    package var matched: Int
    /// The share that fits by chance, measured at other places of the same reference.
    package var chance: Double
    /// Evidence against chance; comparable across queries of any length.
    package var score: Double
    /// The part of the query that fits, in steps.
    var span: ClosedRange<Double>
}
