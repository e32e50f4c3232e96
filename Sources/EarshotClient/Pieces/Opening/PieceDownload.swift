import AsyncHTTPClient
import Crypto
import EarshotAPI
import EarshotCore
import Foundation
import NIOCore
import NIOHTTP1

/// One download of a part of a piece: it goes on where a connection has broken off, and is checked by length and digest.
struct PieceDownload {
    enum Place: Sendable {
        /// In memory, up to a number of bytes.
        case memory(Int)
        case file(URL)
    }

    /// The service's description of the bytes that it sends.
    private struct RemoteProperties: Equatable {
        let size: Int
        let sha256: String
        let tag: String?
    }

    /// The number of times that the service may change the bytes.
    private static let mostChanges = 3

    private let requests: PieceRequests
    private let call: HTTPCall
    private let name: String
    private let place: Place
    private let progress: PieceClient.Progress?

    private var properties: RemoteProperties?
    private var memory = Data()
    private var file: PartialBundle?
    private var changes = 0
    private var attempt = 1

    init(
        _ requests: PieceRequests,
        _ call: HTTPCall,
        _ name: String,
        _ place: Place,
        _ progress: PieceClient.Progress?
    ) {
        self.requests = requests
        self.call = call
        self.name = name
        self.place = place
        self.progress = progress
    }

    /// The number of bytes received.
    private var held: Int { file?.size ?? memory.count }

    /// Fetches everything.
    ///
    /// - Returns: The bytes; empty if they went to a file.
    mutating func run() async throws(EarshotError) -> Data {
        while true {
            let failure: PieceRequests.Refusal
            do {
                if try await step() { return memory }
                continue
            } catch let error as PieceRequests.Refusal {
                failure = error
            } catch let error as EarshotError {
                failure = PieceRequests.Refusal(error: error, retryAfter: nil)
            } catch {
                failure = PieceRequests.Refusal(error: requests.service.failure(error), retryAfter: nil)
            }
            do throws(EarshotError) {
                try await requests.pause(after: failure, &attempt)
            } catch {
                guard error.code == .serviceFailure else { throw error }
                throw EarshotError(.downloadFailed, "\(name) cannot be fetched: try again.", cause: error)
            }
        }
    }

    /// One request and what comes of it.
    ///
    /// - Returns: `true` if everything is there.
    private mutating func step() async throws -> Bool {
        let begin = held
        let response = try await response(from: begin)
        let next = try told(response)
        var skipped = 0
        if response.status == .partialContent {
            guard next == properties, Self.begin(response) == begin else { throw changed }
        } else {
            if next != properties { try restart(next) }
            // Some of it is there already. A service that was asked for the rest alone and sends all of it is let to.
            if begin == 0, held > 0, held < next.size { return false }
            skipped = held
        }
        progress?(held, next.size)
        if held < next.size {
            for try await part in response.body {
                let bytes = Data(part.readableBytesView)
                let fresh = bytes.dropFirst(skipped)
                skipped -= bytes.count - fresh.count
                guard !fresh.isEmpty else { continue }
                guard held + fresh.count <= next.size else {
                    throw EarshotError(.downloadFailed, "\(name) is longer than the service announced: try again.")
                }
                if let file { try file.write(fresh) } else { memory += fresh }
                attempt = 1
                progress?(held, next.size)
            }
            try Task.checkCancellation()
        }
        guard held == next.size else {
            throw EarshotError(.networkUnavailable, "The connection broke off within \(name): try again.")
        }
        try finish(next)
        return true
    }

    private mutating func restart(_ next: RemoteProperties) throws(EarshotError) {
        if properties != nil { changes += 1 }
        guard changes < Self.mostChanges else { throw changed }
        (properties, memory, file) = (next, Data(), nil)
        switch place {
        case .memory(let limit):
            guard next.size <= limit else {
                throw EarshotError(
                    .downloadFailed,
                    "\(name) has \(next.size) bytes, and \(limit) are allowed in memory: fetch it into a file."
                )
            }
        case .file(let url): file = try PartialBundle(of: url, name: name, size: next.size, sha256: next.sha256)
        }
    }

    private mutating func finish(_ next: RemoteProperties) throws(EarshotError) {
        if let file {
            try file.finish()
            self.file = nil
        } else if SHA256.hash(data: memory).hexadecimal != next.sha256 {
            throw EarshotError(.downloadFailed, "\(name) is damaged: fetch it again.")
        }
    }

    private var changed: EarshotError {
        EarshotError(.downloadFailed, "\(name) changed during the download: fetch it again.")
    }

    // MARK: - Requests

    private func response(from begin: Int) async throws -> HTTPClientResponse {
        let service = requests.service
        var refused: String?
        while true {
            var request = HTTPClientRequest(url: call.address(service.base, version: ServiceAPI.version))
            // The digest is of the bytes as they are.
            request.headers.add(name: "accept-encoding", value: "identity")
            request.headers.add(name: "user-agent", value: "earshot")
            request.headers.add(name: "traceparent", value: HTTPRecognitionService.traceParent())
            let token = try await requests.token(refused: refused)
            if let token { request.headers.add(name: "authorization", value: "Bearer \(token)") }
            if begin > 0, let tag = properties?.tag {
                request.headers.add(name: "range", value: "bytes=\(begin)-")
                request.headers.add(name: "if-range", value: tag)
            }
            let response = try await service.connections.client.execute(request, deadline: .distantFuture)
            if response.status == .ok || response.status == .partialContent { return response }
            let body = try await response.body.collect(upTo: 1 << 16)
            let answer = HTTPAnswer(
                status: Int(response.status.code),
                type: "",
                retryAfter: response.headers.first(name: "retry-after").flatMap { Double($0) },
                body: Data(body.readableBytesView)
            )
            let error = requests.failure(answer)
            guard error.code == .tokenRejected, token != nil, refused == nil else {
                throw PieceRequests.Refusal(error: error, retryAfter: answer.retryAfter)
            }
            refused = token
        }
    }

    private func told(_ response: HTTPClientResponse) throws(EarshotError) -> RemoteProperties {
        let size =
            response.status == .partialContent
            ? response.headers.first(name: "content-range")?.split(separator: "/").last.flatMap { Int($0) }
            : response.headers.first(name: "content-length").flatMap { Int($0) }
        let digest = response.headers["repr-digest"].flatMap { $0.split(separator: ",") }.lazy
            .compactMap { Self.digest($0) }.first
        guard let size, size >= 0, let digest else {
            throw EarshotError(
                .downloadFailed,
                "\(requests.service.base) sent no length or digest, so the download cannot be verified: tell its operator."
            )
        }
        return RemoteProperties(size: size, sha256: digest, tag: response.headers.first(name: "etag"))
    }

    /// The digest of a member of `Repr-Digest`: `sha-256=:…:`.
    private static func digest(_ member: Substring) -> String? {
        let parts = member.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        guard parts.count == 2, parts[0].lowercased() == "sha-256", parts[1].hasPrefix(":"), parts[1].count > 2,
            let end = parts[1].dropFirst().firstIndex(of: ":"),
            let bytes = Data(base64Encoded: String(parts[1][..<end].dropFirst())), bytes.count == 32
        else { return nil }
        return bytes.hexadecimal
    }

    /// The offset of the bytes of a partial response: `bytes 5-9/10`.
    private static func begin(_ response: HTTPClientResponse) -> Int? {
        let words = response.headers.first(name: "content-range")?.split { " -/".contains($0) }
        return words?.dropFirst().first.flatMap { Int($0) }
    }
}
