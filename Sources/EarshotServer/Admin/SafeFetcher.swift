import AsyncHTTPClient
import EarshotCore
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization

/// Fetches addresses that clients name, without access to private networks that only the service can reach.
///
/// The host is resolved here, every address of it must be one of the public Internet, and the connection goes to the
/// address that was looked at, so that a second answer of the name server changes nothing. Each redirect is looked at
/// in the same way.
struct SafeFetcher: Sendable {
    /// The largest number of redirects that are followed.
    static let redirectLimit = 3

    /// `true` to allow addresses of private networks.
    var mayReachPrivateAddresses = false
    /// The longest duration of the whole fetch, in seconds.
    var time: Int64 = 60
    /// The longest duration of a name lookup, in seconds.
    var lookupTime = 5
    /// Resolves a host to addresses.
    var resolve: @Sendable (String) -> [String] = PublicAddress.resolve

    /// Resolves the host of an address, and checks that the service may connect to it. Blocks.
    ///
    /// - Returns: The host, and the network address to connect to.
    /// - Throws: `requestInvalid` for an address that is not of the public Internet; `networkUnavailable` for an unknown host.
    func check(_ url: URL) throws(EarshotError) -> (host: String, address: String) {
        // Without percent escapes, as the HTTP client sees the host: the checked name must be the one that is connected to.
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = url.host(percentEncoded: false), !host.isEmpty
        else {
            throw EarshotError(
                .requestInvalid,
                "The address to fetch from does not begin with http:// or https:// and a host: correct it."
            )
        }
        guard url.user() == nil, url.password() == nil else {
            throw EarshotError(.requestInvalid, "The address contains a user name or a password: give one without.")
        }
        let bare = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        guard bare.utf8.count <= 253, bare.utf8.allSatisfy(Self.isHostByte) else {
            throw EarshotError(
                .requestInvalid,
                "The host of the address is not of letters, digits, hyphens and dots: correct it."
            )
        }
        let port = url.port ?? (scheme == "https" ? 443 : 80)
        guard (1...65_535).contains(port), mayReachPrivateAddresses || port == 80 || port == 443 || port >= 1024 else {
            throw EarshotError(
                .requestInvalid,
                "The service does not fetch from port \(port): use 80, 443, or 1024 and above."
            )
        }
        let addresses = resolve(bare)
        guard let first = addresses.first else {
            throw EarshotError(.networkUnavailable, "The host \(bare.prefix(80)) is not known: check the address.")
        }
        // All addresses: with one private address among public ones, a client could still lead the service there.
        guard mayReachPrivateAddresses || addresses.allSatisfy(PublicAddress.isPublic) else {
            throw EarshotError(
                .requestInvalid,
                "The host \(bare.prefix(80)) is not one of the public Internet: upload the audio instead."
            )
        }
        return (bare, first)
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || [0x2D, 0x2E, 0x3A, 0x5F].contains(byte)
    }

    /// A queue of its own for name lookups: a slow name server must not hold up other work, nor one client the lookups of others.
    private static let lookups = WorkQueue(width: 16, limit: 64, clientLimit: 2, shortTurn: .infinity)

    /// Checks an address as ``check(_:)`` does, without blocking, and waits at most ``lookupTime`` for the name server.
    ///
    /// - Throws: Errors of ``check(_:)``; `networkUnavailable` when the name server is silent; `serviceBusy`.
    @discardableResult
    func lookUp(_ url: URL) async throws(EarshotError) -> (host: String, address: String) {
        let outcome: FirstAnswer.Outcome = await withCheckedContinuation { continuation in
            let answer = FirstAnswer(continuation)
            Task {
                do throws(EarshotError) {
                    answer.give(.success(try await Self.lookups.run { () throws(EarshotError) in try check(url) }))
                } catch {
                    answer.give(.failure(error))
                }
            }
            Task {
                try? await Task.sleep(for: .seconds(lookupTime))
                answer.give(
                    .failure(
                        EarshotError(
                            .networkUnavailable,
                            "The host \(url.host()?.prefix(80) ?? "") was not found within \(lookupTime) s: check the address."
                        )
                    )
                )
            }
        }
        return try outcome.get()
    }

    /// Resumes a continuation with the first of several outcomes, and drops the others.
    private final class FirstAnswer: Sendable {
        typealias Outcome = Result<(host: String, address: String), EarshotError>
        private let continuation: Mutex<CheckedContinuation<Outcome, Never>?>

        init(_ continuation: CheckedContinuation<Outcome, Never>) { self.continuation = Mutex(continuation) }

        func give(_ outcome: Outcome) {
            let waiting = continuation.withLock { continuation in
                defer { continuation = nil }
                return continuation
            }
            waiting?.resume(returning: outcome)
        }
    }

    /// Fetches an address into a file.
    ///
    /// - Parameters:
    ///   - text: The address.
    ///   - folder: A folder with room for the file.
    ///   - limit: The largest number of bytes to fetch.
    ///   - progress: Called with the number of bytes received and the total; `nil` if that is unknown.
    /// - Throws: Errors of ``check(_:)``, `downloadFailed`, `uploadTooLarge`, `writeFailed`, `cancelled`.
    func fetch(
        _ text: String,
        into folder: URL,
        limit: Int,
        progress: @Sendable (Int, Int?) -> Void = { _, _ in }
    ) async throws(EarshotError) -> UploadFile {
        var address = text
        for _ in 0...Self.redirectLimit {
            guard let url = URL(string: address) else {
                throw EarshotError(
                    .requestInvalid,
                    "\"\(address.prefix(80))\" is no address: begin with http:// or https://."
                )
            }
            switch try await step(url, folder, limit, progress) {
            case .file(let file): return file
            case .elsewhere(let next): address = next
            }
        }
        throw EarshotError(
            .downloadFailed,
            "\(text.prefix(200)) redirects more than \(Self.redirectLimit) times: give the final address."
        )
    }

    private enum Step {
        case file(UploadFile)
        case elsewhere(String)
    }

    private func step(
        _ url: URL,
        _ folder: URL,
        _ limit: Int,
        _ progress: @Sendable (Int, Int?) -> Void
    ) async throws(EarshotError) -> Step {
        let (host, target) = try await lookUp(url)
        let end = ContinuousClock.now + .seconds(time)
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.dnsOverride = [host: target]
        configuration.timeout = .init(connect: .seconds(10), read: .seconds(20))
        configuration.maximumUsesPerConnection = 1
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let outcome: Result<Step, EarshotError>
        do {
            var request = HTTPClientRequest(url: url.absoluteString)
            request.headers.add(name: "User-Agent", value: "earshot")
            request.headers.add(name: "Accept", value: "audio/*, application/octet-stream;q=0.5, */*;q=0.1")
            let response = try await client.execute(request, timeout: .seconds(time))
            switch response.status.code {
            case 300..<400:
                guard let next = response.headers.first(name: "Location"),
                    let resolved = URL(string: next, relativeTo: url)
                else {
                    throw EarshotError(.downloadFailed, "\(host) redirects without an address: give the final address.")
                }
                outcome = .success(.elsewhere(resolved.absoluteString))
            case 200:
                let announced = response.headers.first(name: "Content-Length").flatMap { Int($0) }
                if let announced, announced > limit { throw UploadFile.tooLarge(limit) }
                let file = try UploadFile(in: folder)
                for try await part in response.body {
                    // The client's timeout ends with the head of the response, so a trickling body is limited here.
                    guard ContinuousClock.now < end else {
                        throw EarshotError(
                            .downloadFailed,
                            "The download from \(host) took longer than \(time) s: try again, or upload the audio."
                        )
                    }
                    try file.append(part.readableBytesView, limit: limit)
                    progress(file.size, announced)
                }
                try file.rewind()
                outcome = .success(.file(file))
            default:
                throw EarshotError(
                    .downloadFailed,
                    "\(host) answered with status \(response.status.code): check the address."
                )
            }
        } catch let error as EarshotError {
            outcome = .failure(error)
        } catch is CancellationError {
            outcome = .failure(EarshotError(.cancelled, "Fetching from \(host) was canceled."))
        } catch {
            outcome = .failure(
                EarshotError(.downloadFailed, "\(host) could not be fetched from: check the address.", cause: error)
            )
        }
        try? await client.shutdown()
        return try outcome.get()
    }
}
