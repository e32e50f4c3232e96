import EarshotCatalogs
import EarshotCore
import EarshotMusic
import Foundation

/// Chooses the albums that explain some files best, and decides for each file which track of them it is.
///
/// The album that is worth most takes the files that fit it; of what is left the next is chosen, until nothing fits. As the
/// best of all may be a collection that has most of two albums, it is tried without each of the first. Files that are left but
/// are a track that another file is already, are its duplicates.
struct AlbumChoice: Sendable {
    /// The match of one file.
    struct Outcome: Sendable {
        /// The album, by its place among the candidates.
        var album: Int
        /// The track, by its place on the album.
        var slot: Int
        var score: PairScore
        var confidence = 0.0
        var albumConfidence = 0.0
        var editionConfidence = 0.0
        /// The file that is this track already, by its place in the question.
        var duplicateOf: Int?
        /// The number of files of the question on the album.
        var company = 1
    }

    /// The matches of all files.
    struct Outcomes: Sendable {
        /// For each file what it is; `nil` if nothing fits.
        var files: [Outcome?]
        /// For each file that is nothing the track that came nearest, where any did.
        var nearest: [Outcome?]
    }

    let files: [FileEvidence]
    let albums: [AlbumCandidate]
    let weights: DecisionWeights

    /// Album, file, track.
    private typealias Scores = [[[PairScore]]]

    /// Decides. The call takes up to a second for a hundred files.
    ///
    /// - Parameter isCancelled: Asked now and then.
    /// - Throws: `cancelled`.
    func outcomes(isCancelled: () -> Bool = { false }) throws(EarshotError) -> Outcomes {
        var scoring = PairScoring(weights)
        var scores: Scores = []
        for album in albums {
            guard !isCancelled() else { throw EarshotError(.cancelled, "The identification was canceled.") }
            scores.append(files.map { file in album.slots.map { scoring.score(file, $0, of: album) } })
        }
        var best = selection(scores, without: [])
        for album in best.albums.prefix(Self.reconsidered) {
            guard !isCancelled() else { throw EarshotError(.cancelled, "The identification was canceled.") }
            // Fewer are better explained by one album than by two.
            guard best.outcomes.count(where: { $0?.album == album }) >= 4 else { continue }
            // Without its editions too: these would only share its files among them.
            let editions = albums.indices.filter { $0 == album || isEdition($0, of: album) }
            let other = selection(scores, without: Set(editions))
            if other.worth > best.worth + weights.leastGain { best = other }
        }
        var outcomes = best.outcomes
        addDuplicates(best.albums, scores, &outcomes)
        var nearest = [Outcome?](repeating: nil, count: files.count)
        for file in files.indices {
            if let outcome = outcomes[file] {
                let confidence = confidence(of: file, outcome, scores)
                outcomes[file]?.confidence = confidence
                guard confidence < weights.leastConfidence else { continue }
                outcomes[file] = nil
            }
            nearest[file] = nearestOutcome(to: file, scores)
        }
        // A copy of a file that turned out to be nothing is no copy.
        for file in files.indices {
            guard let first = outcomes[file]?.duplicateOf, outcomes[first] == nil else { continue }
            outcomes[file]?.duplicateOf = nil
        }
        return Outcomes(files: outcomes, nearest: nearest)
    }

    // MARK: - Albums

    /// The number of albums, from the first on, that are reconsidered.
    private static let reconsidered = 3

    /// Albums one after the other, and what all of them are worth.
    private struct Selection {
        var outcomes: [Outcome?]
        var albums: [Int] = []
        var worth = 0.0
    }

    private func selection(_ scores: Scores, without banned: Set<Int>) -> Selection {
        func fit(_ album: Int, _ files: [Int]) -> AlbumFit {
            AlbumFit(files, on: albums[album], scores: scores[album], weights)
        }
        var selection = Selection(outcomes: [Outcome?](repeating: nil, count: files.count))
        var rest = Array(files.indices)
        while !rest.isEmpty {
            // Second copies of what is there already choose no album, but go with one that others choose.
            let copies = copies(rest, selection.albums, scores, selection.outcomes, without: banned)
            let others = rest.filter { !copies.contains($0) }
            let open = albums.indices.filter { !banned.contains($0) && !selection.albums.contains($0) }
            let fits = open.map { (album: $0, fit: fit($0, others)) }
            guard var best = fits.max(by: { isWorse($0, $1) }), best.fit.worth > 0 else { break }
            if !copies.isEmpty { best.fit = fit(best.album, rest) }
            selection.albums.append(best.album)
            selection.worth += best.fit.worth
            let taken = best.fit.slots.keys.sorted()
            // What other albums would be worth for the very same files.
            var worths = fits.map { (album: $0.album, worth: fit($0.album, taken).worth) }
            for album in banned.sorted() { worths.append((album, fit(album, taken).worth)) }
            let (album, edition) = Self.shares(of: best.album, worths) { isEdition($0, of: best.album) }
            for file in taken {
                guard let slot = best.fit.slots[file] else { continue }
                var outcome = Outcome(album: best.album, slot: slot, score: scores[best.album][file][slot])
                (outcome.albumConfidence, outcome.editionConfidence) = (album, edition)
                outcome.company = taken.count
                selection.outcomes[file] = outcome
            }
            rest.removeAll { best.fit.slots[$0] != nil }
        }
        return selection
    }

    /// Returns the confidence in an album (in any edition), and in the edition that was chosen, against all other
    /// albums and none; 0 to 1 each.
    private static func shares(
        of best: Int,
        _ worths: [(album: Int, worth: Double)],
        isEdition: (Int) -> Bool
    ) -> (album: Double, edition: Double) {
        let scale = 1.5
        let highest = worths.map(\.worth).max() ?? 0
        var (own, editions, all) = (0.0, 0.0, exp((0 - highest) / scale))
        for (album, worth) in worths where worth > 0 {
            let share = exp((worth - highest) / scale)
            all += share
            if album == best { own += share }
            if album == best || isEdition(album) { editions += share }
        }
        return (editions / all, own / all)
    }

    /// Returns `true` if one is the other in another edition.
    private func isEdition(_ one: Int, of other: Int) -> Bool {
        let (left, right) = (albums[one], albums[other])
        let groups = left.album.identifiers.filter { $0.scheme == .musicBrainzReleaseGroup }
        if !groups.isDisjoint(with: right.album.identifiers) { return true }
        guard let title = left.titles.first?.bare, title == right.titles.first?.bare else { return false }
        return left.artist?.folded == right.artist?.folded
    }

    // MARK: - Duplicates

    /// Files that are a track which another file is already, and fit no other album better.
    private func copies(
        _ rest: [Int],
        _ chosen: [Int],
        _ scores: Scores,
        _ outcomes: [Outcome?],
        without banned: Set<Int>
    ) -> Set<Int> {
        guard !chosen.isEmpty else { return [] }
        var taken: [Int: Set<Int>] = [:]
        for case let outcome? in outcomes { taken[outcome.album, default: []].insert(outcome.slot) }
        var copies: Set<Int> = []
        for file in rest {
            var here = 0.0
            var elsewhere = 0.0
            for album in albums.indices where !banned.contains(album) {
                for (slot, score) in scores[album][file].enumerated() {
                    if taken[album]?.contains(slot) == true, isTrack(score) {
                        here = max(here, score.total)
                    } else if taken[album] == nil {
                        elsewhere = max(elsewhere, score.total)
                    }
                }
            }
            if here > 0, here >= elsewhere - 0.5 { copies.insert(file) }
        }
        return copies
    }

    private func isTrack(_ score: PairScore) -> Bool {
        score.identity >= weights.leastIdentity && score.total >= weights.leastTotal
    }

    private func addDuplicates(_ chosen: [Int], _ scores: Scores, _ outcomes: inout [Outcome?]) {
        let firsts = outcomes
        for file in files.indices where firsts[file] == nil {
            var best: Outcome?
            for album in chosen {
                for (slot, score) in scores[album][file].enumerated()
                where isTrack(score) && score.standsAlone {
                    guard score.total > best?.score.total ?? 0 else { continue }
                    let first = firsts.firstIndex { $0?.album == album && $0?.slot == slot }
                    best = Outcome(album: album, slot: slot, score: score, duplicateOf: first)
                    let beside = firsts.lazy.compactMap(\.self).first { $0.album == album }
                    best?.albumConfidence = beside?.albumConfidence ?? 0
                    best?.editionConfidence = beside?.editionConfidence ?? 0
                    best?.company = firsts.count { $0?.album == album }
                }
            }
            outcomes[file] = best
        }
    }

    // MARK: - Confidence

    /// Returns the confidence that a file is its track, 0 to 1: the evidence for the track against that for tracks of
    /// other pieces.
    private func confidence(of file: Int, _ outcome: Outcome, _ scores: Scores) -> Double {
        struct Piece: Hashable {
            var title: String?
            var artist: String?
        }
        let slot = albums[outcome.album].slots[outcome.slot]
        // Of each other piece what its likeliest track has: it may stand on many albums.
        var rivals: [Piece: Double] = [:]
        for album in albums.indices {
            for (index, candidate) in albums[album].slots.enumerated() {
                let score = scores[album][file][index]
                guard score.total >= weights.leastTotal - 1 else { continue }
                guard !isSamePiece(slot, candidate, onOneAlbum: album == outcome.album) else { continue }
                let piece = Piece(title: candidate.title?.folded, artist: candidate.artist?.folded)
                rivals[piece] = max(rivals[piece] ?? 0, score.total)
            }
        }
        let scale = 1.2
        let own = outcome.score.total
        var others = exp((min(weights.leastTotal, own) - 1.5 - own) / scale)
        for (_, total) in rivals { others += exp((total - own) / scale) }
        return 1 / (1 + others)
    }

    /// Returns `true` if two tracks are one recording as far as anybody can tell. Of two on one album with one title
    /// each is another piece: "Untitled", "Allegro".
    private func isSamePiece(
        _ left: AlbumCandidate.Slot,
        _ right: AlbumCandidate.Slot,
        onOneAlbum: Bool
    ) -> Bool {
        if left.track.id == right.track.id || !left.recordings.isDisjoint(with: right.recordings) { return true }
        guard !onOneAlbum, let title = left.title, let other = right.title, title.bare == other.bare,
            title.versionDifference(other) == .none, left.artist?.folded == right.artist?.folded
        else { return false }
        guard let length = left.track.duration, let otherLength = right.track.duration else { return true }
        return abs((length - otherLength).seconds) <= Self.sameLength
    }

    /// The largest difference between a recording's lengths on two albums, in seconds.
    private static let sameLength = 5.0

    /// The track that is likest a file, where anything is.
    private func nearestOutcome(to file: Int, _ scores: Scores) -> Outcome? {
        var best: Outcome?
        for album in albums.indices {
            for (slot, score) in scores[album][file].enumerated() where score.identity > 1 {
                if score.total > best?.score.total ?? -.infinity {
                    best = Outcome(album: album, slot: slot, score: score)
                }
            }
        }
        return best
    }

    // MARK: - Order

    /// Returns `true` if the first is worth less; of equals the older, then the better known, then the one whose
    /// identifier comes first is better.
    private func isWorse(_ left: (album: Int, fit: AlbumFit), _ right: (album: Int, fit: AlbumFit)) -> Bool {
        if abs(left.fit.worth - right.fit.worth) > 1e-9 { return left.fit.worth < right.fit.worth }
        let (one, other) = (albums[left.album].album, albums[right.album].album)
        if one.date != other.date {
            guard let date = one.date else { return true }
            guard let otherDate = other.date else { return false }
            return date > otherDate
        }
        if one.popularity != other.popularity { return one.popularity < other.popularity }
        return one.id > other.id
    }
}
