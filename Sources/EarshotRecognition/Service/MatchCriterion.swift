import EarshotCatalogs
import EarshotCore
import EarshotMusic

/// A criterion for ranking candidates.
///
/// Candidates are compared by the first criterion, those equal in it by the second, and so on.
public enum MatchCriterion: String, Hashable, Sendable, Codable, CaseIterable {
    /// The candidate has an identifier in the preferred external catalog.
    case preferredSource
    /// The candidate matches the recording better, in steps of a tenth of the best candidate's score; smaller
    /// differences are random.
    case evidence
    /// The album is the artist's own, and not a compilation.
    case ownAlbum
    /// The album has a cover.
    case cover
    /// The album was published earlier.
    case earliest
    /// The candidate is more popular.
    case popularity

    /// The default order of criteria.
    public static let standard: [MatchCriterion] = [.preferredSource, .evidence, .ownAlbum, .popularity, .earliest]
}

/// A track on an album that a recording, or a text, may mean.
struct MatchCandidate: Sendable {
    var track: Track?
    var album: Album?
    /// The evidence as a share of the best candidate's, from 0 to 1.
    var evidence = 1.0
    /// The media item of the catalog, if the store has no track.
    var item: MediaItem?
    var placement: ReferencePlacement?
    var songPosition: MediaTime?
    var score: Double?
    /// The rank in the search: equal candidates keep this order.
    var order = 0

    /// The candidates, the preferred first.
    static func ranked(
        _ candidates: [MatchCandidate],
        by criteria: [MatchCriterion],
        source: String?
    ) -> [MatchCandidate] {
        let keys = candidates.map { candidate in criteria.map { candidate.key($0, source) } }
        return candidates.indices.sorted { left, right in
            for (one, other) in zip(keys[left], keys[right]) where one != other { return one > other }
            return candidates[left].order < candidates[right].order
        }.map { candidates[$0] }
    }

    /// The value of the criterion; higher is better.
    private func key(_ criterion: MatchCriterion, _ source: String?) -> Double {
        switch criterion {
        case .preferredSource:
            guard let source else { return 0 }
            let links = (track?.links ?? []) + (album?.links ?? [])
            return links.contains { $0.source.lowercased() == source.lowercased() } ? 1 : 0
        case .evidence: return (evidence * 10).rounded()
        case .ownAlbum: return album.map { $0.isCompilation ? 0 : 1 } ?? 0
        case .cover: return album?.pictures.isEmpty == false ? 1 : 0
        case .earliest:
            guard let date = album?.date else { return -1e9 }
            return -Double(date.year * 10_000 + (date.month ?? 12) * 100 + (date.day ?? 31))
        case .popularity: return max(track?.popularity ?? 0, album?.popularity ?? 0)
        }
    }
}
