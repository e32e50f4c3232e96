import EarshotCatalogs
public import EarshotCore
import EarshotMusic
import Foundation

extension LocalRecognitionService {
    /// The match for a candidate.
    func match(
        _ candidate: MatchCandidate,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> MusicMatch {
        var match = MusicMatch()
        match.placement = candidate.placement
        match.songPosition = candidate.songPosition
        match.score = candidate.score
        if let album = candidate.album { try await describe(album, in: &match, preferences) }
        if let track = candidate.track { try await describe(track, on: candidate.album, in: &match, preferences) }
        if candidate.track == nil, let item = candidate.item { describe(item, in: &match) }
        let own = candidate.track?.credits ?? []
        let credits = own.isEmpty ? candidate.album?.credits ?? [] : own
        match.track.credits = credits.nilIfEmpty
        if let artist = try await artist(of: credits) {
            try await describe(artist, in: &match, preferences)
        }
        return match
    }

    // MARK: - Parts

    private func describe(
        _ album: Album,
        in match: inout MusicMatch,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) {
        let language = preferences.language.flatMap(ISOCodes.language)
        match.album.id = album.id
        match.album.title = album.title.text(in: language)
        match.album.titleReading = album.title.reading
        let artist = try await artist(of: album.credits)
        match.album.artist = try await name(of: album.credits, language)
        match.album.artistReading = artist?.name.reading
        match.album.artistAlternates = artist?.name.alternates.nilIfEmpty
        match.album.releaseYear = album.date.map { String($0.year) }
        match.album.trackCount = album.trackCount ?? -1
        if album.media.count > 1 { match.album.discCount = album.media.count }
        match.album.identifiers = album.identifiers.map(\.description).sorted().nilIfEmpty
        match.album.genres = genres(album.genres, preferences)
        match.track.genres = match.album.genres
        if entitlements.contains(.links) { match.album.links = album.links.nilIfEmpty }
        if entitlements.contains(.reviews), let review = album.review, review.paragraphs(in: language) != nil {
            if preferences.review { match.album.review = review.paragraphs(in: language) }
            match.album.reviewURL = addresses.address(of: .review(album.id, language: language))
        }
        if preferences.coverArt, entitlements.contains(.coverArt) {
            match.album.coverArt = try await image(album.pictures, preferences)
            if match.album.coverArt == nil, preferences.genreArt, pictures != nil {
                match.album.coverArt = genreArt(album.genres, preferences)
            }
        }
    }

    private func describe(
        _ track: Track,
        on album: Album?,
        in match: inout MusicMatch,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) {
        let language = preferences.language.flatMap(ISOCodes.language)
        match.track.id = track.id
        match.track.title = track.title.text(in: language)
        match.track.titleReading = track.title.reading
        match.track.number = track.place?.number ?? -1
        if let place = track.place, let album {
            if album.media.count > 1 { match.track.discNumber = place.medium }
            match.track.discTrackCount = album.media.first { $0.position == place.medium }?.trackCount
        }
        match.track.duration = track.duration
        match.artist.name = track.credits.isEmpty ? match.album.artist : try await name(of: track.credits, language)
        if !track.genres.isEmpty { match.track.genres = genres(track.genres, preferences) }
        match.track.identifiers = track.identifiers.map(\.description).sorted().nilIfEmpty
        if entitlements.contains(.links) { match.track.links = track.links.nilIfEmpty }
        if preferences.mood, entitlements.contains(.mood) {
            match.track.mood = descriptors(.mood, track.mood, preferences)
        }
        if preferences.tempo, entitlements.contains(.tempo) {
            match.track.tempo = descriptors(.tempo, track.tempo, preferences)
        }
    }

    func describe(
        _ artist: Artist,
        in match: inout MusicMatch,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) {
        let language = preferences.language.flatMap(ISOCodes.language)
        match.artist.id = artist.id
        match.artist.name = match.artist.name ?? match.album.artist ?? artist.name.text(in: language)
        match.artist.reading = artist.name.reading
        match.artist.alternates = artist.name.alternates.nilIfEmpty
        if preferences.artistDescriptors {
            match.artist.origin = descriptors(.origin, artist.origin, preferences)
            match.artist.era = descriptors(.era, artist.era, preferences)
            match.artist.type = descriptors(.artistType, artist.type, preferences)
        }
        if entitlements.contains(.biographies), let biography = artist.biography,
            biography.paragraphs(in: language) != nil
        {
            if preferences.biography { match.artist.biography = biography.paragraphs(in: language) }
            match.artist.biographyURL = addresses.address(of: .biography(artist.id, language: language))
        }
        if preferences.artistImages, entitlements.contains(.artistImages) {
            match.artist.image = try await image(artist.pictures, preferences)
        }
    }

    /// Describes a match by its media item, if no track is known.
    private func describe(_ item: MediaItem, in match: inout MusicMatch) {
        match.track.title = item.title ?? match.track.title
        match.artist.name = item.artist ?? match.artist.name
        match.album.title = item[.album]?.string ?? match.album.title
        match.track.id = match.track.id ?? item.serviceID.map { EntityID($0) }
        match.track.identifiers = item.isrc.flatMap { MusicIdentifier(.isrc, $0) }.map { [$0.description] }
        if match.track.genres.isEmpty, let names = item[.genres]?.array?.compactMap(\.string) {
            let ids = names.compactMap { taxonomies.node(.genre, matching: $0)?.id }
            match.track.genres = ids.first.map { taxonomies.descriptors(.genre, for: $0) } ?? []
        }
    }

    // MARK: - Names and descriptors

    /// The artist that a biography and a picture are of: the first of whom more than a name is known.
    private func artist(of credits: [ArtistCredit]) async throws(EarshotError) -> Artist? {
        for credit in credits where credit.role == .main || credit.role == .featured {
            if let id = credit.artist, let artist = try await music.artist(id) { return artist }
        }
        return nil
    }

    /// The names of those whose work it is, each in a language where it has a name in it.
    private func name(of credits: [ArtistCredit], _ language: String?) async throws(EarshotError) -> String? {
        guard let language else { return credits.displayName.nilIfEmpty }
        var shown: [ArtistCredit] = []
        for var credit in credits {
            if let id = credit.artist, let artist = try await music.artist(id),
                let translation = artist.name.translations[language]
            {
                credit.name = translation
            }
            shown.append(credit)
        }
        return shown.displayName.nilIfEmpty
    }

    private func genres(_ ids: [String], _ preferences: ContentPreferences) -> [Descriptor] {
        ids.first.map { descriptors(.genre, $0, preferences) } ?? []
    }

    private func descriptors(
        _ kind: DescriptorKind,
        _ id: String?,
        _ preferences: ContentPreferences
    ) -> [Descriptor] {
        guard let id else { return [] }
        return taxonomies.descriptors(
            kind,
            for: id,
            level: preferences.level(kind),
            language: preferences.language,
            country: preferences.country
        )
    }

    // MARK: - Pictures

    /// The first of the wanted sizes that there is of the best picture.
    private func image(
        _ ids: [EntityID<Picture>],
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> ContentImage? {
        for id in ids {
            guard let (picture, _) = try await music.picture(id), picture.kind != .back else { continue }
            let size = preferences.imageSizes.first { $0.isAvailable(width: picture.width, height: picture.height) }
            guard let size else { continue }
            return ContentImage(
                url: addresses.address(of: .picture(id, size)),
                size: size,
                mimeType: pictures == nil ? picture.mimeType : "image/png",
                attribution: picture.attribution
            )
        }
        return nil
    }

    private func genreArt(_ genres: [String], _ preferences: ContentPreferences) -> ContentImage? {
        let top = genres.first.flatMap { taxonomies.descriptors(.genre, for: $0).first?.id }
        guard let top, let size = preferences.imageSizes.first else { return nil }
        return ContentImage(url: addresses.address(of: .genreArt(top, size)), size: size, isGenreArt: true)
    }

    // MARK: - Content

    /// Returns the picture or text at an address; a response with status 404 or 412 if there is none, or the address
    /// has expired.
    public func content(at address: String) async throws(EarshotError) -> ContentAnswer {
        switch addresses.reference(at: address) {
        case .failure(let refusal): return ContentAnswer(status: refusal.status)
        case .success(let reference): return try await content(reference)
        }
    }

    /// Returns a picture or text; a response with status 404 if there is none.
    public func content(_ reference: ContentReference) async throws(EarshotError) -> ContentAnswer {
        switch reference {
        case .picture(let id, let size):
            guard let (picture, bytes) = try await music.picture(id) else { return ContentAnswer(status: 404) }
            guard let pictures else { return ContentAnswer(status: 200, mimeType: picture.mimeType, bytes: bytes) }
            let scaled = try await pictures.picture(bytes, fitting: size)
            return ContentAnswer(status: 200, mimeType: "image/png", bytes: scaled)
        case .original(let id):
            guard let (picture, bytes) = try await music.picture(id) else { return ContentAnswer(status: 404) }
            return ContentAnswer(status: 200, mimeType: picture.mimeType, bytes: bytes)
        case .scaled(let id, let side):
            guard let (picture, bytes) = try await music.picture(id) else { return ContentAnswer(status: 404) }
            guard let pictures, max(picture.width, picture.height) > side else {
                return ContentAnswer(status: 200, mimeType: picture.mimeType, bytes: bytes)
            }
            let scaled = try await pictures.picture(bytes, longerSide: side)
            return ContentAnswer(status: 200, mimeType: "image/png", bytes: scaled)
        case .genreArt(let id, let size):
            guard let pictures else { return ContentAnswer(status: 404) }
            // An operator's own art for a genre stands in the store under its name.
            if let (_, bytes) = try await music.picture(EntityID("genre:\(id)")) {
                let scaled = try await pictures.picture(bytes, fitting: size)
                return ContentAnswer(status: 200, mimeType: "image/png", bytes: scaled)
            }
            return ContentAnswer(status: 200, mimeType: "image/png", bytes: try await pictures.genreArt(id, size))
        case .review(let id, let language):
            return try paragraphs(try await music.album(id)?.review, language)
        case .biography(let id, let language):
            return try paragraphs(try await music.artist(id)?.biography, language)
        }
    }

    private func paragraphs(_ text: Paragraphs?, _ language: String?) throws(EarshotError) -> ContentAnswer {
        guard let paragraphs = text?.paragraphs(in: language) else { return ContentAnswer(status: 404) }
        struct Text: Encodable {
            let paragraphs: [String]
            let attribution: String?
        }
        do {
            let bytes = try JSONEncoder.sorted().encode(Text(paragraphs: paragraphs, attribution: text?.attribution))
            return ContentAnswer(status: 200, mimeType: "application/json", bytes: bytes)
        } catch {
            throw EarshotError(.internalError, "A text could not be encoded: please report this.", cause: error)
        }
    }
}

extension Collection {
    /// Nothing in place of an empty collection.
    fileprivate var nilIfEmpty: Self? { isEmpty ? nil : self }
}
