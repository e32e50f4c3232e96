import AsyncHTTPClient
public import EarshotAPI
import EarshotCore
import Foundation
import NIOCore
import NIOHTTP1

/// The progress of an export, as the service sends it; the last record has the final status.
///
/// A lost connection is reopened. The options of the service limit the attempts in succession.
public struct ExportUpdates: AsyncSequence, Sendable {
    let service: HTTPRecognitionService
    let id: String

    /// Subscribes to the progress of the export.
    public func makeAsyncIterator() -> Iterator { Iterator(service: service, id: id) }

    /// Receives the records of the export.
    public struct Iterator: AsyncIteratorProtocol {
        private let service: HTTPRecognitionService
        private let id: String
        private var body: HTTPClientResponse.Body.AsyncIterator?
        private var lines = EventLines()
        private var records: [ExportRecord] = []
        private var attempt = 1
        private var isOver = false

        init(service: HTTPRecognitionService, id: String) {
            self.service = service
            self.id = id
        }

        /// Waits for the next record; `nil` after the final status.
        ///
        /// - Throws: `entityNotFound`, `malformedResponse`, and the error of the last attempt.
        public mutating func next() async throws -> ExportRecord? { try await record() }

        /// Waits for the next record; `nil` after the final status.
        ///
        /// - Throws: The errors of ``next()``.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> ExportRecord? {
            try await record()
        }

        private mutating func record() async throws -> ExportRecord? {
            while !isOver {
                if !records.isEmpty {
                    let record = records.removeFirst()
                    isOver = record.status.isFinal
                    return record
                }
                do {
                    if body == nil {
                        lines = EventLines()
                        body = try await service.stream("exports/\(HTTPCall.escaped(id))/events").body
                            .makeAsyncIterator()
                    }
                    guard let part = try await body?.next(isolation: #isolation) else {
                        // It ends with the export; before that, it was broken off.
                        throw EarshotError(.networkUnavailable, "The events of export \(id) broke off: try again.")
                    }
                    for data in lines.append(part.readableBytesView) {
                        records.append(try service.value(ExportRecord.self, data))
                        attempt = 1
                    }
                    guard !lines.isTooLarge else {
                        throw EarshotError(
                            .malformedResponse,
                            "An event of export \(id) is too large: tell the operator of the service."
                        )
                    }
                } catch {
                    body = nil
                    try await service.pause(after: error, &attempt)
                }
            }
            return nil
        }
    }
}

extension HTTPRecognitionService {
    /// Waits until something may be tried again.
    ///
    /// - Parameter attempt: The number of attempts, which is increased.
    /// - Throws: The failure where it is not to be tried again.
    func pause(after error: any Error, _ attempt: inout Int) async throws {
        let failure = error as? EarshotError ?? self.failure(error)
        guard !Task.isCancelled, RetryPolicy.isPassing(failure.code) || failure.code == .timedOut,
            let delay = options.retry.delay(after: attempt, requested: nil, random: options.random())
        else { throw Task.isCancelled ? EarshotError(.cancelled, "The request was canceled.") : failure }
        attempt += 1
        try await options.clock.sleep(until: options.clock.now + delay)
    }

    /// The answer to a request with a token, before its body has come.
    ///
    /// - Throws: The error in the service's response, and the error that prevented a response.
    func stream(_ path: String, parameters: [(String, String)] = []) async throws -> HTTPClientResponse {
        var refused: String?
        while true {
            let token = try await token(refused: refused)
            let call = HTTPCall(.GET, path: path, parameters: parameters)
            var request = HTTPClientRequest(url: call.address(base, version: ServiceAPI.version))
            request.headers.add(name: "authorization", value: "Bearer \(token)")
            request.headers.add(name: "user-agent", value: "earshot")
            request.headers.add(name: "traceparent", value: Self.traceParent())
            let response = try await connections.lasting.execute(request, deadline: .distantFuture)
            if response.status.code == 200 { return response }
            if response.status.code == 401, refused == nil {
                refused = token
                continue
            }
            let body = try await response.body.collect(upTo: 1 << 16)
            throw failure(
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
