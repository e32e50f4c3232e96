import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition
import EarshotSignatures
import Foundation

@testable import EarshotClient

/// The wire protocol in front of any service, as small as a test needs it.
enum ServiceServer {
    static let identifier = "12345678-ABCDEFGHIJKLMNOPQRSTUVWXYZ012345"
    static let token = "token-1"

    /// Limits that a machine does not come near that does much else: a test of a limit sets its own.
    static var patient: HTTPRecognitionService.Options {
        var options = HTTPRecognitionService.Options()
        options.requestLimit = MediaTime(value: 600, timescale: 1)
        options.connectLimit = options.requestLimit
        return options
    }

    static func json(_ value: some Encodable, status: Int = 200) -> StubServer.Response {
        StubServer.Response(status: status, body: (try? ServiceAPI.encoder().encode(value)) ?? Data())
    }

    static func failure(
        _ code: EarshotError.Code,
        _ message: String,
        status: Int,
        headers: [(String, String)] = []
    ) -> StubServer.Response {
        var response = json(Failure(EarshotError(code, message)), status: status)
        response.headers += headers
        return response
    }

    static func tokens(_ request: StubServer.Request, expiresIn: Int = 3600) -> StubServer.Response {
        json(TokenAnswer(token: token, expiresIn: expiresIn, client: "12345678", entitlements: Entitlement.allCases))
    }

    /// Answers as a service does, out of another one. Content has the addresses of that one behind `/content?a=`.
    static func handler(_ service: any RecognitionService) -> StubServer.Handler {
        { request in
            do {
                return try await answer(request, service)
            } catch let error as EarshotError {
                return failure(error.code, error.message, status: 400)
            } catch {
                return failure(.internalError, "\(error)", status: 500)
            }
        }
    }

    private static func answer(
        _ request: StubServer.Request,
        _ service: any RecognitionService
    ) async throws -> StubServer.Response {
        if request.path == "/v1/tokens" { return tokens(request) }
        if request.path == "/content" {
            let answer = try await service.content(at: request.query["a"] ?? "")
            return StubServer.Response(
                status: answer.status,
                headers: [("content-type", answer.mimeType)],
                body: answer.bytes
            )
        }
        guard request.headers["authorization"] == "Bearer \(token)" else {
            return failure(.tokenRejected, "No token.", status: 401)
        }
        let query = request.query
        let preferences = try ContentPreferences(parameters: query.map { ($0.key, $0.value) })
        let (offset, limit) = (Int(query["offset"] ?? "") ?? 0, Int(query["limit"] ?? "") ?? 10)
        let parts = request.path.split(separator: "/")
        var matches: [MusicMatch]
        switch parts.dropFirst().first {
        case "recognitions":
            let signature = try Signature(data: request.body)
            let kind = RecognitionQuery.Kind(rawValue: query["kind"] ?? "") ?? .stream
            matches = try await service.recognize(RecognitionQuery(signature, kind: kind), preferences)
        case "search":
            let query = MusicQuery(
                query["q"],
                artist: query["artist"],
                album: query["album"],
                track: query["track"],
                isTyping: query["typing"] == "1",
                offset: offset,
                limit: limit
            )
            matches = try await service.search(query, preferences)
        case "lyrics":
            let query = LyricQuery(query["fragment"] ?? "", artist: query["artist"], offset: offset, limit: limit)
            matches = try await service.search(query, preferences)
        case "tracks": matches = try await service.track(EntityID(String(parts[2])), preferences).map { [$0] } ?? []
        case "albums": matches = try await service.album(EntityID(String(parts[2])), preferences).map { [$0] } ?? []
        default: return failure(.requestInvalid, "There is no such path.", status: 404)
        }
        if matches.isEmpty, ["tracks", "albums"].contains(parts[1]) {
            return failure(.entityNotFound, "There is no such thing.", status: 404)
        }
        for index in matches.indices { address(&matches[index]) }
        return json(MatchList(matches))
    }

    /// Addresses relative to the service.
    private static func address(_ match: inout MusicMatch) {
        func relative(_ address: String) -> String { "/content?a=" + HTTPCall.escaped(address) }
        if let url = match.album.coverArt?.url { match.album.coverArt?.url = relative(url) }
        if let url = match.artist.image?.url { match.artist.image?.url = relative(url) }
        match.album.reviewURL = match.album.reviewURL.map(relative)
        match.artist.biographyURL = match.artist.biographyURL.map(relative)
    }
}

/// The two ways to a service: what is promised holds on both.
enum ServicePath: String, CaseIterable, Sendable {
    case inProcess, http

    /// Gives a client to a body.
    func withClient<Result>(
        of service: any RecognitionService,
        policy: RecognitionClient.Policy = .init(),
        microphone: RecognitionClient.Microphone? = nil,
        files: RecognitionClient.FileOpener? = nil,
        cache: ResultCache? = nil,
        history: (any HistoryRecording)? = nil,
        debugLog: RecognitionClient.DebugLog? = nil,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (RecognitionClient, ClientConfiguration) async throws -> Result
    ) async throws -> Result {
        let configuration = try ClientConfiguration(clientIdentifier: ServiceServer.identifier)
        func client(_ service: any RecognitionService) -> RecognitionClient {
            RecognitionClient(
                service: service,
                policy: policy,
                microphone: microphone,
                files: files,
                cache: cache,
                history: history,
                debugLog: debugLog
            )
        }
        switch self {
        case .inProcess: return try await body(client(service), configuration)
        case .http:
            return try await StubServer.with(ServiceServer.handler(service)) { server in
                try await body(
                    client(
                        HTTPRecognitionService(server.url, configuration: configuration, options: ServiceServer.patient)
                    ),
                    configuration
                )
            }
        }
    }
}
