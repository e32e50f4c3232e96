public import EarshotCore
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Fetches files with the URL loading of Foundation.
public struct URLSessionTransport: CatalogTransport {
    /// How long a server may be silent.
    public let timeout: MediaTime
    /// Redirects followed in one request.
    public static let maximumRedirects = 5

    /// A transport.
    ///
    /// - Parameter timeout: How long a server may be silent before a request fails; 30 s unless set.
    public init(timeout: MediaTime = MediaTime(value: 30, timescale: 1)) {
        self.timeout = timeout
    }

    /// Sends a request and hands the response on as it comes.
    ///
    /// - Throws: What the receiver throws, `CancellationError`, and `URLError`.
    public func fetch(_ request: TransportRequest, to receiver: any TransportReceiver) async throws {
        // Without cache and cookies: what is known of earlier answers stands in the request.
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = timeout.seconds
        let exchange = Exchange(request, receiver)
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let session = URLSession(configuration: configuration, delegate: exchange, delegateQueue: queue)
        // A session keeps its delegate until it is told that no more requests come.
        defer { session.finishTasksAndInvalidate() }
        var wire = URLRequest(url: request.url)
        wire.timeoutInterval = timeout.seconds
        Exchange.prepare(&wire, request)
        let task = session.dataTask(with: wire)
        try await withTaskCancellationHandler {
            try await exchange.run(task)
        } onCancel: {
            task.cancel()
        }
        try Task.checkCancellation()
    }
}

/// One request and its response.
private final class Exchange: NSObject, URLSessionDataDelegate {
    private struct State {
        var continuation: CheckedContinuation<Void, any Error>?
        /// What ended the transfer, when it was not the connection.
        var failure: (any Error)?
        var redirects = 0
    }

    private let request: TransportRequest
    private let receiver: any TransportReceiver
    private let state = Mutex(State())

    init(_ request: TransportRequest, _ receiver: any TransportReceiver) {
        self.request = request
        self.receiver = receiver
    }

    static func prepare(_ wire: inout URLRequest, _ request: TransportRequest) {
        for (name, value) in request.headers { wire.setValue(value, forHTTPHeaderField: name) }
        // A body that is packed on the way cannot be gone on with at a byte.
        wire.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    }

    func run(_ task: URLSessionDataTask) async throws {
        try await withCheckedThrowingContinuation { continuation in
            state.withLock { $0.continuation = continuation }
            task.resume()
        }
    }

    private func fail(_ error: any Error) {
        state.withLock { if $0.failure == nil { $0.failure = error } }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        let count = state.withLock { state in
            state.redirects += 1
            return state.redirects
        }
        let old = response.url?.scheme?.lowercased() ?? request.url.scheme?.lowercased()
        let new = newRequest.url?.scheme?.lowercased()
        guard count <= URLSessionTransport.maximumRedirects, new == "https" || (new == "http" && old != "https") else {
            fail(URLError(count > URLSessionTransport.maximumRedirects ? .httpTooManyRedirects : .unsupportedURL))
            task.cancel()
            return completionHandler(nil)
        }
        var next = newRequest
        Self.prepare(&next, request)
        completionHandler(next)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        do {
            guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
            var headers: [String: String] = [:]
            for (name, value) in response.allHeaderFields {
                if let name = name as? String, let value = value as? String { headers[name] = value }
            }
            try receiver.begin(TransportResponse(status: response.statusCode, headers: headers))
            completionHandler(.allow)
        } catch {
            fail(error)
            completionHandler(.cancel)
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard state.withLock({ $0.failure == nil }) else { return }
        do {
            try receiver.take(data)
        } catch {
            fail(error)
            dataTask.cancel()
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let (continuation, failure) = state.withLock { state in
            defer { state.continuation = nil }
            return (state.continuation, state.failure ?? error)
        }
        if let failure { continuation?.resume(throwing: failure) } else { continuation?.resume() }
    }
}
