import EarshotCore
import EarshotMusic
import EarshotRecognition

/// The source of knowledge about the albums of a collection: a database on this machine, or a service.
struct LibraryKnowledge: Sendable {
    let albums: any AlbumRecognitionService
    let content: any RecognitionService
    /// The database; `nil` if a service is asked.
    let music: (any MusicStore)?

    /// The tracks of an album; nothing where only a service knows them.
    func tracks(of album: EntityID<Album>?) async throws(EarshotError) -> [Track]? {
        guard let album, let music else { return nil }
        return try await music.tracks(of: album)
    }
}
