import EarshotMusic

/// The assignment of files to the tracks of an album, with its weight.
struct AlbumFit: Sendable {
    /// The files that are on it, by their places in the question, each with the place of its track on the album.
    private(set) var slots: [Int: Int] = [:]
    /// The weight of the whole assignment, in nats.
    private(set) var worth = 0.0

    /// Lays files on an album.
    ///
    /// - Parameters:
    ///   - files: The files' places in the question.
    ///   - scores: For each file of the question and each track what speaks for it.
    init(_ files: [Int], on album: AlbumCandidate, scores: [[PairScore]], _ weights: DecisionWeights) {
        guard !files.isEmpty, !album.slots.isEmpty else { return }
        let assigned = Assignment.best(files.map { file in scores[file].map(\.total) })
        var sure: [Int: Int] = [:]
        var likely: [Int: Int] = [:]
        for (file, slot) in zip(files, assigned) {
            guard let slot else { continue }
            let score = scores[file][slot]
            if score.identity >= weights.leastIdentity, score.total >= weights.leastTotal {
                sure[file] = slot
            } else if score.identity > -1, score.support + score.context >= weights.leastInCompany {
                likely[file] = slot
            }
        }
        // Words alone that name nobody are anybody's: "Intro", "Untitled".
        if sure.count < weights.leastCompany { sure = sure.filter { scores[$0.key][$0.value].standsAlone } }
        slots = sure
        // A file without a title of its own is known by its company: most of those beside it are of the album.
        if sure.count >= 2, sure.count >= likely.count { slots.merge(likely) { sure, _ in sure } }
        guard !slots.isEmpty else { return }
        let count = Double(slots.count)
        let context = slots.reduce(0) { $0 + scores[$1.key][$1.value].context }
        let total = slots.reduce(0) { $0 + scores[$1.key][$1.value].total }
        worth = total - context + context * min(1, weights.contextFiles / count)
        let missing = album.slots.count - Set(slots.values).count
        // Of an album of which there is one song the others are not missed.
        worth +=
            max(weights.missingTracks, weights.missingTrack * Double(missing)) * min(1, count / weights.missingFiles)
        if !album.album.isCompilation { worth += weights.ownAlbum }
    }
}
