import AsyncHTTPClient
import EarshotAPI
import EarshotCore
public import Foundation
import NIOCore
import NIOHTTP1

/// The bytes of a bundle (a catalog prepared for devices) that a service offers, in chunks as they arrive.
///
/// A lost connection is reopened at the next byte. The options of the service limit the attempts in succession.
public struct BundleDownload: AsyncSequence, Sendable {
    let service: HTTPRecognitionService
    let id: String
    let offset: Int
    let tag: String?

    /// Starts the download, and returns an iterator over its chunks. No request is made before the first chunk is read.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            service: service,
            path: "bundles/\(HTTPCall.escaped(id))",
            changed: "Bundle \(id) was published anew meanwhile: fetch it again.",
            offset: offset,
            tag: tag.map { "\"\($0)\"" }
        )
    }

    /// The chunks of one download.
    public struct Iterator: AsyncIteratorProtocol {
        let service: HTTPRecognitionService
        /// The path of the bytes, after the service's version.
        private let path: String
        /// The message for bytes that were replaced.
        private let changed: String
        /// The offset of the next byte in the bundle.
        private(set) var offset: Int
        /// The entity tag of what was told so far, with its quotation marks.
        private var tag: String?
        private var body: HTTPClientResponse.Body.AsyncIterator?
        private var attempt = 1
        private var isOver = false

        init(service: HTTPRecognitionService, path: String, changed: String, offset: Int, tag: String?) {
            self.service = service
            self.path = path
            self.changed = changed
            self.offset = offset
            self.tag = tag
        }

        /// Waits for the next chunk; `nil` at the end of the bundle.
        ///
        /// - Throws: `entityNotFound`, `downloadFailed` if the service offers different bytes meanwhile, and the error
        ///   of the last attempt.
        public mutating func next() async throws -> Data? {
            try await piece()
        }

        /// Waits for the next chunk; `nil` at the end of the bundle.
        ///
        /// - Throws: The errors of ``next()``.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Data? {
            try await piece()
        }

        private mutating func piece() async throws -> Data? {
            while !isOver {
                do {
                    if body == nil { try await open() }
                    if let part = try await body?.next(isolation: #isolation) {
                        guard part.readableBytes > 0 else { continue }
                        offset += part.readableBytes
                        attempt = 1
                        return Data(part.readableBytesView)
                    }
                    isOver = true
                } catch {
                    body = nil
                    let failure = error as? EarshotError ?? service.failure(error)
                    guard !Task.isCancelled, RetryPolicy.isPassing(failure.code) || failure.code == .timedOut,
                        let delay = service.options.retry.delay(
                            after: attempt,
                            requested: nil,
                            random: service.options.random()
                        )
                    else { throw failure }
                    attempt += 1
                    let clock = service.options.clock
                    try await clock.sleep(until: clock.now + delay)
                }
            }
            return nil
        }

        private mutating func open() async throws {
            var refused: String?
            while true {
                let token = try await service.token(refused: refused)
                var request = HTTPClientRequest(url: service.address(path))
                request.headers.add(name: "authorization", value: "Bearer \(token)")
                request.headers.add(name: "user-agent", value: "earshot")
                request.headers.add(name: "traceparent", value: HTTPRecognitionService.traceParent())
                if offset > 0 {
                    request.headers.add(name: "range", value: "bytes=\(offset)-")
                    if let tag { request.headers.add(name: "if-range", value: tag) }
                }
                let response = try await service.connections.client.execute(request, deadline: .distantFuture)
                let now = response.headers.first(name: "etag")
                switch response.status.code {
                case 200 where offset == 0 && (now == nil || tag == nil || now == tag),
                    206 where now == nil || tag == nil || now == tag:
                    tag = now
                    body = response.body.makeAsyncIterator()
                    return
                case 200, 206:
                    throw EarshotError(.downloadFailed, changed)
                case 401 where refused == nil: refused = token
                default:
                    let body = try await response.body.collect(upTo: 1 << 16)
                    throw service.failure(
                        HTTPAnswer(
                            status: Int(response.status.code),
                            type: "",
                            retryAfter: nil,
                            body: Data(body.readableBytesView)
                        )
                    )
                }
            }
        }
    }
}

extension HTTPRecognitionService {
    /// The address of a path.
    func address(_ path: String) -> String { "\(base)/\(ServiceAPI.version)/\(path)" }
}
