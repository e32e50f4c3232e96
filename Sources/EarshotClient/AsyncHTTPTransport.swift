import AsyncHTTPClient
public import EarshotCore
public import EarshotRemoteCatalogs
import Foundation
import NIOCore
import NIOHTTP1

/// Fetches the files of remote catalogs with AsyncHTTPClient; used on systems whose Foundation has no URL loading.
public final class AsyncHTTPTransport: CatalogTransport {
    private let client: HTTPClient
    /// Receivers write files: they keep none of the threads that tasks share.
    private let queue = DispatchQueue(label: "earshot.transport", attributes: .concurrent)

    /// Creates a transport.
    ///
    /// - Parameter timeout: The time for which a server may be silent before a request fails. Default: 30 s.
    public init(timeout: MediaTime = MediaTime(value: 30, timescale: 1)) {
        let limit = TimeAmount.milliseconds(Int64(min(max(timeout.seconds, 0.001), 86_400) * 1_000))
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout = .init(connect: limit, read: limit)
        // What follows a failure is the business of whoever fetches.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit {
        client.shutdown { _ in }
    }

    /// Sends a request, follows redirects, and passes the response to a receiver as it arrives.
    ///
    /// - Throws: The receiver's errors, `CancellationError`, `URLError` for a redirect that is not followed, and the
    ///   errors of AsyncHTTPClient.
    public func fetch(_ request: TransportRequest, to receiver: any TransportReceiver) async throws {
        try await Redirects.follow(from: request.url) { url in try await send(request, to: url, receiver) }
    }

    /// Sends one request; gives the address that it is sent on to.
    private func send(
        _ request: TransportRequest,
        to url: URL,
        _ receiver: any TransportReceiver
    ) async throws -> URL? {
        var wire = HTTPClientRequest(url: url.absoluteString)
        for (name, value) in request.headers { wire.headers.replaceOrAdd(name: name, value: value) }
        if let user = url.user(percentEncoded: false), wire.headers["Authorization"].isEmpty {
            wire.setBasicAuth(username: user, password: url.password(percentEncoded: false) ?? "")
        }
        // A body that is packed on the way cannot be gone on with at a byte.
        wire.headers.replaceOrAdd(name: "Accept-Encoding", value: "identity")
        // A catalog may take any time; the silence of a server has its limit in the configuration.
        let response = try await client.execute(wire, deadline: .distantFuture)
        let status = Int(response.status.code)
        if [301, 302, 303, 307, 308].contains(status), let location = response.headers.first(name: "Location"),
            let next = URL(string: location, relativeTo: url)
        {
            return next.absoluteURL
        }
        let headers = Dictionary(response.headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
        try await onQueue { try receiver.begin(TransportResponse(status: status, headers: headers)) }
        for try await part in response.body {
            let bytes = Data(part.readableBytesView)
            try await onQueue { try receiver.take(bytes) }
        }
        return nil
    }

    private func onQueue(_ work: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            queue.async { continuation.resume(with: Result(catching: work)) }
        }
    }
}
