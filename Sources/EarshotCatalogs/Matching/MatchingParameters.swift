import Foundation

/// The parameters of a search.
package struct MatchingParameters: Sendable {
    /// The largest number of query landmarks used within about one second. It is more than a reference keeps: noise
    /// demotes peaks, and more landmarks in the query cost nothing in the index.
    package var queryDensity = 72
    /// The number of neighbors that each landmark of a query is paired with.
    package var queryFanOut = 10
    /// The number of blocks of postings that a first look reads, the rarest keys first, and the number of places that
    /// it verifies. A query with little damage needs no more.
    package var quickBlocks = 2_000
    package var quickPlaces = 12
    /// For a first look in a catalog that is searched by triplets: landmarks a second, neighbors of each, and how many
    /// landmarks after the second may be the third.
    package var strongDensity = 40
    package var strongFanOut = 5
    package var strongThirds = 2
    /// The numbers of blocks in such a catalog, over all segments, that the first look, the second look with all keys,
    /// and each hypothesis of another speed or pitch read. Chosen by yield for the cost.
    package var strongBlocks = 20_000
    package var tripletBlocks = 300_000
    package var tripletEscalationBlocks = 16_000
    /// The number of these blocks that each segment reads in any case.
    package var leastSegmentBlocks = 500
    /// The number of blocks that a first look at each hypothesis of another speed or pitch reads; the number of
    /// hypotheses with most votes that get a second look; and the blocks and verified places of this second look.
    package var surveyBlocks = 1_000
    package var surveyedHypotheses = 5
    package var escalationBlocks = 6_000
    package var escalationPlaces = 8
    /// The number of places that are verified for the original speed and pitch otherwise.
    package var candidateCount = 24
    /// In a catalog that is searched by triplets, the number of places among which the contrast map chooses: for the
    /// original speed and pitch, and for another.
    package var siftedPlaces = 2_000
    package var siftedEscalationPlaces = 100
    /// The distance of the map from chance, in standard deviations, from which a place is verified; and the number of
    /// places with most votes that are verified in any case.
    package var leastSifted = 2.5
    package var unsiftedPlaces = 4
    /// The number of these that are scored landmark by landmark. Scoring continues while one of the last so many is an
    /// answer.
    package var finalistCount = 8
    /// Keys whose postings take more than this share of all blocks are skipped, unless they take few.
    package var stopShare = 0.002
    /// The number of blocks up to which a key is never skipped.
    package var leastStopBlocks = 40
    /// The largest number of blocks that are read for one hypothesis, the rarest keys first.
    package var blockBudget = 120_000
    /// The number of postings up to which a catalog is searched by pairs at once: about 80 hours of music. A larger
    /// catalog is searched by triplets.
    package var pairLimit = 20_000_000
    /// The number of postings up to which it is searched by pairs if triplets give no answer.
    package var secondLookLimit = 100_000_000
    /// The least number of frames that a catalog counts as having, so that a very small one does not lower the bar.
    package var leastFrameCount = 1_000_000
    /// The score, in nats, from which an answer is given. Of 19,886 excerpts of music that was left out of the catalog,
    /// ten reached it with a reference that they share nothing with (`Docs/measurements.md`).
    package var threshold = 6.0
    /// The evidence a landmark, in nats, from which no other speed or pitch is tried.
    package var sureEvidence = 1.2
    /// The evidence a landmark, in nats, from which no more of the index is read.
    package var clearEvidence = 0.5
    /// The confidence is 1 / (1 + exp(−slope · (score − middle))). This is about the share of correct best candidates
    /// at a score if half of the queries are in the catalog (`Docs/measurements.md`).
    package var confidenceSlope = 0.41
    package var confidenceMiddle = -0.46
    /// The number of answered references in which repeats are searched for, and the number of places in each.
    package var repeatReferences = 3
    package var repeatCount = 12
    /// `true` to try other speeds and pitches if there is no sure answer.
    package var escalates = true
    /// The largest number of looks of a thorough search, each without the references found before.
    package var mostLayers = 3
    /// The largest number of threads of one search; `nil` for one a processor core, at most 4.
    package var mostLanes: Int?
    /// The number of postings from which a second thread pays. In a smaller catalog most queries are answered before a
    /// thread wakes.
    package var leastLanePostings = 20_000_000
    /// `true` to scan all references of a small catalog with the map if a query has no sure answer.
    package var scans = true
    /// The number of places of a scan that are scored.
    package var scanPlaces = 16
    /// The score, in nats, from which landmarks alone leave no doubt.
    package var clearScore = 25.0
    /// Joint scores of landmarks, map and bits, in nats. From the first, no other speed or pitch is tried; from the
    /// second, only the few hypotheses with most votes. At the wrong pitch a recording may still have its rhythm.
    package var sureScore = 40.0
    package var likelyScore = 12.0
    package var likelyHypotheses = 3
    /// The number of candidates whose bits are read, in addition to those that landmarks alone would answer.
    package var bitReadings = 24
    /// The number of places of a clear answer whose map and bits are read, if several fit nearly as well.
    package var alikeReadings = 6
    /// The number of candidates whose map is read for each hypothesis of another speed or pitch.
    package var escalationReadings = 4
    /// The distance of an answer's bits from chance that is required, in standard deviations.
    package var leastBits = 3.0
    /// The distance of the bits from chance, in standard deviations, from which a reference counts as having the
    /// recording or a part of it.
    package var fittingBits = 4.0

    package init() {}

    /// The parameters for a slice of a recording. A second song may be heard at another speed than the first, so only
    /// landmarks that leave no doubt end a search.
    var forSlices: MatchingParameters {
        var parameters = self
        (parameters.sureScore, parameters.likelyScore) = (.infinity, .infinity)
        return parameters
    }

    /// Returns the probability that a candidate with a score in nats is right, from 0 to 1.
    func confidence(ofScore score: Double) -> Double {
        1 / (1 + exp(-confidenceSlope * (score - confidenceMiddle)))
    }
}
