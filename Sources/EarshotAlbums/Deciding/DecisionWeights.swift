/// The weights of the kinds of evidence, in nats: how much likelier it is for a file that is the track than for one
/// that is another of the same album. Set by hand and tested with made-up collections (`Docs/measurements.md`).
struct DecisionWeights: Sendable {
    /// Both sound alike, with full confidence.
    var soundAlike = 9.0
    /// The file sounds like another recording that is known.
    var soundsLikeAnother = -6.0
    /// The file carries the track's own identifier.
    var trackIdentifier = 10.0
    /// It carries that of the recording, which may stand on several albums.
    var recordingIdentifier = 8.0
    /// It carries that of another recording; tags are copied from file to file.
    var otherIdentifier = -2.0
    /// Equal titles in tags and in names; alike in part, they weigh less.
    var title = 4.5
    var name = 3.8
    /// One title names a version that the other does not, and additions that are not the same.
    var otherVersion = -3.5
    var otherAddition = -0.8
    /// Equal artists, and different ones.
    var artist = 1.4
    var otherArtist = -2.5
    /// Lengths within two seconds, five, ten, twenty, and further apart.
    var lengths: [(seconds: Double, weight: Double)] = [(2, 2.2), (5, 1.2), (10, 0), (20, -2.5), (.infinity, -4)]
    /// Equal numbers in tags, different ones, and the same of numbers in names.
    var number = 1.7
    var otherNumber = -0.8
    var nameNumber = 1.3
    var otherNameNumber = -0.4
    var disc = 0.5
    var otherDisc = -0.8
    /// The album's identifier, its title in tags and in the name of the folder, and different ones.
    var albumIdentifier = 4.0
    var groupIdentifier = 2.0
    var album = 2.0
    var otherAlbum = -0.8
    var folder = 1.5
    /// The album has as many tracks as the file says.
    var trackCount = 0.6
    /// The year is the same.
    var year = 0.4

    /// The number of files beyond which evidence for the album counts no further: tags of one album are copies of each
    /// other.
    var contextFiles = 3.0
    /// The number of files from which on an album's missing tracks count in full.
    var missingFiles = 4.0
    /// The weight of each track of an album that no file is, and the lowest sum of these weights.
    var missingTrack = -0.3
    var missingTracks = -6.0
    /// The advantage of an album that is no compilation, in nats.
    var ownAlbum = 0.5

    /// The least sum of sound, identifiers and titles for a file to be a track.
    var leastIdentity = 2.2
    /// The least sum of all evidence.
    var leastTotal = 3.0
    /// The least sum of other evidence if sound, identifiers and titles say nothing, but the files beside it are on the
    /// album.
    var leastInCompany = 4.0
    /// The least number of files on an album for titles alone to be believed, without an artist or an album.
    var leastCompany = 3
    /// The most that a file is sure whose sound is not that of the track's own recording; below what is written and renamed, above
    /// what is told at all.
    var contradictedConfidence = 0.55
    /// Files that are less sure are said to be nothing.
    var leastConfidence = 0.5
    /// The least advantage of several albums over one that has the tracks of all of them.
    var leastGain = 0.5

    /// The likeness of two texts as a share of what equal ones weigh: below zero for texts that have little in common.
    static func share(ofLikeness likeness: Double) -> Double {
        let points: [(Double, Double)] = [(0, -0.4), (0.4, -0.2), (0.6, 0.1), (0.8, 0.65), (0.98, 0.9), (1, 1.02)]
        for (low, high) in zip(points, points.dropFirst()) where likeness <= high.0 {
            return low.1 + (likeness - low.0) / (high.0 - low.0) * (high.1 - low.1)
        }
        return 1.02
    }
}
