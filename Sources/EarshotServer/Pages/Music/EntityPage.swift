import EarshotMusic
import EarshotRecognition

/// The page of a track, an album or an artist.
struct EntityPage: Page {
    static let template = "entity"

    struct Cover: Sendable {
        let address: String
        /// The subject of the picture.
        let name: String
        /// The author and the license; `nil` if unknown.
        let attribution: String?

        init?(_ image: ContentImage?, _ name: String) {
            guard let image else { return nil }
            (address, self.name, attribution) = (image.url, name, image.attribution)
        }
    }

    /// A longer text.
    struct Article: Sendable {
        let heading: String
        let paragraphs: [String]
        let attribution: String?
    }

    /// The lyrics of a track in one language.
    struct Verses: Sendable {
        /// The language, as web pages write it; `nil` if it is not known.
        let language: String?
        let lines: String
        let attribution: String?
    }

    /// The title of the window.
    var title = ""
    /// The kind of entity.
    var kind = ""
    var heading = ""
    /// The pronunciation of the name.
    var reading: String?
    /// The artists.
    var artists: [LinkedText] = []
    var cover: Cover?
    var facts: [MusicFact] = []
    var links: [LinkedText] = []
    var identifiers: [MusicFact] = []
    var discs: [AlbumDisc] = []
    var discsHeading = ""
    /// The number of tracks and their total duration, as text.
    var summary: String?
    var rows: [MusicRow] = []
    /// `true` if the page mentions albums even if there are none.
    var tellsAlbums = false
    /// The addresses of the pages of albums before and after; `nil` for none.
    var previous: String?
    var next: String?
    /// A search for more.
    var search: LinkedText?
    var articles: [Article] = []
    var verses: [Verses] = []

    // A section of a template for a list is rendered for each member. For parts that are shown once for a list, templates use these.
    var hasLinks = false
    var hasIdentifiers = false
    var hasDiscs = false
    var hasRows = false
    var hasVerses = false

    /// Returns the page with the members that are computed from others.
    func completed(_ words: PageWords) -> EntityPage {
        var page = self
        let names = artists.map(\.name).joined(separator: ", ")
        page.title = [heading, names, words("search.product")].filter { !$0.isEmpty }.joined(separator: " – ")
        page.hasLinks = !links.isEmpty
        page.hasIdentifiers = !identifiers.isEmpty
        page.hasDiscs = !discs.isEmpty
        page.hasRows = !rows.isEmpty
        page.hasVerses = !verses.isEmpty
        return page
    }
}
