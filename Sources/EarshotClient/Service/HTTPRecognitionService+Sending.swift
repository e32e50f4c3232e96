import AsyncHTTPClient
import EarshotAPI
import EarshotCore
import Foundation
import NIOCore
import NIOHTTP1

extension HTTPRecognitionService {
    /// A failure, and the pause that the service asked for with it.
    struct Refusal: Error {
        let error: EarshotError
        let retryAfter: Double?
    }

    /// The body of the answer to a request with a token.
    func authorized(_ call: HTTPCall) async throws(EarshotError) -> Data {
        var refused: String?
        while true {
            let token = try await token(refused: refused)
            do {
                return try await body(call, token: token)
            } catch {
                // It has ended early, or the service has a new key: once more with a new one.
                guard error.code == .tokenRejected, refused == nil else { throw error }
                refused = token
            }
        }
    }

    /// The body of the answer to a request without a token.
    func unauthorized(_ call: HTTPCall) async throws(EarshotError) -> Data { try await body(call, token: nil) }

    /// A token; a new one if it equals the refused one.
    func token(refused: String? = nil) async throws(EarshotError) -> String {
        try await configuration.authentication.token(
            for: Authentication.Place(service: base, user: configuration.user),
            refused: refused,
            clock: options.clock
        ) { () async throws(EarshotError) -> TokenAnswer in
            try await exchange()
        }
    }

    /// A value in JSON.
    func value<Value: Decodable>(_ type: Value.Type, _ data: Data) throws(EarshotError) -> Value {
        do {
            return try ServiceAPI.decoder().decode(type, from: data)
        } catch {
            throw EarshotError(
                .malformedResponse,
                "The answer of \(base) cannot be understood: try again.",
                cause: error
            )
        }
    }

    /// Changes the client identifier for a token.
    private func exchange() async throws(EarshotError) -> TokenAnswer {
        let request = TokenRequest(client: configuration.identifier.text, user: configuration.user)
        let answer: Data
        do {
            let data = try ServiceAPI.encoder().encode(request)
            answer = try await body(
                HTTPCall(.POST, path: "tokens", body: data, bodyType: "application/json"),
                token: nil
            )
        } catch let error as EarshotError where error.code == .tokenRejected {
            // Whatever was refused here, it was the identifier.
            throw EarshotError(.clientIdentifierRejected, error.message, cause: error)
        } catch let error as EarshotError {
            throw error
        } catch {
            throw EarshotError(.internalError, "A request could not be encoded: please report this.", cause: error)
        }
        return try value(TokenAnswer.self, answer)
    }

    private func body(_ call: HTTPCall, token: String?) async throws(EarshotError) -> Data {
        var request = HTTPClientRequest(url: call.address(base, version: ServiceAPI.version))
        request.method = call.method
        if let body = call.body {
            request.headers.add(name: "content-type", value: call.bodyType)
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        request.headers.add(name: "accept", value: "application/json")
        if let token { request.headers.add(name: "authorization", value: "Bearer \(token)") }
        let complete = request
        let isLasting = call.isLasting
        return try await repeating { () async -> Result<HTTPAnswer, EarshotError> in
            await send(complete, isLasting: isLasting)
        }.body
    }

    /// Makes a request until it goes well, fails for good, or was made often enough.
    ///
    /// - Parameter takesAnyStatus: `true` to return error responses instead of throwing.
    func repeating(
        takesAnyStatus: Bool = false,
        _ attempt: @escaping @Sendable () async -> Result<HTTPAnswer, EarshotError>
    ) async throws(EarshotError) -> HTTPAnswer {
        for number in 1... {
            let refusal: Refusal
            switch await attempt() {
            case .success(let answer) where takesAnyStatus || (200..<300).contains(answer.status): return answer
            case .success(let answer): refusal = Refusal(error: failure(answer), retryAfter: answer.retryAfter)
            case .failure(let error): refusal = Refusal(error: error, retryAfter: nil)
            }
            let requested = refusal.retryAfter.map { MediaTime(seconds: $0, preferredTimescale: 1000) }
            guard RetryPolicy.isPassing(refusal.error.code),
                let delay = options.retry.delay(after: number, requested: requested, random: options.random()),
                (try? await options.clock.sleep(until: options.clock.now + delay)) != nil
            else {
                throw Task.isCancelled ? EarshotError(.cancelled, "The request was canceled.") : refusal.error
            }
        }
        throw EarshotError(.internalError, "A request was repeated too often: please report this.")
    }

    /// One attempt, within the limit of time.
    ///
    /// - Parameter isLasting: `true` if the answer may take any time: then there is no limit.
    func send(_ request: HTTPClientRequest, isLasting: Bool = false) async -> Result<HTTPAnswer, EarshotError> {
        guard let host = URL(string: request.url), ["http", "https"].contains(host.scheme?.lowercased()),
            host.host != nil
        else {
            return .failure(
                EarshotError(
                    .configurationInvalid,
                    "\(base) is no address of a service: begin with http:// or https://."
                )
            )
        }
        var request = request
        request.headers.add(name: "accept-encoding", value: "gzip")
        request.headers.add(name: "user-agent", value: "earshot")
        request.headers.add(name: "traceparent", value: Self.traceParent())
        let complete = request
        let client = isLasting ? connections.lasting : connections.client
        let (time, limit) = (isLasting ? nil : options.requestLimit, options.responseLimit)
        let outcome = await withTimeLimit(time, clock: options.clock) {
            () async -> Result<HTTPAnswer, EarshotError> in
            do {
                let response = try await client.execute(complete, deadline: .distantFuture)
                let body = try await response.body.collect(upTo: limit)
                return .success(
                    HTTPAnswer(
                        status: Int(response.status.code),
                        type: response.headers.first(name: "content-type") ?? "",
                        retryAfter: response.headers.first(name: "retry-after").flatMap { Double($0) },
                        body: Data(body.readableBytesView)
                    )
                )
            } catch {
                return .failure(self.failure(error))
            }
        }
        if Task.isCancelled { return .failure(EarshotError(.cancelled, "The request was canceled.")) }
        return outcome.result(time, "The request to \(base)")
    }

    /// A trace of its own for each request, by which the service's log names it.
    static func traceParent() -> String {
        // Zeros alone are no identifier.
        let span = UInt64.random(in: 1...UInt64.max)
        let trace = [UInt64.random(in: 1...UInt64.max), .random(in: 0...UInt64.max)].map(\.hexadecimal).joined()
        return "00-\(trace)-\(span.hexadecimal)-01"
    }

    // MARK: - Failures

    /// The error that prevented a response.
    func failure(_ error: any Error) -> EarshotError {
        switch error {
        case is CancellationError: EarshotError(.cancelled, "The request was canceled.")
        case let error as HTTPClientError where error == .cancelled:
            EarshotError(.cancelled, "The request was canceled.")
        case let error as HTTPClientError where error == .deadlineExceeded || error == .readTimeout:
            EarshotError(.timedOut, "\(base) did not answer in time: try again.", cause: error)
        case is NIOTooManyBytesError:
            EarshotError(
                .malformedResponse,
                "\(base) answered with more than \(options.responseLimit) bytes: ask for less, or raise the limit of responses.",
                cause: error
            )
        case let error as HTTPParserError where error == .invalidEOFState:
            EarshotError(.networkUnavailable, "The connection to \(base) broke off: try again.", cause: error)
        case is HTTPParserError:
            EarshotError(.malformedResponse, "\(base) does not speak HTTP: check the address.", cause: error)
        default:
            String(describing: error).contains("ecompression")
                ? EarshotError(
                    .malformedResponse,
                    "The answer of \(base) cannot be decompressed: try again.",
                    cause: error
                )
                : EarshotError(.networkUnavailable, "\(base) cannot be reached: check the connection.", cause: error)
        }
    }

    /// The error in a service's response. Codes that only the client can produce are not accepted.
    func failure(_ answer: HTTPAnswer) -> EarshotError {
        let told = try? ServiceAPI.decoder().decode(Failure.self, from: answer.body).error
        let message = told?.message ?? "The service answered with status \(answer.status)."
        if let code = told.flatMap({ EarshotError.Code(rawValue: $0.code) }), Self.codesOfServices.contains(code) {
            return EarshotError(code, message)
        }
        return switch answer.status {
        case 401: EarshotError(.tokenRejected, message)
        case 429: EarshotError(.tooManyRequests, message)
        case 503: EarshotError(.serviceBusy, message)
        default: EarshotError(.serviceFailure, message)
        }
    }

    private static let codesOfServices: Set<EarshotError.Code> = [
        .clientIdentifierRejected, .tokenRejected, .accessDenied, .entityNotFound, .contentExpired, .uploadTooLarge,
        .mediaTypeUnsupported, .tooManyRequests, .quotaExceeded, .serviceBusy, .requestInvalid, .signatureInvalid,
        .signatureDurationInvalid, .serviceFailure, .matchAttemptFailed, .moreEvidence, .searchIncomplete,
        // Of the service's own files.
        .destinationExists, .fileTypeUnsupported, .pipelineRefused, .containerLimit, .assetUnreadable, .assetProtected,
        .noAudioStream, .codecUnsupported, .audioFormatInvalid, .readFailed,
        // Of pieces.
        .pieceInvalid, .stemMissing, .coverSizeInvalid, .attachmentTooLarge, .uploadFailed, .pieceNotFound,
        .formatUnavailable, .unknownParent,
    ]
}
