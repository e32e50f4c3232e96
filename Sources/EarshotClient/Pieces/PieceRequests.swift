import AsyncHTTPClient
import EarshotAPI
import EarshotCore
import Foundation
import NIOCore
import NIOHTTP1

/// Requests about pieces, of somebody: each is one attempt, or repeated as a policy says.
struct PieceRequests: Sendable {
    typealias Refusal = HTTPRecognitionService.Refusal

    /// Repeats nothing by itself.
    let service: HTTPRecognitionService
    let retry: RetryPolicy
    /// `true` if a token is sent.
    let isAuthorized: Bool

    /// Returns `true` if a failure may be over the next time. What took too long is asked again too: every request
    /// about pieces can be made twice.
    static func isPassing(_ error: EarshotError) -> Bool {
        RetryPolicy.isPassing(error.code) || error.code == .timedOut
    }

    /// One attempt.
    func attempt(
        _ call: HTTPCall,
        headers: [(String, String)] = []
    ) async -> Result<HTTPAnswer, Refusal> {
        var refused: String?
        while true {
            var request = HTTPClientRequest(url: call.address(service.base, version: ServiceAPI.version))
            request.method = call.method
            request.headers.add(name: "accept", value: "application/json")
            for (name, value) in headers { request.headers.add(name: name, value: value) }
            if let body = call.body {
                request.headers.add(name: "content-type", value: call.bodyType)
                request.body = .bytes(ByteBuffer(bytes: body))
            }
            let token: String?
            do {
                token = try await self.token(refused: refused)
            } catch {
                return .failure(Refusal(error: error, retryAfter: nil))
            }
            if let token { request.headers.add(name: "authorization", value: "Bearer \(token)") }
            switch await service.send(request) {
            case .success(let answer) where (200..<300).contains(answer.status): return .success(answer)
            case .success(let answer):
                let error = failure(answer)
                // It has ended early, or the service has a new key: once more with a new one.
                if error.code == .tokenRejected, let token, refused == nil {
                    refused = token
                } else {
                    return .failure(Refusal(error: error, retryAfter: answer.retryAfter))
                }
            case .failure(let error): return .failure(Refusal(error: error, retryAfter: nil))
            }
        }
    }

    /// The token to send, if any; a new one if it equals the refused one.
    ///
    /// A canceled caller does not wait for it: the exchange is shared with others, and continues.
    func token(refused: String? = nil) async throws(EarshotError) -> String? {
        guard isAuthorized else { return nil }
        let service = service
        let end = await withTimeLimit(nil, clock: service.options.clock, unfinished: .abandoned) {
            () async -> Result<String, EarshotError> in
            do throws(EarshotError) {
                return .success(try await service.token(refused: refused))
            } catch {
                return .failure(error)
            }
        }
        guard case .value(let result) = end else { throw EarshotError(.cancelled, "The request was canceled.") }
        return try result.get()
    }

    /// Makes a request until it goes well, fails for good, or was made often enough.
    func answer(_ call: HTTPCall, headers: [(String, String)] = []) async throws(EarshotError) -> HTTPAnswer {
        var number = 1
        while true {
            switch await attempt(call, headers: headers) {
            case .success(let answer): return answer
            case .failure(let refusal): try await pause(after: refusal, &number)
            }
        }
    }

    /// A value in JSON.
    func value<Value: Decodable>(_ type: Value.Type, _ call: HTTPCall) async throws(EarshotError) -> Value {
        try service.value(type, try await answer(call).body)
    }

    /// The same call with a document.
    func call(_ method: HTTPMethod, _ path: String, _ document: some Encodable) throws(EarshotError) -> HTTPCall {
        do {
            return HTTPCall(
                method,
                path: path,
                body: try ServiceAPI.encoder().encode(document),
                bodyType: "application/json"
            )
        } catch {
            throw EarshotError(.internalError, "A request could not be encoded: please report this.", cause: error)
        }
    }

    /// Waits before an attempt is made again, and counts it.
    ///
    /// - Throws: The refused error, if it persists or was repeated often enough; `cancelled`.
    func pause(after refusal: Refusal, _ number: inout Int) async throws(EarshotError) {
        let requested = refusal.retryAfter.map { MediaTime(seconds: $0, preferredTimescale: 1000) }
        let options = service.options
        guard Self.isPassing(refusal.error), !Task.isCancelled,
            let delay = retry.delay(after: number, requested: requested, random: options.random()),
            (try? await options.clock.sleep(until: options.clock.now + delay)) != nil
        else {
            throw Task.isCancelled ? EarshotError(.cancelled, "The request was canceled.") : refusal.error
        }
        number += 1
    }

    /// The error in a service's response. An entity that is not found is a piece, unless the response says otherwise.
    func failure(_ answer: HTTPAnswer) -> EarshotError {
        let error = service.failure(answer)
        guard error.code == .serviceFailure, answer.status == 404 || answer.status == 410 else { return error }
        return EarshotError(
            .pieceNotFound,
            "The piece does not exist or was removed: check its identifier.",
            cause: error
        )
    }
}
