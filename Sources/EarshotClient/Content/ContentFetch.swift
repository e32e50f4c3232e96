import EarshotCore
import EarshotRecognition

/// Loads one content, with a new address where its own has ended.
struct ContentFetch: Sendable {
    let service: any RecognitionService
    let preferences: ContentPreferences
    let kind: ContentLoader.Kind
    let match: MusicMatch

    func content(at address: String) async -> Result<ContentAnswer, EarshotError> {
        do throws(EarshotError) {
            var answer = try await service.content(at: address)
            if answer.status == 500 { answer = try await service.content(at: address) }
            if (400..<500).contains(answer.status) {
                guard let address = try await newAddress() else {
                    throw EarshotError(
                        .contentExpired,
                        "The address of the content has expired, and the service gave no new one: fetch the match again."
                    )
                }
                answer = try await service.content(at: address)
            }
            guard (200..<300).contains(answer.status) else {
                throw EarshotError(
                    .serviceFailure,
                    "The service answered the request for content with status \(answer.status): fetch the match again."
                )
            }
            return .success(answer)
        } catch {
            return .failure(error)
        }
    }

    /// The address that the service gives now.
    private func newAddress() async throws(EarshotError) -> String? {
        var preferences = preferences
        switch kind {
        case .cover: preferences.coverArt = true
        case .artist: preferences.artistImages = true
        case .review: preferences.review = true
        case .biography: preferences.biography = true
        }
        var fresh: MusicMatch?
        if let id = match.track.id { fresh = try await service.track(id, preferences) }
        if fresh == nil, let id = match.album.id { fresh = try await service.album(id, preferences) }
        return switch kind {
        case .cover: fresh?.album.coverArt?.url
        case .artist: fresh?.artist.image?.url
        case .review: fresh?.album.reviewURL
        case .biography: fresh?.artist.biographyURL
        }
    }
}
