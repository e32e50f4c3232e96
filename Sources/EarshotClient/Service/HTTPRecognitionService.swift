import AsyncHTTPClient
import EarshotAPI
public import EarshotCore
public import EarshotMusic
public import EarshotRecognition
import EarshotSignatures
public import Foundation
import NIOHTTP1

/// A recognition service over HTTP.
///
/// ```swift
/// let service = HTTPRecognitionService(url, configuration: try ClientConfiguration(clientIdentifier: text))
/// let matches = try await service.recognize(RecognitionQuery(signature), ContentPreferences())
/// ```
///
/// The client identifier is exchanged for a token before the first request, and again before the token expires.
/// Requests that fail temporarily are repeated according to ``Options/retry``. Copies share their connections.
public struct HTTPRecognitionService: ConfiguredService {
    /// The address of the service, to which the paths of requests are appended.
    public let url: URL
    /// The time limits and retries of requests.
    public let options: Options

    let configuration: ClientConfiguration
    let base: String
    let connections: HTTPConnections

    /// Creates a client for the service at an address. Makes no request.
    ///
    /// - Parameters:
    ///   - url: The address, with `http:` or `https:`.
    ///   - configuration: The client that makes the requests.
    ///   - options: The time limits and retries of requests.
    public init(_ url: URL, configuration: ClientConfiguration, options: Options = Options()) {
        self.url = url
        self.options = options
        self.configuration = configuration
        var base = url.absoluteString
        while base.hasSuffix("/") { base.removeLast() }
        self.base = base
        connections = HTTPConnections(options)
    }

    init(_ other: HTTPRecognitionService, _ configuration: ClientConfiguration, options: Options? = nil) {
        url = other.url
        self.options = options ?? other.options
        base = other.base
        connections = other.connections
        self.configuration = configuration
    }

    /// Returns the same service with another client configuration. Connections are shared.
    public func configured(_ configuration: ClientConfiguration) -> any RecognitionService {
        HTTPRecognitionService(self, configuration)
    }

    // MARK: - Requests

    /// Recognizes a recording. Landmarks are sent; the spectrogram only with ``Options/sendsSpectrograms``, if the
    /// service reports that landmarks are not conclusive.
    ///
    /// - Returns: The matches, best first; empty if nothing was found.
    /// - Throws: The errors of a request.
    public func recognize(
        _ query: RecognitionQuery,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> [MusicMatch] {
        try await answer(to: query, preferences).matches
    }

    /// Recognizes a recording, and reports the part of the service's catalog that was searched.
    ///
    /// - Throws: The errors of a request.
    public func answer(
        to query: RecognitionQuery,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> RecognitionAnswer {
        let list = try value(MatchList.self, try await answer(to: query, preferences, at: "recognitions"))
        return RecognitionAnswer(matches: list.matches.map(resolved), searched: list.searched)
    }

    /// Recognizes a broadcast. Only the fingerprint is sent, never audio; the spectrogram only as in
    /// ``recognize(_:_:)``.
    ///
    /// - Throws: The errors of a request.
    public func recognizeBroadcast(
        _ query: RecognitionQuery,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> BroadcastAnswer {
        let bytes = try await answer(to: query, preferences, at: "broadcasts/recognitions")
        var answer = try value(BroadcastAnswer.self, bytes)
        for index in answer.matches.indices {
            answer.matches[index].music = answer.matches[index].music.map(resolved)
        }
        return answer
    }

    /// Searches for tracks, albums and artists by text, best match first.
    ///
    /// - Throws: The errors of a request.
    public func search(
        _ query: MusicQuery,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> [MusicMatch] {
        var parameters: [(String, String)] = []
        if let text = query.artist { parameters.append(("artist", text)) }
        if let text = query.album { parameters.append(("album", text)) }
        if let text = query.track { parameters.append(("track", text)) }
        if let text = query.anything { parameters.append(("q", text)) }
        if query.isTyping { parameters.append(("typing", "1")) }
        parameters += [("offset", String(query.offset)), ("limit", String(query.limit))]
        parameters += preferences.parameters.map { ($0.name, $0.value) }
        return try await matches(HTTPCall(.GET, path: "search", parameters: parameters))
    }

    /// Searches for tracks by words of their lyrics, best match first.
    ///
    /// - Throws: The errors of a request.
    public func search(
        _ query: LyricQuery,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> [MusicMatch] {
        var parameters = [("fragment", query.fragment)]
        if let text = query.artist { parameters.append(("artist", text)) }
        parameters += [("offset", String(query.offset)), ("limit", String(query.limit))]
        parameters += preferences.parameters.map { ($0.name, $0.value) }
        return try await matches(HTTPCall(.GET, path: "lyrics", parameters: parameters))
    }

    /// Fetches the metadata of a track; `nil` if the service does not know it.
    ///
    /// - Throws: The errors of a request.
    public func track(
        _ id: EntityID<Track>,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> MusicMatch? {
        try await entity("tracks", id.rawValue, preferences)
    }

    /// Fetches the metadata of an album; `nil` if the service does not know it.
    ///
    /// - Throws: The errors of a request.
    public func album(
        _ id: EntityID<Album>,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> MusicMatch? {
        try await entity("albums", id.rawValue, preferences)
    }

    /// Fetches the content at an address from a match, such as a cover. The token is not sent, because the address
    /// contains its own permission.
    ///
    /// - Throws: `malformedResponse` for an address that is not HTTP; the errors of a request. A response with an error
    ///   status is returned, not thrown.
    public func content(at address: String) async throws(EarshotError) -> ContentAnswer {
        let address = absolute(address)
        guard let scheme = URL(string: address)?.scheme?.lowercased(), ["http", "https"].contains(scheme) else {
            throw EarshotError(.malformedResponse, "\(address.prefix(80)) is no address of content: ask for a new one.")
        }
        let answer = try await repeating(takesAnyStatus: true) { () async -> Result<HTTPAnswer, EarshotError> in
            await send(HTTPClientRequest(url: address))
        }
        return ContentAnswer(status: answer.status, mimeType: answer.type, bytes: answer.body)
    }

    // MARK: - Parts

    /// Asks with landmarks, and once more with the spectrogram if the service wants it.
    private func answer(
        to query: RecognitionQuery,
        _ preferences: ContentPreferences,
        at path: String
    ) async throws(EarshotError) -> Data {
        let parameters = [("kind", query.kind.rawValue)] + preferences.parameters.map { ($0.name, $0.value) }
        func call(_ more: [(String, String)], _ body: Data) -> HTTPCall {
            HTTPCall(.POST, path: path, parameters: parameters + more, body: body, bodyType: ServiceAPI.signatureType)
        }
        let signature = query.signature
        guard options.sendsSpectrograms, signature.hasSpectrogram else {
            return try await authorized(call([], signature.data))
        }
        do {
            return try await authorized(call([(ServiceAPI.moreEvidence, "1")], signature.data))
        } catch {
            guard error.code == .moreEvidence else { throw error }
            return try await authorized(call([], signature.dataWithSpectrogram))
        }
    }

    private func entity(
        _ kind: String,
        _ id: String,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> MusicMatch? {
        guard !id.isEmpty else { return nil }
        let path = "\(kind)/\(HTTPCall.escaped(id))"
        let call = HTTPCall(.GET, path: path, parameters: preferences.parameters.map { ($0.name, $0.value) })
        do {
            return try await matches(call).first
        } catch {
            if error.code == .entityNotFound { return nil }
            throw error
        }
    }

    private func matches(_ call: HTTPCall) async throws(EarshotError) -> [MusicMatch] {
        try value(MatchList.self, try await authorized(call)).matches.map(resolved)
    }

    /// A match with absolute addresses.
    func resolved(_ match: MusicMatch) -> MusicMatch {
        var match = match
        if let address = match.album.coverArt?.url { match.album.coverArt?.url = absolute(address) }
        if let address = match.artist.image?.url { match.artist.image?.url = absolute(address) }
        match.album.reviewURL = match.album.reviewURL.map(absolute)
        match.artist.biographyURL = match.artist.biographyURL.map(absolute)
        return match
    }

    private func absolute(_ address: String) -> String {
        guard !address.contains("://"), let base = URL(string: base + "/") else { return address }
        return URL(string: address, relativeTo: base)?.absoluteString ?? address
    }
}

/// A recognition service whose requests depend on a client configuration, which can be replaced for each operation.
public protocol ConfiguredService: RecognitionService {
    /// Returns the same service with another client configuration.
    func configured(_ configuration: ClientConfiguration) -> any RecognitionService
}
