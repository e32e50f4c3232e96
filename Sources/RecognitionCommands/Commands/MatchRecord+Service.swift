#if Service
    import CommandKit
    import EarshotMusic
    import EarshotRecognition

    extension MatchRecord {
        /// A match of a recognition service.
        init(_ match: MusicMatch) {
            self.init()
            take(match.placement)
            offset = match.songPosition.map { Double($0) / 1000 } ?? offset
            title = match.trackTitle
            artist = match.artist
            album = match.albumTitle
            (trackID, albumID) = (match.trackID?.rawValue, match.albumID?.rawValue)
            genres = match.trackGenre.map(\.name)
            links = match.trackLinks.map { JSONPart($0) }
            coverArt = match.coverArt.map { JSONPart($0) }
        }

        private mutating func take(_ placement: MusicMatch.Placement?) {
            guard let placement else { return }
            id = placement.reference
            offset = ResultSchema.rounded(placement.offset)
            (queryBegin, queryEnd) = (placement.queryBegin, placement.queryEnd)
            (referenceBegin, referenceEnd) = (placement.referenceBegin, placement.referenceEnd)
            (speedSkew, pitchSkew, confidence) = (placement.speedSkew, placement.pitchSkew, placement.confidence)
        }
    }
#endif
