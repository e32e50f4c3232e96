#if canImport(Darwin)
    public import EarshotCore
    import Foundation
    import Synchronization

    /// Fetches files with the URL loading of Foundation, on Apple systems.
    ///
    /// Elsewhere Foundation's URL loading brings a library of its own into every program: use `AsyncHTTPTransport` of
    /// EarshotClient there.
    public struct URLSessionTransport: CatalogTransport {
        /// The time for which a server may be silent.
        public let timeout: MediaTime

        /// A transport.
        ///
        /// - Parameter timeout: The time for which a server may be silent before a request fails; 30 s unless set.
        public init(timeout: MediaTime = MediaTime(value: 30, timescale: 1)) {
            self.timeout = timeout
        }

        /// Sends a request and hands the response on as it comes.
        ///
        /// - Throws: Errors of the receiver, `CancellationError`, and `URLError`.
        public func fetch(_ request: TransportRequest, to receiver: any TransportReceiver) async throws {
            // Without cache and cookies: what is known of earlier answers stands in the request.
            let configuration = URLSessionConfiguration.ephemeral
            configuration.urlCache = nil
            configuration.httpCookieStorage = nil
            configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
            configuration.timeoutIntervalForRequest = timeout.seconds
            try await Redirects.follow(from: request.url) { url in
                try await send(request, to: url, receiver, configuration)
            }
        }

        /// Sends one request; gives the address that it is sent on to.
        private func send(
            _ request: TransportRequest,
            to url: URL,
            _ receiver: any TransportReceiver,
            _ configuration: URLSessionConfiguration
        ) async throws -> URL? {
            let exchange = Exchange(receiver)
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            let session = URLSession(configuration: configuration, delegate: exchange, delegateQueue: queue)
            // A session keeps its delegate until it is told that no more requests come.
            defer { session.finishTasksAndInvalidate() }
            var wire = URLRequest(url: url)
            wire.timeoutInterval = timeout.seconds
            for (name, value) in request.headers { wire.setValue(value, forHTTPHeaderField: name) }
            // A body that is packed on the way cannot be gone on with at a byte.
            wire.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
            let task = session.dataTask(with: wire)
            return try await withTaskCancellationHandler {
                try await exchange.run(task)
            } onCancel: {
                task.cancel()
            }
        }
    }

    /// One request and its response.
    private final class Exchange: NSObject, URLSessionDataDelegate {
        private struct State {
            var continuation: CheckedContinuation<URL?, any Error>?
            /// The error that ended the transfer, if it was not the connection.
            var failure: (any Error)?
            /// The address that the request is sent on to.
            var next: URL?
        }

        private let receiver: any TransportReceiver
        private let state = Mutex(State())

        init(_ receiver: any TransportReceiver) { self.receiver = receiver }

        func run(_ task: URLSessionDataTask) async throws -> URL? {
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
            // Followed by the transport, with its own limit and rules.
            state.withLock { $0.next = newRequest.url }
            completionHandler(nil)
        }

        func urlSession(
            _ session: URLSession,
            dataTask: URLSessionDataTask,
            didReceive response: URLResponse,
            completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
        ) {
            do {
                // What comes with a redirect is of no use.
                guard state.withLock({ $0.next == nil }) else { return completionHandler(.allow) }
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
            guard state.withLock({ $0.failure == nil && $0.next == nil }) else { return }
            do {
                try receiver.take(data)
            } catch {
                fail(error)
                dataTask.cancel()
            }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            let result = state.withLock { state in
                defer { state.continuation = nil }
                return (state.continuation, state.next, state.failure ?? error)
            }
            switch result {
            case (let continuation, let next?, _): continuation?.resume(returning: next)
            case (let continuation, nil, let failure?): continuation?.resume(throwing: failure)
            case (let continuation, nil, nil): continuation?.resume(returning: nil)
            }
        }
    }
#endif
