public import EarshotCore
import EarshotMusic
public import EarshotRecognition
public import Foundation

/// Loads the content that matches contain only the addresses of: covers, artist pictures, reviews and biographies.
///
/// Addresses expire after a time that the service chooses. The status of a response decides the next step:
///
/// | status | next step |
/// |---|---|
/// | 500 | the same address is tried once more |
/// | 412, and any other 4xx | the match is fetched again by its identifier, and its new address is tried once |
///
/// A request that then fails is logged once and not repeated. Concurrent requests for the same kind of content of the
/// same album share one request. Loaded content is cached in memory up to a limit in bytes.
public actor ContentLoader {
    /// A loaded cover or artist picture.
    public struct Image: Hashable, Sendable {
        /// The encoded bytes of the picture.
        public let data: Data
        /// The MIME type of the bytes as the service sent it, such as `image/jpeg`.
        public let mimeType: String
        /// The size class of the picture: the square into which it fits.
        public let size: ImageSize
        /// `true` for a picture of the genre in place of a missing cover.
        public let isGenreArt: Bool
        /// The author and license, to be shown with the picture; `nil` if the service names none.
        public let attribution: String?
    }

    /// A loaded review or biography.
    public struct Text: Hashable, Sendable {
        /// The text, a string for each paragraph, in order.
        public let paragraphs: [String]
        /// The author and license, to be shown with the text; `nil` if the service names none.
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
    /// The total size of the cached content, in bytes.
    public private(set) var keptBytes = 0

    /// Creates a loader with an empty cache.
    ///
    /// - Parameters:
    ///   - service: The service that the matches come from.
    ///   - configuration: The configuration that the matches were requested with.
    ///   - limit: The largest total size of the cache, in bytes. Default: 16 MiB.
    ///   - log: Called with one line for each content that could not be loaded.
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

    /// Returns the cover of a match's album, or genre art in its place; `nil` if the match has the address of neither.
    ///
    /// - Throws: The error of the request that failed.
    public func coverArt(of match: MusicMatch) async throws(EarshotError) -> Image? {
        guard let image = match.album.coverArt else { return nil }
        return Self.image(image, try await load(.cover, of: match, at: image.url))
    }

    /// Returns the picture of a match's artist; `nil` if the match has no address of one.
    ///
    /// - Throws: The error of the request that failed.
    public func artistImage(of match: MusicMatch) async throws(EarshotError) -> Image? {
        guard let image = match.artist.image else { return nil }
        return Self.image(image, try await load(.artist, of: match, at: image.url))
    }

    /// Returns the review of a match's album; `nil` if the match has no address of one.
    ///
    /// - Throws: The error of the request that failed; `malformedResponse` if the response is not text.
    public func review(of match: MusicMatch) async throws(EarshotError) -> Text? {
        guard let address = match.album.reviewURL else { return nil }
        return try Self.text(try await load(.review, of: match, at: address))
    }

    /// Returns the biography of a match's artist; `nil` if the match has no address of one.
    ///
    /// - Throws: The error of the request that failed; `malformedResponse` if the response is not text.
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
            throw EarshotError(.malformedResponse, "The response of the service is no text: try again.", cause: error)
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
        // The request is everybody's who asks meanwhile: it goes on when one of them is canceled.
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
