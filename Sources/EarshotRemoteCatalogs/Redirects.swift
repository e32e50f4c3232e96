package import Foundation

/// Redirects as every transport of files follows them.
package enum Redirects {
    /// Redirects followed in one request.
    package static let limit = 5

    /// Sends a request, and again to each address that it is sent on to.
    ///
    /// - Parameter send: Sends to an address, and returns the address that the server names instead; `nil` when the response
    ///   has been handed on.
    /// - Throws: Errors of `send`; `CancellationError`; `URLError` for more than ``limit`` redirects, and for one to
    ///   another scheme than http and https or away from encryption.
    package static func follow(from url: URL, _ send: (URL) async throws -> URL?) async throws {
        var url = url
        for _ in 0...limit {
            try Task.checkCancellation()
            guard let next = try await send(url) else { return }
            guard mayFollow(next, from: url) else { throw URLError(.unsupportedURL) }
            url = next
        }
        throw URLError(.httpTooManyRedirects)
    }

    private static func mayFollow(_ next: URL, from url: URL) -> Bool {
        switch next.scheme?.lowercased() {
        case "https": true
        case "http": url.scheme?.lowercased() == "http"
        default: false
        }
    }
}
