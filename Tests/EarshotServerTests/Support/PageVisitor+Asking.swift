import EarshotAPI
import EarshotRecognition
import Foundation
import NIOHTTP1

@testable import EarshotServer

extension PageVisitor.Reply {
    func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try ServiceAPI.decoder().decode(type, from: Data(text.utf8))
    }

    /// The matches that it tells.
    var matches: [MusicMatch] { (try? decoded(MatchList.self))?.matches ?? [] }
}

extension PageVisitor {
    /// Asks as a page of the browser does, with the mark that it has now.
    func ask(_ method: HTTPMethod, _ path: String, body: Data? = nil, type: String? = nil) async throws -> Reply {
        try await send(method, path, body: body, type: type, mark: try await mark())
    }

    func ask(_ method: HTTPMethod, _ path: String, json: some Encodable) async throws -> Reply {
        try await ask(method, path, body: try ServiceAPI.encoder().encode(json))
    }

    /// Loads a page.
    func page(_ path: String, language: String = "en") async throws -> Reply {
        try await send(.GET, path, headers: [("Accept-Language", language), ("Accept", "text/html")])
    }
}
