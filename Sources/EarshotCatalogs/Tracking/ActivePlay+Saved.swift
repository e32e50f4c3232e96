import EarshotCore
import EarshotSignatures

extension ActivePlay {
    /// The saved form of a play, for another process. Positions in the stream are in steps of 2 ms.
    struct Saved: Sendable, Codable {
        let number: Int
        let id: ReferenceID
        let referenceDuration: MediaTime
        let begin: Int
        let end: Int
        let heardAt: Int
        let referenceStart: MediaTime
        let referenceEnd: MediaTime
        let lost: MediaTime
        let speedSkew: Double
        let pitchSkew: Double
        let score: Double
        let confidence: Double
        let duplicates: [ReferenceID]
        let offset: Double
        let alternatives: [Double]

        init(_ open: ActivePlay) {
            let play = open.play
            (number, id, referenceDuration) = (play.number, play.id, play.referenceDuration)
            (begin, end, heardAt) = (open.begin, open.end, open.heardAt)
            (referenceStart, referenceEnd) = (play.referenceRange.lowerBound, play.referenceRange.upperBound)
            (lost, speedSkew, pitchSkew) = (play.lost, play.speedSkew, play.pitchSkew)
            (score, confidence, duplicates) = (play.score, play.confidence, play.duplicates)
            (offset, alternatives) = (open.alignment.offset, open.alternatives)
        }

        /// `true` if the values are in the range of a play. A saved state may be damaged.
        var isPlausible: Bool {
            let limit = 1 << 44
            let steps = [number, begin, end, heardAt].allSatisfy { $0 > -limit && $0 < limit }
            let times = [referenceDuration, referenceStart, referenceEnd, lost].allSatisfy(\.isNumeric)
            let numbers = ([speedSkew, pitchSkew, score, confidence, offset] + alternatives).allSatisfy {
                $0.isFinite && abs($0) < 1e13
            }
            return steps && times && numbers && begin <= end && referenceStart <= referenceEnd
                && abs(speedSkew) < 0.9 && abs(pitchSkew) < 0.9
        }
    }

    init(_ saved: Saved, items: [MediaItem]) {
        let play = TrackedPlay(
            number: saved.number,
            id: saved.id,
            items: items,
            referenceDuration: saved.referenceDuration,
            placement: Placement(
                offset: PlayFinder.time(saved.offset),
                queryRange: PlayTracker.time(saved.begin)..<PlayTracker.time(saved.end),
                referenceRange: saved.referenceStart..<saved.referenceEnd,
                speedSkew: saved.speedSkew,
                pitchSkew: saved.pitchSkew,
                score: saved.score,
                confidence: saved.confidence
            ),
            lost: saved.lost,
            duplicates: saved.duplicates
        )
        self.init(resuming: play)
        (alignment.offset, alternatives, heardAt) = (saved.offset, saved.alternatives, saved.heardAt)
    }
}
