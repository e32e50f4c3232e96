import AsyncHTTPClient
import EarshotAPI
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@testable import EarshotServer

/// A browser at the pages of the service, which does not follow where they lead.
struct TestBrowser: Sendable {
    let service: TestService
    var site = "same-origin"

    /// The code of the address that leads back to an app.
    static func code(_ location: URL?) throws -> String {
        let items = URLComponents(string: try #require(location).absoluteString)?.queryItems ?? []
        return try #require(items.first { $0.name == "code" }?.value)
    }

    /// The hidden fields of a page.
    func fields(_ path: String) async throws -> [(String, String)] {
        Self.fields(of: String(decoding: try await service.ask(.GET, path).bytes, as: UTF8.self))
    }

    /// The hidden fields of a page.
    static func fields(of page: String) -> [(String, String)] {
        page.matches(of: /type="hidden" name="([^"]*)" value="([^"]*)"/).map {
            (String($0.output.1), String($0.output.2).replacing("&amp;", with: "&"))
        }
    }

    /// Logs in by the form of a page, or makes an account.
    func logIn(
        _ fields: [(String, String)],
        _ name: String,
        _ password: String = "correct horse",
        action: String = "login"
    ) async throws -> (status: Int, location: URL?, page: String) {
        let entered = [("name", name), ("password", password), ("action", action)]
        return try await send("/authorize", fields + entered)
    }

    /// Types in what a device shows.
    func enter(_ code: String) async throws -> (status: Int, location: URL?, page: String) {
        try await send("/device", try await fields("/device") + [("code", code), ("action", "look")])
    }

    /// Types in what a device shows, and answers the page that names the app.
    ///
    /// - Parameter action: `login`, `create` or `refuse`.
    func answer(
        _ code: String,
        _ action: String,
        _ name: String,
        _ password: String = "correct horse"
    ) async throws -> (status: Int, location: URL?, page: String) {
        let asked = try await enter(code)
        guard asked.status == 200 else { return asked }
        let entered = [("name", name), ("password", password), ("action", action)]
        return try await send("/device", Self.fields(of: asked.page) + entered)
    }

    func send(_ path: String, _ fields: [(String, String)]) async throws -> (
        status: Int, location: URL?, page: String
    ) {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        let client = HTTPClient(configuration: configuration)
        let allowed = CharacterSet.alphanumerics
        let form = fields.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")"
        }
        var request = HTTPClientRequest(url: service.base + path)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        request.headers.add(name: "Sec-Fetch-Site", value: site)
        request.body = .bytes(ByteBuffer(string: form.joined(separator: "&")))
        do {
            let response = try await client.execute(request, timeout: .seconds(60))
            let body = try await response.body.collect(upTo: 1 << 20)
            try await client.shutdown()
            return (
                Int(response.status.code), response.headers.first(name: "Location").flatMap { URL(string: $0) },
                String(buffer: body)
            )
        } catch {
            try await client.shutdown()
            throw error
        }
    }
}

extension TestService {
    /// Registers an app, and makes its client.
    func app(_ id: String = "sketcher") async throws -> ClientRecord {
        let client = try await client()
        let reply = try await ask(
            .PUT,
            "/v1/applications/\(id)",
            token: admin,
            json: ApplicationRecord(identifier: id, name: "The <App>", client: client.id)
        )
        #expect(reply.status == 200)
        return client
    }
}
