#if Service
    import CommandKit
    import EarshotCatalogs
    import EarshotCore
    import EarshotMusic
    import EarshotRecognition

    extension MatchRecord {
        /// A match of a recognition service.
        init(_ match: MusicMatch) {
            self.init()
            take(match.placement)
            offset = match.songPosition?.seconds ?? offset
            title = match.track.title
            artist = match.artist.name
            album = match.album.title
            (trackID, albumID) = (match.track.id?.rawValue, match.album.id?.rawValue)
            genres = match.track.genres.map(\.name)
            links = match.track.links.map { JSONPart($0) }
            coverArt = match.album.coverArt.map { JSONPart($0, text: $0.url) }
        }

        private mutating func take(_ placement: ReferencePlacement?) {
            guard let placement else { return }
            id = placement.reference.rawValue
            offset = ResultSchema.rounded(placement.offset.seconds)
            (queryBegin, queryEnd) = (placement.queryRange.lowerBound.seconds, placement.queryRange.upperBound.seconds)
            (referenceBegin, referenceEnd) = (
                placement.referenceRange.lowerBound.seconds, placement.referenceRange.upperBound.seconds
            )
            sharedMaterial = placement.sharedMaterial
            (speedSkew, pitchSkew, confidence) = (placement.speedSkew, placement.pitchSkew, placement.confidence)
        }
    }
#endif
