import Foundation
import TestSupport
import Testing

/// `earshot serve` on a folder, as an operator runs it.
final class RunningService: Sendable {
    let base: URL
    /// The operator's token, told at the first start.
    let admin: String?
    private let process: Process
    private let folder: URL

    /// Starts a service and waits until it takes requests.
    ///
    /// - Parameter openFiles: How many files the system lets it open; `nil` for as many as these tests may.
    init(
        data: URL,
        _ options: [String] = [],
        environment: [String: String] = [:],
        openFiles: Int? = nil
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-serve-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        self.folder = folder
        let (out, err) = (folder.appendingPathComponent("out"), folder.appendingPathComponent("err"))
        for file in [out, err] { try Data().write(to: file) }
        let token = data.appendingPathComponent("operator-token")
        let isKnown = FileManager.default.fileExists(atPath: token.path)
        let process = Process()
        let arguments = ["serve", "--data", data.path, "--port", "0", "--log-format", "json"] + options
        if let openFiles {
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            let script = #"ulimit -n "$0" && exec "$@""#
            process.arguments = ["-c", script, "\(openFiles)", Workshop.earshot.url.path] + arguments
        } else {
            process.executableURL = Workshop.earshot.url
            process.arguments = arguments
        }
        // However full the disk of the machine is.
        process.environment = ["EARSHOT_RESERVED_SPACE": "0"].merging(ProcessInfo.processInfo.environment) { $1 }
            .merging(environment) { $1 }
        process.standardOutput = try FileHandle(forWritingTo: out)
        process.standardError = try FileHandle(forWritingTo: err)
        try ProcessLaunch.run(process)
        self.process = process
        func text(_ file: URL) -> String { (try? String(contentsOf: file, encoding: .utf8)) ?? "" }
        // The token is in its file before the address is told.
        while process.isRunning, !text(out).contains("\n") { try await Task.sleep(for: .milliseconds(20)) }
        let lines = text(out).split(separator: "\n")
        guard let address = lines.first?.split(separator: " ").dropFirst().first.flatMap({ URL(string: String($0)) })
        else {
            throw Failed(description: "the service did not start: \(text(err))")
        }
        base = address
        admin = isKnown ? nil : try? String(contentsOf: token, encoding: .utf8).trimmingCharacters(in: .newlines)
    }

    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    /// What it has printed so far.
    var output: String { (try? String(contentsOf: folder.appendingPathComponent("out"), encoding: .utf8)) ?? "" }

    /// The log so far.
    var log: String { (try? String(contentsOf: folder.appendingPathComponent("err"), encoding: .utf8)) ?? "" }

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

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: folder)
    }
}
