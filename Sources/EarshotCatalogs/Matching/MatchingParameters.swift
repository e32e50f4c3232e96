import Foundation

/// The numbers that decide how a catalog is searched.
package struct MatchingParameters: Sendable {
    /// Landmarks of a query that are used, at most, within about a second. More than a reference keeps: noise demotes
    /// peaks, and the surplus costs nothing in the index.
    package var queryDensity = 72
    /// Neighbours that each landmark of a query is paired with.
    package var queryFanOut = 10
    /// Blocks of postings that a first look reads, the rarest keys first, and the places that it verifies. A query that is
    /// not much damaged needs no more.
    package var quickBlocks = 2_000
    package var quickPlaces = 12
    /// In a catalog that is searched by triplets, the landmarks a second that a first look takes, how many neighbours of
    /// each, and how many of those behind the second may be the third.
    package var strongDensity = 40
    package var strongFanOut = 5
    package var strongThirds = 2
    /// Blocks that the first look, the second with all keys, and each hypothesis of another speed or pitch read in such a
    /// catalog, all segments together: what is cheapest for what it promises.
    package var strongBlocks = 20_000
    package var tripletBlocks = 300_000
    package var tripletEscalationBlocks = 16_000
    /// Of them, what each segment reads in any case.
    package var leastSegmentBlocks = 500
    /// The same of a first look at each hypothesis of another speed or pitch, and how many of them, those with most votes at one
    /// place, get the second, whose places are verified.
    package var surveyBlocks = 1_000
    package var surveyedHypotheses = 5
    package var escalationBlocks = 6_000
    package var escalationPlaces = 8
    /// Places on the timeline that are verified for the plain hypothesis otherwise.
    package var candidateCount = 24
    /// In a catalog that is searched by triplets, the places among which the contrast map chooses, for the plain hypothesis and for
    /// another.
    package var siftedPlaces = 2_000
    package var siftedEscalationPlaces = 100
    /// The distance of the map from chance at a place to be verified, in standard deviations, and how many of the places with most votes
    /// are verified in any case.
    package var leastSifted = 2.5
    package var unsiftedPlaces = 4
    /// The number of those that are weighed landmark by landmark, and of further ones as long as one of them is an
    /// answer.
    package var finalistCount = 8
    /// Keys whose postings take more than this share of all blocks are left out, unless they take few.
    package var stopShare = 0.002
    /// The number of blocks of postings that a key may have in any case.
    package var leastStopBlocks = 40
    /// Blocks that are read for one hypothesis, at most: the rarest keys first.
    package var blockBudget = 120_000
    /// Up to how many postings a catalog is searched by pairs at once, 80 hours of music; a larger one is searched by
    /// triplets.
    package var pairLimit = 20_000_000
    /// Up to how many it is searched by pairs when triplets give no answer.
    package var secondLookLimit = 100_000_000
    /// Frames that a catalog counts as having at least: a share that is chance in an hour is chance in a minute.
    package var leastFrameCount = 1_000_000
    /// The score, in nats, at which an answer is given. Of 19,886 excerpts of music that was left out of the catalog, ten
    /// reached it that share nothing with what they were taken for (`Docs/measurements.md`).
    package var threshold = 6.0
    /// The evidence, in nats for each landmark, from which on no other speed or pitch is looked for.
    package var sureEvidence = 1.2
    /// The same from which on no more of the index is read.
    package var clearEvidence = 0.5
    /// Confidence is 1 / (1 + exp(−slope · (score − middle))): about the share of best candidates of a score that are right
    /// when half of what is asked for is in the catalog (`Docs/measurements.md`).
    package var confidenceSlope = 0.41
    package var confidenceMiddle = -0.46
    /// In how many of the references that are answered, and at how many places of each, repeats are looked for.
    package var repeatReferences = 3
    package var repeatCount = 12
    /// `true` if changed speed and pitch are looked for when nothing is found at once.
    package var escalates = true
    /// Looks of a thorough search, each beneath what was found before.
    package var mostLayers = 3
    /// Threads that share one search, at most; `nil` for one a processor core, at most 4.
    package var mostLanes: Int?
    /// Postings from which on a second thread pays for itself: in a smaller catalog most queries are answered sooner than threads wake.
    package var leastLanePostings = 20_000_000
    /// `true` if a query with a map that has no sure answer is laid on all references.
    package var scans = true
    /// Places of a scan that are weighed.
    package var scanPlaces = 16
    /// The score from which on landmarks alone leave no doubt.
    package var clearScore = 25.0
    /// The score of landmarks, map and bits together from which on no other speed or pitch is looked for, and from which on only those
    /// few that votes speak for most: at the wrong pitch a recording may still have its rhythm.
    package var sureScore = 40.0
    package var likelyScore = 12.0
    package var likelyHypotheses = 3
    /// Candidates whose bits are read, besides those that landmarks alone would answer.
    package var bitReadings = 24
    /// Places of a clear answer whose map and bits are read, if there are several that fit nearly as well.
    package var alikeReadings = 6
    /// Candidates of a hypothesis of another speed or pitch whose map is read.
    package var escalationReadings = 4
    /// The required distance of an answer above chance at its bits, in standard deviations.
    package var leastBits = 3.0
    /// The same from which on a reference is taken to hold the recording, or a part of it.
    package var fittingBits = 4.0

    package init() {}

    /// The same for a slice of a recording: a second song may be heard at another speed than the first, so only landmarks that leave no
    /// doubt end a search.
    var forSlices: MatchingParameters {
        var parameters = self
        (parameters.sureScore, parameters.likelyScore) = (.infinity, .infinity)
        return parameters
    }

    /// The probability that a candidate with a score is right, from 0 to 1.
    func confidence(ofScore score: Double) -> Double {
        1 / (1 + exp(-confidenceSlope * (score - confidenceMiddle)))
    }
}
