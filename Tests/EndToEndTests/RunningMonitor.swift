import Foundation
import TestSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `earshot monitor run` with settings that serve events, as an operator runs it.
final class RunningMonitor: Sendable {
    /// The address under which states and events are served.
    let base: URL
    private let process: Process
    private let output: URL

    /// Starts a monitor and waits until it serves events.
    ///
    /// - Parameters:
    ///   - settings: The file of settings, with `events` in it.
    ///   - folder: Where to keep what it prints.
    init(_ settings: URL, in folder: URL) async throws {
        let (output, errors) = (folder.appendingPathComponent("output"), folder.appendingPathComponent("errors"))
        for file in [output, errors] { try Data().write(to: file) }
        let process = Process()
        process.executableURL = Workshop.earshot.url
        process.arguments = ["monitor", "run", settings.path, "--jsonl"]
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try ProcessLaunch.run(process)
        (self.process, self.output) = (process, output)
        func text() -> String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }
        while process.isRunning, !text().contains("/events") { try await Task.sleep(for: .milliseconds(20)) }
        guard let word = text().split(whereSeparator: \.isWhitespace).last(where: { $0.hasPrefix("http") }),
            let address = URL(string: String(word))
        else { throw RunningService.Failed(description: "the monitor did not start: \(text())") }
        base = address.deletingLastPathComponent()
    }

    /// What it printed, an object a line.
    var lines: [Document] {
        let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { try? Document(String($0)) }
    }

    /// The first station as `/stations` shows it.
    func station() async throws -> [String: Any] {
        let (data, _) = try await URLSession.shared.data(from: base.appendingPathComponent("stations"))
        return try Document(String(decoding: data, as: UTF8.self))["stations", 0] as? [String: Any] ?? [:]
    }

    /// Waits until the first station is in some state, or until so many looks at it were in vain.
    func station(
        looks: Int = 600,
        when isThere: ([String: Any]) -> Bool
    ) async throws -> [String: Any] {
        var station: [String: Any] = [:]
        for _ in 0..<looks {
            station = try await self.station()
            if isThere(station) { break }
            try await Task.sleep(for: .milliseconds(100))
        }
        return station
    }

    /// Tells it to end, and waits.
    ///
    /// - Returns: The exit status.
    @discardableResult
    func stop() async -> Int32 {
        process.terminate()
        let process = process
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                process.waitUntilExit()
                continuation.resume(returning: process.terminationStatus)
            }
        }
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
}
