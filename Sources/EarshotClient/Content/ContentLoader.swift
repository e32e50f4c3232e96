public import EarshotCore
import EarshotMusic
public import EarshotRecognition
public import Foundation

/// Loads what answers only have the address of: covers, pictures of artists, reviews and biographies.
///
/// Addresses end after a while that the service chooses. What is answered decides what is done:
///
/// | status | what is done |
/// |---|---|
/// | 500 | the same address once more |
/// | 412, and any other 4xx | the match is fetched by its identifier, and its new address tried once |
///
/// What fails then is logged once and not tried again. Requests for the same kind of content of the same album are one
/// request, and what was loaded is kept, so many bytes of it.
public actor ContentLoader {
    /// A picture.
    public struct Image: Hashable, Sendable {
        /// Its bytes.
        public let data: Data
        /// The type of the bytes, as the service stated it with them.
        public let mimeType: String
        /// The square that it fits.
        public let size: ImageSize
        /// `true` if it is art that stands for a genre.
        public let isGenreArt: Bool
        /// Who made it, and under which license: shown with it.
        public let attribution: String?
    }

    /// A text.
    public struct Text: Hashable, Sendable {
        /// The text, a string for each paragraph, in order.
        public let paragraphs: [String]
        /// Who wrote it, and under which license: shown with it.
        public let attribution: String?
    }

    enum Kind: String, Hashable {
        case cover, artist, review, biography
    }

    private struct Key: Hashable {
        let kind: Kind
        /// The album, or what stands for it in its absence.
        let id: String
    }

    private let service: any RecognitionService
    private let preferences: ContentPreferences
    private let limit: Int
    private let log: (@Sendable (String) -> Void)?
    private var loading: [Key: Task<Result<ContentAnswer, EarshotError>, Never>] = [:]
    private var kept: [Key: ContentAnswer] = [:]
    private var order: [Key] = []
    /// How many bytes are kept.
    public private(set) var keptBytes = 0

    /// A loader that has loaded nothing.
    ///
    /// - Parameters:
    ///   - service: Where the matches come from.
    ///   - configuration: What was wanted of it.
    ///   - limit: How many bytes are kept: 16 MiB where nobody says otherwise.
    ///   - log: Takes a line for each content that could not be loaded.
    public init(
        service: any RecognitionService,
        configuration: ClientConfiguration,
        limit: Int = 16 << 20,
        log: (@Sendable (String) -> Void)? = nil
    ) {
        self.service = (service as? any ConfiguredService)?.configured(configuration) ?? service
        preferences = configuration.preferences
        self.limit = limit
        self.log = log
    }

    // MARK: - Content

    /// The cover of a match, or the art that stands for it; `nil` if it has none.
    ///
    /// - Throws: Why it cannot be loaded.
    public func coverArt(of match: MusicMatch) async throws(EarshotError) -> Image? {
        guard let image = match.album.coverArt else { return nil }
        return Self.image(image, try await load(.cover, of: match, at: image.url))
    }

    /// The picture of a match's artist; `nil` if there is none.
    ///
    /// - Throws: Why it cannot be loaded.
    public func artistImage(of match: MusicMatch) async throws(EarshotError) -> Image? {
        guard let image = match.artist.image else { return nil }
        return Self.image(image, try await load(.artist, of: match, at: image.url))
    }

    /// The review of a match's album; `nil` if there is none.
    ///
    /// - Throws: Why it cannot be loaded; `malformedResponse` for what is no text.
    public func review(of match: MusicMatch) async throws(EarshotError) -> Text? {
        guard let address = match.album.reviewURL else { return nil }
        return try Self.text(try await load(.review, of: match, at: address))
    }

    /// The biography of a match's artist; `nil` if there is none.
    ///
    /// - Throws: Why it cannot be loaded; `malformedResponse` for what is no text.
    public func biography(of match: MusicMatch) async throws(EarshotError) -> Text? {
        guard let address = match.artist.biographyURL else { return nil }
        return try Self.text(try await load(.biography, of: match, at: address))
    }

    private static func image(_ image: ContentImage, _ answer: ContentAnswer) -> Image {
        Image(
            data: answer.bytes,
            mimeType: answer.mimeType.isEmpty ? image.mimeType : answer.mimeType,
            size: image.size,
            isGenreArt: image.isGenreArt,
            attribution: image.attribution
        )
    }

    private static func text(_ answer: ContentAnswer) throws(EarshotError) -> Text {
        struct Wire: Decodable {
            let paragraphs: [String]
            let attribution: String?
        }
        do {
            let wire = try JSONDecoder().decode(Wire.self, from: answer.bytes)
            return Text(paragraphs: wire.paragraphs, attribution: wire.attribution)
        } catch {
            throw EarshotError(.malformedResponse, "A text cannot be understood: try again.", cause: error)
        }
    }

    // MARK: - Loading

    private func load(_ kind: Kind, of match: MusicMatch, at address: String) async throws(EarshotError)
        -> ContentAnswer
    {
        let key = Key(
            kind: kind,
            id: match.album.id?.rawValue ?? match.track.id.map { "track:" + $0.rawValue } ?? address
        )
        if let answer = kept[key] {
            // What is used stays longest.
            order.removeAll { $0 == key }
            order.append(key)
            return answer
        }
        if let task = loading[key] { return try await task.value.get() }
        // The request is everybody's who asks meanwhile: it goes on when one of them is cancelled.
        let fetch = ContentFetch(service: service, preferences: preferences, kind: kind, match: match)
        let task = Task { await fetch.content(at: address) }
        loading[key] = task
        let result = await task.value
        loading[key] = nil
        switch result {
        case .success(let answer): keep(answer, key)
        case .failure(let error): log?("content: the \(kind.rawValue) of \(key.id) cannot be loaded: \(error.message)")
        }
        return try result.get()
    }

    private func keep(_ answer: ContentAnswer, _ key: Key) {
        guard answer.bytes.count <= limit else { return }
        kept[key] = answer
        order.append(key)
        keptBytes += answer.bytes.count
        while keptBytes > limit, !order.isEmpty {
            keptBytes -= kept.removeValue(forKey: order.removeFirst())?.bytes.count ?? 0
        }
    }
}
