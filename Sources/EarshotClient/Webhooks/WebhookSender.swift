import AsyncHTTPClient
import Crypto
public import EarshotBroadcast
public import EarshotCore
public import Foundation
import NIOCore
import NIOHTTP1

/// Sends the changes of a playlog (the record of what stations played) to a receiver over HTTP. It drives a
/// `WebhookQueue`.
///
/// ```swift
/// let sender = try WebhookSender(to: url, secrets: [secret], settings: WebhookSettings(consumer: "shop"), store:
/// store)
/// await sender.run { report in show(report) }
/// ```
///
/// Every change is sent at least once. The store keeps the position of each consumer after each delivery, so a
/// restarted sender resumes. A new consumer receives only later changes.
public struct WebhookSender: Sendable {
    /// An event for the operator.
    public enum Report: Sendable {
        /// The receiver accepted this number of changes.
        case delivered(Int)
        /// A delivery failed: the number of failures in succession, the error, and the time of the next attempt.
        case failing(failures: Int, EarshotError, retryAt: Date)
        /// Deliveries succeed again after failures that were reported.
        case recovered
        /// The receiver answered 410 (Gone): nothing is sent until the program is restarted.
        case disabled
        /// Changes were removed from the store before they were sent.
        case incomplete
        /// The store failed; the sender tries again.
        case storeFailed(EarshotError)
    }

    /// A delivery that was attempted, for a list of deliveries.
    package struct Attempt: Sendable {
        /// The delivery that was sent.
        package let delivery: WebhookDelivery
        /// The date at which the request was sent.
        package let date: Date
        /// The duration of the request until the response or failure, in seconds.
        package let seconds: Double
        /// The HTTP status of the response; `nil` if there was none.
        package let status: Int?
        /// The error of a failed delivery; `nil` if it succeeded.
        package let error: EarshotError?
        /// The effect on the queue: the delivery succeeded, will be repeated, or ended all deliveries.
        package let result: WebhookQueue.Result
    }

    /// The options of a ``WebhookSender``.
    public struct Options: Sendable {
        /// The time limit of a request, in seconds. Default: 30.
        public var timeLimit = 30.0
        /// The interval between two checks of the store for changes, in seconds. Default: 1.
        public var pollInterval = 1.0
        /// Returns the current date, which signatures contain, and which decides when a failed delivery is sent again: it has to advance.
        public var now: @Sendable () -> Date = { Date() }
        /// Called after each request with the attempted delivery; `nil` for no calls.
        package var onAttempt: (@Sendable (Attempt) -> Void)?
        /// Called about once in each `pollInterval`; returns `true` to send again at once, even to a receiver that
        /// answered 410 (Gone). `nil` to end sending after such an answer.
        package var takesRetry: (@Sendable () -> Bool)?

        /// Creates the default options.
        public init() {}
    }

    private let url: String
    private let keys: [SymmetricKey]
    private let settings: WebhookSettings
    private let store: any PlaylogStore
    private let options: Options

    /// Creates a sender.
    ///
    /// - Parameters:
    ///   - url: The receiver of changes: an address of HTTP or HTTPS.
    ///   - secrets: The secrets shared by sender and receiver: one, or several while it is replaced; each at least 16
    ///     bytes.
    ///   - settings: The changes to send, and the name of the consumer under which the position is stored.
    ///   - store: The playlog.
    ///   - options: The options of requests.
    /// - Throws: `configurationInvalid` for an invalid address, consumer name or secret.
    public init(
        to url: URL,
        secrets: [Data],
        settings: WebhookSettings,
        store: any PlaylogStore,
        options: Options = Options()
    ) throws(EarshotError) {
        guard ["http", "https"].contains(url.scheme?.lowercased()), url.host?.isEmpty == false else {
            throw EarshotError(
                .configurationInvalid,
                "\(url.absoluteString) is no address for a webhook: begin with http:// or https://."
            )
        }
        guard (1...PlayRecord.maximumIdentifierSize).contains(settings.consumer.utf8.count) else {
            throw EarshotError(
                .configurationInvalid,
                "The webhook \(url.absoluteString.prefix(80)) needs a name of 1 to \(PlayRecord.maximumIdentifierSize) bytes: choose one."
            )
        }
        guard !secrets.isEmpty, secrets.allSatisfy({ $0.count >= 16 }) else {
            throw EarshotError(
                .configurationInvalid,
                "The webhook \(url.absoluteString) needs a secret of at least 16 bytes: `openssl rand -hex 32` makes one."
            )
        }
        self.url = url.absoluteString
        keys = secrets.map { SymmetricKey(data: $0) }
        (self.settings, self.store, self.options) = (settings, store, options)
    }

    // MARK: - Running

    /// Sends changes until the task is canceled, or the receiver answers 410 (Gone).
    ///
    /// - Parameter report: Called with events for the operator.
    public func run(_ report: @Sendable (Report) -> Void = { _ in }) async {
        var configuration = HTTPClient.Configuration()
        // A redirection is a failure: what is signed for one place is not taken to another.
        configuration.redirectConfiguration = .disallow
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.timeout.connect = .seconds(10)
        // The limit of a request ends with the head of its answer.
        configuration.timeout.read = .seconds(Int64(max(60, min(options.timeLimit, 3_600)) + 1))
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        await send(with: client, report)
        try? await client.shutdown()
    }

    private func send(with client: HTTPClient, _ report: @Sendable (Report) -> Void) async {
        var generator = SystemRandomNumberGenerator()
        guard var queue = await begin(report) else { return }
        var kept = queue.position
        while !Task.isCancelled {
            if options.takesRetry?() == true { queue.enable() }
            await fill(&queue, report)
            if queue.position != kept, await keep(queue.position, report) { kept = queue.position }
            switch queue.next(at: options.now()) {
            case .send(let delivery):
                let begun = options.now()
                let (answer, failure) = await post(delivery, with: client)
                // What was under way when the program ends is sent again by the next one.
                if Task.isCancelled, failure != nil { return }
                let result = queue.finished(answer, at: options.now(), using: &generator)
                options.onAttempt?(attempt(delivery, begun, answer, failure, result))
                switch result {
                case .delivered(_, let wasReported):
                    if wasReported { report(.recovered) }
                    report(.delivered(delivery.changes.count))
                case .failed(let instant, let failures, let isReported):
                    // The first one too: an address that is wrong is wrong from the beginning.
                    if isReported || failures == 1, let failure {
                        report(.failing(failures: failures, failure, retryAt: instant))
                    }
                case .disabled:
                    report(.disabled)
                    if options.takesRetry == nil { return }
                case .ignored: break
                }
            case .wait(let instant):
                await pause(min(options.pollInterval, max(0.01, instant.timeIntervalSince(options.now()))))
            case .idle, .underWay: await pause(options.pollInterval)
            case .disabled:
                if options.takesRetry == nil { return }
                await pause(options.pollInterval)
            }
        }
    }

    private func attempt(
        _ delivery: WebhookDelivery,
        _ begun: Date,
        _ answer: WebhookQueue.Answer,
        _ failure: EarshotError?,
        _ result: WebhookQueue.Result
    ) -> Attempt {
        var status: Int?
        if case .status(let code, _) = answer { status = code }
        return Attempt(
            delivery: delivery,
            date: begun,
            seconds: max(0, options.now().timeIntervalSince(begun)),
            status: status,
            error: failure,
            result: result
        )
    }

    private func pause(_ seconds: Double) async { try? await Task.sleep(for: .seconds(seconds)) }

    // MARK: - The store

    /// The queue at the place where the last sender stopped. What a new consumer begins with is kept at once: what changes
    /// before the first delivery would be lost with the program else.
    private func begin(_ report: (Report) -> Void) async -> WebhookQueue? {
        while !Task.isCancelled {
            do throws(EarshotError) {
                if let position = try await store.position(of: settings.consumer) {
                    return WebhookQueue(settings, position: position)
                }
                let last = try await store.counts().lastSequence
                try await store.setPosition(last, of: settings.consumer)
                return WebhookQueue(settings, position: last)
            } catch {
                if Task.isCancelled { return nil }
                report(.storeFailed(error))
                await pause(options.pollInterval)
            }
        }
        return nil
    }

    private func fill(_ queue: inout WebhookQueue, _ report: (Report) -> Void) async {
        guard queue.room > 0 else { return }
        do throws(EarshotError) {
            let page = try await store.changes(after: queue.lastAdded, limit: min(queue.room, 1_000))
            if page.isIncomplete { report(.incomplete) }
            queue.add(page.changes)
        } catch {
            if !Task.isCancelled { report(.storeFailed(error)) }
        }
    }

    private func keep(_ position: Int, _ report: (Report) -> Void) async -> Bool {
        do throws(EarshotError) {
            try await store.setPosition(position, of: settings.consumer)
            return true
        } catch {
            // It is tried again; meanwhile changes may only be sent twice.
            if !Task.isCancelled { report(.storeFailed(error)) }
            return false
        }
    }

    // MARK: - Requests

    private func post(
        _ delivery: WebhookDelivery,
        with client: HTTPClient
    ) async -> (WebhookQueue.Answer, EarshotError?) {
        do {
            let body = try delivery.body()
            var request = HTTPClientRequest(url: url)
            request.method = .POST
            request.headers.add(name: "content-type", value: WebhookDelivery.contentType)
            request.headers.add(name: "user-agent", value: "earshot")
            request.headers.add(name: WebhookSignature.field, value: signature(body).description)
            request.body = .bytes(ByteBuffer(bytes: body))
            let limit = TimeAmount.nanoseconds(Int64(max(0.001, min(options.timeLimit, 3_600)) * 1e9))
            let answer = try await client.execute(request, timeout: limit)
            let status = Int(answer.status.code)
            await drain(answer.body, for: limit)
            let failure =
                (200..<300).contains(status)
                ? nil
                : EarshotError(.serviceFailure, "The webhook \(url) answers \(status): look into the receiver's log.")
            return (.status(status, retryAfter: answer.headers.first(name: "retry-after")), failure)
        } catch let error as EarshotError {
            return (.none, error)
        } catch {
            return (
                .none,
                EarshotError(
                    .networkUnavailable,
                    "The webhook \(url) does not answer: check its address and that the receiver runs.",
                    cause: error
                )
            )
        }
    }

    /// Reads the rest of an answer, which says nothing to us: a short one, so that the connection can be used again, and for no
    /// longer than an answer may take.
    private func drain(_ body: HTTPClientResponse.Body, for limit: TimeAmount) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = try? await body.collect(upTo: 64 << 10) }
            group.addTask { try? await Task.sleep(for: .nanoseconds(limit.nanoseconds)) }
            await group.next()
            group.cancelAll()
        }
    }

    private func signature(_ body: Data) -> WebhookSignature {
        let timestamp = Int(options.now().timeIntervalSince1970)
        let content = WebhookSignature.signedContent(timestamp: timestamp, body: body)
        let digests = keys.map { Data(HMAC<SHA256>.authenticationCode(for: content, using: $0)) }
        return WebhookSignature(timestamp: timestamp, digests: digests)
    }
}
