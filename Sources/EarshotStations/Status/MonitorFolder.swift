import EarshotBroadcast
package import EarshotCore
package import Foundation

/// The files that a monitor of stations shares with other programs on the same machine, in the monitor's folder of
/// states.
///
/// | file | content |
/// |---|---|
/// | `status.json` | ``MonitorStatus``, written by the monitor every two seconds |
/// | `webhooks.json` | a list of ``WebhookStatus``, written by the monitor after each delivery |
/// | `requests/` | a file for each request to retry a webhook at once, removed by the monitor |
///
/// Neither side waits for the other. The states stay when the monitor ends, and requests wait until it is started.
package struct MonitorFolder: Hashable, Sendable {
    private struct Request: Codable {
        let webhook: String
    }

    /// The largest number of waiting requests; further ones are refused.
    private static let limit = 1_000
    // Only the owner may read what stations play.
    private static let mode: mode_t = 0o600

    /// The monitor's folder of states.
    package let url: URL

    /// Creates a value for a folder, which need not exist.
    package init(_ url: URL) { self.url = url }

    private var statusURL: URL { url.appendingPathComponent("status.json") }
    private var webhooksURL: URL { url.appendingPathComponent("webhooks.json") }
    private var requests: URL { url.appendingPathComponent("requests") }

    // MARK: - States

    /// Returns the state of the monitor; `nil` before its first start.
    ///
    /// - Throws: `storeDamaged` if the file cannot be decoded.
    package func status() throws(EarshotError) -> MonitorStatus? { try read(statusURL) }

    /// Writes the state of the monitor.
    ///
    /// - Throws: `writeFailed`.
    package func write(_ status: MonitorStatus) throws(EarshotError) { try write(status, to: statusURL) }

    /// Returns the states of the webhooks; empty before the monitor's first start with one.
    ///
    /// - Throws: `storeDamaged` if the file cannot be decoded.
    package func webhooks() throws(EarshotError) -> [WebhookStatus] { try read(webhooksURL) ?? [] }

    /// Writes the states of the webhooks.
    ///
    /// - Throws: `writeFailed`.
    package func write(_ webhooks: [WebhookStatus]) throws(EarshotError) { try write(webhooks, to: webhooksURL) }

    private func read<Value: Decodable>(_ file: URL) throws(EarshotError) -> Value? {
        guard let data = FileManager.default.contents(atPath: file.path) else { return nil }
        do {
            return try PlaylogJSON.decode(Value.self, from: data)
        } catch {
            throw EarshotError(
                .storeDamaged,
                "\(file.path) cannot be read: remove it, and the monitor writes it again.",
                cause: error
            )
        }
    }

    private func write(_ value: some Encodable, to file: URL) throws(EarshotError) {
        let output = try AtomicFile(file, mode: Self.mode)
        try output.write(try PlaylogJSON.encode(value))
        try output.commit(replacing: true)
    }

    // MARK: - Requests

    /// Requests that the monitor retries a webhook at once. If it does not run, it does so when started.
    ///
    /// - Parameter webhook: The name of the webhook.
    /// - Throws: `serviceBusy` if too many requests wait; `writeFailed`.
    package func requestRetry(of webhook: String) throws(EarshotError) {
        do {
            try FileManager.default.createDirectory(at: requests, withIntermediateDirectories: true)
        } catch {
            throw EarshotError(
                .writeFailed,
                "\(requests.path) cannot be made: check the folder and its rights.",
                cause: error
            )
        }
        guard files.count < Self.limit else {
            throw EarshotError(
                .serviceBusy,
                "\(requests.path) has \(Self.limit) requests that wait: start the monitor."
            )
        }
        try write(Request(webhook: webhook), to: requests.appendingPathComponent("\(UUID().uuidString).json"))
    }

    /// Removes the waiting requests, and returns the names of the webhooks to retry.
    package func takeRetries() -> Set<String> {
        var names: Set<String> = []
        for file in files {
            if let data = FileManager.default.contents(atPath: file.path),
                let request = try? PlaylogJSON.decode(Request.self, from: data)
            {
                names.insert(request.webhook)
            }
            try? FileManager.default.removeItem(at: file)
        }
        return names
    }

    /// The files of waiting requests.
    private var files: [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: requests.path)) ?? []
        return names.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
            .map { requests.appendingPathComponent($0) }
    }
}
