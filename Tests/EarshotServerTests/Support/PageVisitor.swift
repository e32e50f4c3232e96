import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization
import Testing

@testable import EarshotServer

/// A browser at the pages for people: it keeps its cookie, and does not follow where answers lead.
final class PageVisitor: Sendable {
    struct Reply: Sendable {
        let status: Int
        let headers: HTTPHeaders
        let text: String
        var location: String? { headers.first(name: "Location") }
    }

    let service: TestService
    private let jar = Mutex<[String: String]>([:])

    init(_ service: TestService) {
        self.service = service
    }

    var cookie: String? { jar.withLock { $0["earshot"] } }

    func setCookie(_ value: String?) { jar.withLock { $0["earshot"] = value } }

    /// Sends a request as the browser does.
    ///
    /// - Parameter mark: What the page sends along; `nil` for none.
    func send(
        _ method: HTTPMethod,
        _ path: String,
        form: [(String, String)]? = nil,
        body: Data? = nil,
        type: String? = nil,
        mark: String? = nil,
        headers: [(String, String)] = []
    ) async throws -> Reply {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        let client = HTTPClient(configuration: configuration)
        var request = HTTPClientRequest(url: service.base + path)
        request.method = method
        let cookies = jar.withLock { $0.map { "\($0.key)=\($0.value)" }.joined(separator: "; ") }
        if !cookies.isEmpty { request.headers.add(name: "Cookie", value: cookies) }
        if let mark { request.headers.add(name: "X-Earshot-Page", value: mark) }
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let form {
            request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
            request.headers.add(name: "Sec-Fetch-Site", value: "same-origin")
            let fields = form.map { name, value in
                "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
            }
            request.body = .bytes(ByteBuffer(string: fields.joined(separator: "&")))
        } else if let body {
            request.headers.add(name: "Content-Type", value: type ?? "application/json")
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        do {
            let response = try await client.execute(request, timeout: .seconds(60))
            let text = String(buffer: try await response.body.collect(upTo: 4 << 20))
            try await client.shutdown()
            for value in response.headers["Set-Cookie"] {
                let pair = value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).map(String.init)
                jar.withLock { $0[pair[0]] = pair.count == 2 && !value.contains("Max-Age=0;") ? pair[1] : nil }
            }
            return Reply(status: Int(response.status.code), headers: response.headers, text: text)
        } catch {
            try await client.shutdown()
            throw error
        }
    }

    /// The mark of the page of an address.
    func mark(_ path: String = "/") async throws -> String {
        let text = try await send(.GET, path).text
        return try #require(text.firstMatch(of: /name="earshot-mark" content="([^"]*)"/).map { String($0.output.1) })
    }

    /// Signs in by name and password, and makes the account where there is none.
    @discardableResult
    func signIn(_ name: String, _ password: String = "correct horse", action: String = "create") async throws -> Reply {
        let page = try await send(.GET, "/sign-in?back=%2Fhistory").text
        let entered = [("name", name), ("password", password), ("action", action)]
        return try await send(.POST, "/sign-in", form: Array(TestBrowser.fields(of: page).prefix(3)) + entered)
    }

    /// Signs the operator in by the token.
    @discardableResult
    func signInOperator(_ token: String? = nil) async throws -> Reply {
        let page = try await send(.GET, "/sign-in").text
        let entered = [("token", token ?? service.admin), ("action", "operator")]
        return try await send(.POST, "/sign-in", form: Array(TestBrowser.fields(of: page).prefix(3)) + entered)
    }
}
