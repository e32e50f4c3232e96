/// The numbers that decide how a catalog is searched.
package struct MatchingParameters: Sendable {
    /// Landmarks of a query that are used, at most, within about a second. More than a reference keeps: noise demotes
    /// peaks, and the surplus costs nothing in the index.
    package var queryDensity = 72
    /// Neighbours that each landmark of a query is paired with.
    package var queryFanOut = 10
    /// Places on the timeline that are verified for each hypothesis.
    package var candidateCount = 24
    /// Of those, how many are held against chance, and how many more as long as one of so many is an answer.
    package var finalistCount = 8
    /// Keys whose postings take more than this share of all are left out, unless that is under 4 KiB.
    package var stopShare = 0.002
    /// Bins of the timeline that are filled at once; a longer timeline is filled part by part. 8 MiB, 37 hours.
    package var partBins = 1 << 21
    /// How much the logarithm of votes counts beside the evidence of verification.
    package var voteWeight = 1.5
    /// How much the logarithm of the number of hypotheses tried counts against a match.
    package var hypothesisWeight = 2.0
    /// The score at which an answer is given.
    package var threshold = 3.2
    /// How steeply confidence rises with the score; at the threshold it is one half.
    package var confidenceSlope = 2.5
    /// Whether changed speed and pitch are looked for when nothing is found at once.
    package var escalates = true

    package init() {}
}
