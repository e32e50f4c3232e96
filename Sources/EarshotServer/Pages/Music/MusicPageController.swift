import EarshotCore
import EarshotMusic
import EarshotRecognition
import Foundation
import HTTPTypes
import Hummingbird

/// Shows searches for music, and tracks, albums and artists, as pages.
///
/// It reads the music store only, and recognizes nothing.
struct MusicPageController: Controller {
    let services: RecognitionServiceFactory
    let music: any MusicStore
    let pages: PageRenderer

    /// The most tracks of an album on a page, as in the API.
    private static let trackLimit = 500
    /// The number of albums of an artist on a page.
    private static let albumsPage = 20

    var endpoints: [Endpoint] {
        [
            page("/search", "searchPage") { try await search($0) },
            page("/tracks/{id}", "trackPage") { try await track($0) },
            page("/albums/{id}", "albumPage") { try await album($0) },
            page("/artists/{id}", "artistPage") { try await artist($0) },
        ]
    }

    private func page(_ path: String, _ id: String, _ handler: @escaping @Sendable (Asked) async throws -> Response)
        -> Endpoint
    {
        Endpoint(
            method: .get,
            path: path,
            id: id,
            summary: "A page.",
            tag: "Pages",
            access: .visitor,
            module: .music,
            isDescribed: false,
            responses: [],
            handler: { context in
                // `nobody`: the service does not admit visitors, so the person must sign in.
                if case .nobody = context.identity { return .signingIn(context) }
                let (language, texts) = try pages.texts(for: context)
                let asked = Asked(context, services.service(for: context), language: language, texts)
                return try await handler(asked)
            }
        )
    }

    /// A request for a page.
    private struct Asked: Sendable {
        let context: RequestContext
        let service: LocalRecognitionService
        let words: PageWords
        /// The reader's language, as ISO 639-3 code.
        let language: String?

        init(
            _ context: RequestContext,
            _ service: LocalRecognitionService,
            language: String,
            _ texts: PageTexts.Language
        ) {
            (self.context, self.service) = (context, service)
            words = PageWords(texts: texts)
            self.language = ISOCodes.language(language)
        }

        /// The content for a page of one entity.
        var everything: ContentPreferences {
            var wanted = ContentPreferences()
            wanted.language = language
            (wanted.coverArt, wanted.artistImages) = (true, true)
            (wanted.biography, wanted.review, wanted.mood, wanted.tempo, wanted.origin) = (true, true, true, true, true)
            wanted.imageSizes = [.medium, .large, .small, .thumbnail]
            wanted.levels = [.genre: .extended, .origin: .extended]
            return wanted
        }

        /// The content for an entry of a list.
        var brief: ContentPreferences {
            var wanted = ContentPreferences()
            wanted.language = language
            wanted.origin = true
            return wanted
        }

        /// Returns the address of a small picture of a match; `nil` if there is none.
        func thumb(_ match: MusicMatch) async throws(EarshotError) -> String? {
            var wanted = ContentPreferences()
            (wanted.coverArt, wanted.artistImages) = (true, true)
            wanted.imageSizes = [.small, .thumbnail]
            if let album = match.album.id { return try await service.album(album, wanted)?.album.coverArt?.url }
            guard match.track.title == nil, let artist = match.artist.id else { return nil }
            return try await service.artist(artist, wanted)?.artist.image?.url
        }
    }

    // MARK: - Search

    private func search(_ asked: Asked) async throws -> Response {
        let question = try MusicQuestion(asked.context.request.uri.query)
        var matches: [MusicMatch] = []
        if !question.isEmpty {
            if let query = question.lyricQuery {
                matches = try await asked.service.search(query, asked.brief)
            } else if let query = question.musicQuery {
                matches = try await asked.service.search(query, asked.brief)
            }
        }
        var rows: [MusicRow] = []
        for match in matches.prefix(MusicQuestion.pageSize) {
            var row = MusicRow(match, thumb: try await asked.thumb(match), asked.words)
            if question.scope == .lyrics, let id = match.track.id {
                row.line = question.line(of: try await music.lyrics(of: id))
            }
            rows.append(row)
        }
        let hasMore = matches.count > MusicQuestion.pageSize
        return try pages.response(
            SearchPage(question, rows: rows, hasMore: hasMore, asked.words),
            for: asked.context
        )
    }

    // MARK: - Pages of one thing

    private func track(_ asked: Asked) async throws -> Response {
        let id = try asked.context.path("id")
        guard let match = try await asked.service.track(EntityID(id), asked.everything), let known = match.track.id
        else {
            throw EarshotError.missing("track", id)
        }
        // A merged track redirects to the page of the one it was merged into.
        if known.rawValue != id { return .seeOther(MusicText.address(ofTrack: known)) }
        let words = asked.words
        let credits = match.track.credits ?? []
        var page = EntityPage()
        page.kind = words("music.track")
        page.heading = match.track.title ?? words("match.untitled")
        page.reading = match.track.titleReading
        page.artists = MusicText.artists(credits)
        if page.artists.isEmpty, let name = match.artist.name { page.artists = [LinkedText(name: name)] }
        page.cover = EntityPage.Cover(
            match.album.coverArt,
            words("match.coverOf", ["name": match.album.title ?? page.heading])
        )
        page.facts = trackFacts(match, words) + MusicText.roles(credits, words)
        page.links = MusicText.links((match.track.links ?? []) + (match.album.links ?? []))
        page.identifiers = MusicText.identifiers(match.track.identifiers ?? [], words)
        if let id = match.album.id, let album = try await music.album(id) {
            let tracks = Array(try await music.tracks(of: id).prefix(Self.trackLimit))
            if tracks.count > 1 {
                page.discs = AlbumDisc.discs(tracks, of: album, current: known, language: asked.language, words)
                page.discsHeading = words("music.moreOfAlbum")
            }
            page.articles += article(words("music.review"), match.album.review, album.review)
        }
        page.articles += try await biography(match, words)
        page.verses = verses(try await music.lyrics(of: known))
        return try pages.response(page.completed(words), for: asked.context)
    }

    private func trackFacts(_ match: MusicMatch, _ words: PageWords) -> [MusicFact] {
        let (track, album) = (match.track, match.album)
        var facts: [MusicFact?] = []
        if let title = album.title {
            let year = album.releaseYear.map { " (\($0))" } ?? ""
            let link = LinkedText(name: title, address: album.id.map(MusicText.address(ofAlbum:)), joint: year)
            facts.append(MusicFact(words("music.album"), [link]))
        }
        if track.number > 0 {
            let number =
                track.discTrackCount.map { words("music.numberOf", ["number": "\(track.number)", "count": "\($0)"]) }
                ?? "\(track.number)"
            let disc = track.discNumber.map { words("music.onDisc", ["number": number, "disc": "\($0)"]) }
            facts.append(MusicFact(words("music.number"), disc ?? number))
        }
        facts.append(MusicFact(words("music.duration"), MusicText.duration(track.duration)))
        facts.append(MusicFact(words("match.genre"), track.genres))
        facts.append(MusicFact(words("match.mood"), track.mood))
        facts.append(MusicFact(words("match.tempo"), track.tempo))
        return facts.compactMap(\.self) + artistFacts(match, words)
    }

    private func artistFacts(_ match: MusicMatch, _ words: PageWords) -> [MusicFact] {
        [
            MusicFact(words("match.from"), match.artist.origin), MusicFact(words("music.era"), match.artist.era),
            MusicFact(words("music.artistType"), match.artist.type),
        ].compactMap(\.self)
    }

    private func album(_ asked: Asked) async throws -> Response {
        let id = try asked.context.path("id")
        guard let match = try await asked.service.album(EntityID(id), asked.everything), let known = match.album.id,
            let album = try await music.album(known)
        else { throw EarshotError.missing("album", id) }
        if known.rawValue != id { return .seeOther(MusicText.address(ofAlbum: known)) }
        let words = asked.words
        let tracks = Array(try await music.tracks(of: known).prefix(Self.trackLimit))
        var page = EntityPage()
        page.kind = words("music.album")
        page.heading = match.album.title ?? words("match.untitled")
        page.reading = match.album.titleReading
        page.artists = MusicText.artists(album.credits)
        page.cover = EntityPage.Cover(match.album.coverArt, words("match.coverOf", ["name": page.heading]))
        page.facts =
            [
                MusicFact(words("music.published"), album.date?.description),
                MusicFact(words("music.discs"), match.album.discCount.map(String.init)),
                MusicFact(words("match.genre"), match.album.genres),
            ].compactMap(\.self) + artistFacts(match, words) + MusicText.roles(album.credits, words)
        page.links = MusicText.links(match.album.links ?? [])
        page.identifiers = MusicText.identifiers(match.album.identifiers ?? [], words)
        page.discs = AlbumDisc.discs(tracks, of: album, current: nil, language: asked.language, words)
        page.discsHeading = words("music.tracks")
        page.summary = AlbumDisc.summary(tracks, words)
        page.articles = article(words("music.review"), match.album.review, album.review)
        page.articles += try await biography(match, words)
        return try pages.response(page.completed(words), for: asked.context)
    }

    private func artist(_ asked: Asked) async throws -> Response {
        let id = try asked.context.path("id")
        guard let match = try await asked.service.artist(EntityID(id), asked.everything), let known = match.artist.id,
            let artist = try await music.artist(known)
        else { throw EarshotError.missing("artist", id) }
        if known.rawValue != id { return .seeOther(MusicText.address(ofArtist: known)) }
        let words = asked.words
        let offset = min(max(0, (try? asked.context.number("offset", 0...10_000, default: 0)) ?? 0), 10_000)
        let albums = try await music.albums(of: known, offset: offset, limit: Self.albumsPage + 1)
        var page = EntityPage()
        page.kind = words("music.artist")
        page.heading = match.artist.name ?? words("match.untitled")
        page.reading = match.artist.reading
        page.cover = EntityPage.Cover(match.artist.image, words("music.pictureOf", ["name": page.heading]))
        page.facts =
            artistFacts(match, words)
            + [MusicFact(words("music.alsoKnown"), match.artist.alternates?.joined(separator: ", "))].compactMap(\.self)
        if asked.service.entitlements.contains(.links) { page.links = MusicText.links(artist.links) }
        page.identifiers = MusicText.identifiers(artist.identifiers.map(\.description).sorted(), words)
        for album in albums.prefix(Self.albumsPage) {
            guard let match = try await asked.service.album(album.id, asked.brief) else { continue }
            page.rows.append(MusicRow(match, thumb: try await asked.thumb(match), words))
        }
        page.tellsAlbums = true
        let address = MusicText.address(ofArtist: known)
        if offset > 0 { page.previous = "\(address)?offset=\(max(0, offset - Self.albumsPage))" }
        if albums.count > Self.albumsPage { page.next = "\(address)?offset=\(offset + Self.albumsPage)" }
        page.search = LinkedText(
            name: words("music.searchTracks", ["name": page.heading]),
            address: "/search?q=\(MusicText.escaped(page.heading))"
        )
        page.articles = try await biography(match, words)
        return try pages.response(page.completed(words), for: asked.context)
    }

    // MARK: - Texts

    private func article(_ heading: String, _ paragraphs: [String]?, _ whole: Paragraphs?) -> [EntityPage.Article] {
        guard let paragraphs, !paragraphs.isEmpty else { return [] }
        return [EntityPage.Article(heading: heading, paragraphs: paragraphs, attribution: whole?.attribution)]
    }

    private func biography(_ match: MusicMatch, _ words: PageWords) async throws(EarshotError) -> [EntityPage.Article] {
        guard let paragraphs = match.artist.biography, let id = match.artist.id else { return [] }
        let artist = try await music.artist(id)
        return article(words("music.about", ["name": artist?.name.text ?? ""]), paragraphs, artist?.biography)
    }

    private func verses(_ lyrics: [Lyrics]) -> [EntityPage.Verses] {
        lyrics.filter { !$0.lines.isEmpty }.map { lyrics in
            EntityPage.Verses(
                language: lyrics.language.map(ISOCodes.shortLanguage),
                lines: lyrics.lines.map(\.text).joined(separator: "\n"),
                attribution: lyrics.attribution
            )
        }
    }
}
