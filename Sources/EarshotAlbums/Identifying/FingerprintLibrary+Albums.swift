import EarshotCatalogs
import EarshotCore
public import EarshotFingerprints
public import EarshotMusic
import EarshotRecognition

extension FingerprintLibrary {
    /// A link is passed over that fewer people made than this share of those who made the commonest of the track.
    private static let leastShare = 0.1

    /// Links of a track that are looked at, those with the most sources.
    private static let mostLinks = 25

    /// Finds files of a collection by their fingerprints: the tracks of a database of music whose recordings people said that these
    /// are of.
    ///
    /// Files without a valid fingerprint of the same algorithm are identified by their other attributes.
    ///
    /// - Parameter music: The database; its tracks need the identifiers of their recordings at MusicBrainz.
    public func trackScoring(in music: any MusicStore) -> AlbumDecider.TrackScoring {
        { [self] (file) async throws(EarshotError) in
            guard let text = file.fingerprint, let duration = file.duration,
                let fingerprint = try? FileFingerprint(text: text, duration: duration),
                fingerprint.algorithm == index.algorithm
            else { return [:] }
            let matches = try await BlockingWork.run { () throws(EarshotError) in try self.matches(for: fingerprint) }
            let results = try await self.results(of: matches)
            let links = try await store.links(of: results.map(\.track), limit: Self.mostLinks)
            var heard: [EntityID<Track>: Double] = [:]
            for result in results {
                let trusted = (links[result.track] ?? []).filter { !$0.isDisabled }
                let least = Self.leastShare * Double(trusted.map(\.sources).max() ?? 0)
                for link in trusted where Double(link.sources) >= least {
                    guard let id = MusicIdentifier(.musicBrainzRecording, link.recording.text) else { continue }
                    for track in try await music.tracks(with: id) {
                        heard[track.id] = max(heard[track.id] ?? 0, result.score)
                    }
                }
            }
            return heard
        }
    }
}
