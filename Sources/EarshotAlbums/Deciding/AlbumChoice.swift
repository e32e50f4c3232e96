import EarshotCatalogs
import EarshotMetadata
import Foundation

/// Chooses the albums that explain some files best, and decides for each file which track of them it is.
///
/// The album that is worth most takes the files that fit it; of what is left the next is chosen, until nothing fits. Files
/// that are left but are a track that another file is already, are its duplicates.
struct AlbumChoice: Sendable {
    /// What one file is.
    struct Outcome: Sendable {
        /// The album, by its place among the candidates.
        var album: Int
        /// The track, by its place on the album.
        var slot: Int
        var score: PairScore
        var confidence = 0.0
        var albumConfidence = 0.0
        /// The file that is this track already, by its place in the question.
        var duplicateOf: Int?
        /// How many files of the question are on the album.
        var company = 1
    }

    let files: [FileEvidence]
    let albums: [AlbumCandidate]
    let weights: DecisionWeights

    /// For each file what it is; nothing where nothing fits.
    func outcomes() -> [Outcome?] {
        var scoring = PairScoring(weights)
        // Album, file, track.
        var scores: [[[PairScore]]] = []
        for album in albums {
            scores.append(files.map { file in album.slots.map { scoring.score(file, $0, of: album) } })
        }
        func fit(_ album: Int, _ files: [Int]) -> AlbumFit {
            AlbumFit(files, on: albums[album], scores: scores[album], weights)
        }
        var outcomes = [Outcome?](repeating: nil, count: files.count)
        var rest = Array(files.indices)
        var chosen: [Int] = []
        while !rest.isEmpty {
            // Second copies of what is there already choose no album, but go with one that others choose.
            let copies = copies(rest, chosen, scores, outcomes)
            let others = rest.filter { !copies.contains($0) }
            let fits = albums.indices.filter { !chosen.contains($0) }.map { (album: $0, fit: fit($0, others)) }
            guard var best = fits.max(by: { isWorse($0, $1) }), best.fit.worth > 0 else { break }
            if !copies.isEmpty { best.fit = fit(best.album, rest) }
            chosen.append(best.album)
            let taken = best.fit.slots.keys.sorted()
            // What another album would be worth for the very same files.
            let other = fits.filter { $0.album != best.album }.map { fit($0.album, taken).worth }.max() ?? 0
            let sureness = Self.confidence(ofMargin: best.fit.worth - max(other, 0), scale: 1.5)
            for file in taken {
                guard let slot = best.fit.slots[file] else { continue }
                outcomes[file] = Outcome(album: best.album, slot: slot, score: scores[best.album][file][slot])
                outcomes[file]?.albumConfidence = sureness
                outcomes[file]?.company = taken.count
            }
            rest.removeAll { best.fit.slots[$0] != nil }
        }
        addDuplicates(rest, chosen, scores, &outcomes)
        for file in files.indices {
            guard let outcome = outcomes[file] else { continue }
            outcomes[file]?.confidence = confidence(of: file, outcome, scores)
        }
        return outcomes
    }

    // MARK: - Duplicates

    /// Files that are a track which another file is already, and fit no other album better.
    private func copies(
        _ rest: [Int],
        _ chosen: [Int],
        _ scores: [[[PairScore]]],
        _ outcomes: [Outcome?]
    ) -> Set<Int> {
        var copies: Set<Int> = []
        for file in rest {
            var here = 0.0
            var elsewhere = 0.0
            for album in albums.indices {
                for (slot, score) in scores[album][file].enumerated() {
                    let isTaken = chosen.contains(album) && outcomes.contains { $0?.album == album && $0?.slot == slot }
                    if isTaken, score.identity >= weights.leastIdentity, score.total >= weights.leastTotal {
                        here = max(here, score.total)
                    } else if !chosen.contains(album) {
                        elsewhere = max(elsewhere, score.total)
                    }
                }
            }
            if here > 0, here >= elsewhere - 0.5 { copies.insert(file) }
        }
        return copies
    }

    private func addDuplicates(
        _ rest: [Int],
        _ chosen: [Int],
        _ scores: [[[PairScore]]],
        _ outcomes: inout [Outcome?]
    ) {
        let firsts = outcomes
        for file in rest {
            var best: Outcome?
            for album in chosen {
                for (slot, score) in scores[album][file].enumerated()
                where score.identity >= weights.leastIdentity && score.total >= weights.leastTotal {
                    guard score.total > best?.score.total ?? 0 else { continue }
                    let first = firsts.firstIndex { $0?.album == album && $0?.slot == slot }
                    best = Outcome(album: album, slot: slot, score: score, duplicateOf: first)
                    best?.albumConfidence =
                        firsts.lazy.compactMap(\.self).first { $0.album == album }?.albumConfidence ?? 0
                    best?.company = firsts.count { $0?.album == album }
                }
            }
            outcomes[file] = best
        }
    }

    // MARK: - Confidence

    /// How sure it is that a file is its track: by what speaks for it, and by what speaks for the best of the tracks that are not
    /// the same piece.
    private func confidence(of file: Int, _ outcome: Outcome, _ scores: [[[PairScore]]]) -> Double {
        let slot = albums[outcome.album].slots[outcome.slot]
        var other = 0.0
        for album in albums.indices {
            for (index, candidate) in albums[album].slots.enumerated() where !isSamePiece(slot, candidate) {
                other = max(other, scores[album][file][index].total)
            }
        }
        let margin = min(outcome.score.total - weights.leastTotal + 1.5, outcome.score.total - other)
        return Self.confidence(ofMargin: margin, scale: 1.2)
    }

    private func isSamePiece(_ left: AlbumCandidate.Slot, _ right: AlbumCandidate.Slot) -> Bool {
        left.track.id == right.track.id || !left.recordings.isDisjoint(with: right.recordings)
            || (left.title?.bare == right.title?.bare && left.artist?.folded == right.artist?.folded)
    }

    private static func confidence(ofMargin margin: Double, scale: Double) -> Double { 1 / (1 + exp(-margin / scale)) }

    // MARK: - Order

    /// Whether the first is worth less; of equals the older, then the better known, then the one whose identifier comes first is
    /// better.
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
