import EarshotAlbums
import EarshotCatalogs
import EarshotMedia
import EarshotRecognition

/// The covers of albums, each loaded once.
actor LibraryCovers {
    private let knowledge: LibraryKnowledge
    private var known: [String: TagPicture?] = [:]

    init(_ knowledge: LibraryKnowledge) { self.knowledge = knowledge }

    /// The cover of an album; nothing where there is none, it cannot be loaded, or what was loaded is no cover for a file.
    func cover(of match: MusicMatchReference) async -> TagPicture? {
        guard let album = match.album, let address = match.address else { return nil }
        if let cover = known[album] { return cover }
        var cover: TagPicture?
        if let answer = try? await knowledge.content.content(at: address), answer.status == 200 {
            cover = TagPicture.cover(from: [UInt8](answer.bytes))
        }
        known[album] = .some(cover)
        return cover
    }
}
