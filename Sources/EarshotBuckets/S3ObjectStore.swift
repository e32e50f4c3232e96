import AsyncHTTPClient
package import EarshotCore
package import EarshotNodes
package import Foundation
import NIOCore
import NIOHTTP1

/// Keeps objects in a bucket of any store that speaks S3's protocol.
///
/// The bucket is named in the path, as self-hosted stores expect it. A request is tried at most three times if its failure may pass. An object
/// is sent with its digest, which the store checks. Of a fetched object, the length is checked here, and the digest by the caller.
package final class S3ObjectStore: ObjectStore {
    private static let attempts = 3
    /// The most bytes of an object: the limit of the protocol for one request.
    package let largest = 5 << 30

    /// The address of the bucket.
    package var name: String { settings.description }

    private let settings: S3Settings
    /// Sends requests whose answers begin at once, so that a silent connection is given up soon.
    private let quick: HTTPClient
    /// Sends requests for which the store works before it answers, with a longer time limit.
    private let patient: HTTPClient
    private let now: @Sendable () -> Date

    /// Creates a store. No request is sent yet.
    ///
    /// - Parameters:
    ///   - settings: The bucket and its keys.
    ///   - silence: The time without a byte after which a fetch is tried again, in milliseconds. Default: 6 s.
    ///   - now: The time that requests are signed with.
    package init(
        _ settings: S3Settings,
        silence: Int64 = 6_000,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.settings = settings
        self.now = now
        // Over a broken network, packets are sent again after twice the time each. With 6 s, a request that began during the break either
        // gets through within 3 s of its end, or has been made anew by then.
        quick = Self.client(read: .milliseconds(silence))
        patient = Self.client(read: .seconds(60))
    }

    private static func client(read: TimeAmount) -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        // Long enough for a lost packet of the handshake, which is sent again after 1 s.
        configuration.timeout.connect = .seconds(2)
        configuration.timeout.read = read
        configuration.redirectConfiguration = .disallow
        // Enough connections that small objects need not wait for downloads of gigabytes.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        // An idle connection does not show that its network is broken, so it is closed early.
        configuration.connectionPool.idleTimeout = .seconds(15)
        // The pool would wait longer after each failed connection, up to a minute, even for requests that are made when the store is back.
        // Requests are repeated by this type and by its callers.
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit {
        quick.shutdown { _ in }
        patient.shutdown { _ in }
    }

    /// Keeps a file under a key.
    package func keep(_ file: URL, size: Int, sha256: String, as key: String) async throws(EarshotError) {
        guard size <= largest else {
            throw EarshotError(
                .storeUnavailable,
                "\(settings) takes \(largest >> 30) GiB at most in one object: store a smaller file."
            )
        }
        // At least 512 KiB/s. The 10 s are for the work of the store.
        let limit = min(TimeAmount.minutes(30), .seconds(10) + .seconds(Int64(size >> 19)))
        let answer = try await request(.PUT, key, payload: sha256, on: patient, within: limit) { request in
            request.body = .stream(FileBlocks(file), length: .known(Int64(size)))
        } take: { _ in
        }
        guard answer.status == 200 else { throw refused("keep", key, answer.status) }
    }

    /// Writes what is kept under a key into a file that is not there yet.
    package func fetch(_ key: String, to file: URL) async throws(EarshotError) {
        let answer = try await request(.GET, key, on: quick) { _ in
        } take: { response in
            try await Self.write(response, to: file)
        }
        switch answer.status {
        case 200: return
        case 404:
            throw EarshotError(
                .entityNotFound,
                "\(settings) has no \(key): another program removed it. Restore it from a version or a copy of the bucket."
            )
        default: throw refused("give", key, answer.status)
        }
    }

    /// Removes what is kept under a key.
    package func remove(_ key: String) async throws(EarshotError) {
        let status = try await request(.DELETE, key, on: patient)
        guard [200, 204, 404].contains(status) else { throw refused("remove", key, status) }
    }

    /// Lists objects whose keys begin with a text, a thousand at most at a time.
    ///
    /// Source: "ListObjectsV2", Amazon S3 API Reference.
    package func list(_ prefix: String, after token: String?) async throws(EarshotError) -> ObjectPage {
        var query = ["list-type": "2", "max-keys": "1000", "prefix": settings.prefix + prefix]
        query["continuation-token"] = token
        let answer = try await request(.GET, nil, query: AWSSignature.query(query), on: patient) { _ in
        } take: { response in
            try await response.body.collect(upTo: Self.largestList)
        }
        guard answer.status == 200, let body = answer.value else { throw refused("list", prefix, answer.status) }
        guard let page = S3ListParser.page(Data(body.readableBytesView), below: settings.prefix) else {
            throw EarshotError(
                .storeUnavailable,
                "\(settings) sent a list that cannot be read: check that it speaks S3's protocol."
            )
        }
        return page
    }

    /// The most bytes of a list of a thousand objects: keys have at most 1,024 bytes, each of which XML may escape to six.
    private static let largestList = 8 << 20

    /// Checks that the store answers and lets the service in.
    package func check() async throws(EarshotError) {
        let status = try await request(.HEAD, nil, on: quick)
        switch status {
        case 200: return
        case 404:
            throw EarshotError(
                .configurationInvalid,
                "\(settings.endpoint.absoluteString) has no bucket \(settings.bucket): make it first."
            )
        case 401, 403:
            throw EarshotError(
                .configurationInvalid,
                "\(settings) does not let the service in: check the keys and the region \(settings.region)."
            )
        default: throw refused("show", "its bucket", status)
        }
    }

    // MARK: - Requests

    private func refused(_ action: String, _ key: String, _ status: Int) -> EarshotError {
        EarshotError(
            .storeUnavailable,
            "\(settings) did not \(action) \(key): it answered with status \(status). Try again, or look into its log."
        )
    }

    /// Makes a request without a body, and returns the status of the answer.
    private func request(
        _ method: HTTPMethod,
        _ key: String?,
        on client: HTTPClient
    ) async throws(EarshotError) -> Int {
        try await request(method, key, on: client) { _ in
        } take: { _ in
        }.status
    }

    /// Makes a request, and repeats it if its failure may pass.
    ///
    /// - Parameters:
    ///   - key: The object; `nil` for the bucket.
    ///   - query: The query, as ``AWSSignature/query(_:)`` returns it.
    ///   - client: Sends the request.
    ///   - limit: The longest time until the answer begins.
    ///   - prepare: Adds the body. Called for each attempt.
    ///   - take: Reads the body of an answer with status 200.
    /// - Returns: The status, and the outcome of `take` if that is 200.
    private func request<Value: Sendable>(
        _ method: HTTPMethod,
        _ key: String?,
        query: String = "",
        payload: String = AWSSignature.emptyDigest,
        on client: HTTPClient,
        within limit: TimeAmount = .minutes(2),
        prepare: @Sendable (inout HTTPClientRequest) -> Void,
        take: @Sendable (HTTPClientResponse) async throws -> Value
    ) async throws(EarshotError) -> (status: Int, value: Value?) {
        let path = "/\(settings.bucket)" + (key.map { "/\(settings.prefix)\($0)" } ?? "")
        let address = AWSSignature.escaped(path) + (query.isEmpty ? "" : "?\(query)")
        let signature = AWSSignature(
            accessKey: settings.accessKey,
            secretKey: settings.secretKey,
            region: settings.region
        )
        let host = settings.endpoint.host ?? ""
        let authority = settings.endpoint.port.map { "\(host):\($0)" } ?? host
        var failure: (any Error)?
        for attempt in 1...Self.attempts {
            // 0.2 s, then 0.8 s: a store that restarts is back by then, or is away for much longer.
            if attempt > 1 { try? await Task.sleep(for: .milliseconds(200 * (1 << (2 * (attempt - 2))))) }
            if Task.isCancelled { break }
            var request = HTTPClientRequest(url: settings.endpoint.absoluteString + address)
            request.method = method
            for (name, value) in signature.fields(
                method.rawValue,
                host: authority,
                path: path,
                query: query,
                payload: payload,
                at: now()
            ) where name != "host" { request.headers.add(name: name, value: value) }
            prepare(&request)
            do {
                let response = try await client.execute(request, timeout: limit)
                let status = Int(response.status.code)
                if status == 200 {
                    return (status, try await take(response))
                }
                _ = try? await response.body.collect(upTo: 1 << 16)
                // 5xx and 429 may pass; other statuses would be the same again.
                if status < 500 && status != 429 || attempt == Self.attempts { return (status, nil) }
            } catch let error as EarshotError {
                throw error
            } catch {
                failure = error
            }
        }
        if Task.isCancelled { throw EarshotError(.cancelled, "The request to \(settings) was canceled.") }
        throw EarshotError(.storeUnavailable, "\(settings) cannot be reached: check that it runs.", cause: failure)
    }

    /// Writes the body of an answer into a file, and removes the file if that fails.
    private static func write(_ response: HTTPClientResponse, to file: URL) async throws {
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw EarshotError(.writeFailed, "\(file.path) cannot be written: check the folder and the room left.")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var written = 0
        do {
            for try await part in response.body {
                let data = Data(part.readableBytesView)
                try await BlockingWork.run { () throws(EarshotError) in
                    do {
                        try handle.write(contentsOf: data)
                    } catch {
                        throw EarshotError(
                            .writeFailed,
                            "\(file.path) cannot be written: there may be no room.",
                            cause: error
                        )
                    }
                }
                written += data.count
            }
            let announced = response.headers.first(name: "content-length").flatMap { Int($0) }
            guard announced == nil || announced == written else { throw Incomplete() }
        } catch {
            unlink(file.path)
            throw error
        }
    }

    private struct Incomplete: Error {}
}

/// The content of a file in blocks, which are read when they are needed.
private struct FileBlocks: AsyncSequence, Sendable {
    let file: URL

    init(_ file: URL) { self.file = file }

    func makeAsyncIterator() -> Iterator { Iterator(handle: try? FileHandle(forReadingFrom: file)) }

    struct Iterator: AsyncIteratorProtocol {
        private static var unreadable: EarshotError {
            EarshotError(.readFailed, "A file that is to be kept in a bucket cannot be read.")
        }

        let handle: FileHandle?

        mutating func next() async throws -> ByteBuffer? {
            guard let handle else { throw Self.unreadable }
            let data = try await BlockingWork.run { () throws(EarshotError) -> Data? in
                do {
                    return try handle.read(upToCount: 1 << 18)
                } catch {
                    throw Self.unreadable
                }
            }
            return data.flatMap { $0.isEmpty ? nil : ByteBuffer(bytes: $0) }
        }
    }
}
