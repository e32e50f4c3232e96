package import Foundation

/// A program of the package, run as a user would run it.
package struct Tool: Sendable {
    /// What a run left behind.
    package struct Outcome: Sendable {
        /// The exit status; for a signal, its number below zero.
        package let status: Int32
        /// Standard output.
        package let output: String
        /// Standard error.
        package let errors: String
    }

    /// The program.
    package let url: URL

    /// A program that the build made, found beside the tests.
    package init(_ name: String) {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        // On Linux the tests lie beside the programs, on Apple systems inside a bundle beside them.
        for _ in 0..<6 {
            let candidate = folder.appendingPathComponent(name)
            if FileManager.default.isExecutableFile(atPath: candidate.path) {
                url = candidate
                return
            }
            folder.deleteLastPathComponent()
        }
        url = packageFolder.appendingPathComponent(".build/debug/\(name)")
    }

    /// A program or script of the system or of the package.
    package init(at url: URL) { self.url = url }

    /// Runs the program to its end.
    ///
    /// - Parameters:
    ///   - arguments: What stands behind its name.
    ///   - input: What it reads on standard input; without it nothing.
    ///   - environment: Variables besides those of the tests.
    ///   - killedWhen: Asked twenty times a second; once it says yes, the program is killed.
    package func run(
        _ arguments: [String],
        input: Data? = nil,
        environment: [String: String] = [:],
        killedWhen isTime: (@Sendable () -> Bool)? = nil
    ) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            // Waiting blocks a thread; the tests' own threads are few.
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        try runBlocking(arguments, input: input, environment: environment, killedWhen: isTime)
                    }
                )
            }
        }
    }

    private func runBlocking(
        _ arguments: [String],
        input: Data?,
        environment: [String: String],
        killedWhen isTime: (@Sendable () -> Bool)?
    ) throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-tool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Files, not pipes: nothing has to be read while the program runs, whatever it prints.
        let files = ["in", "out", "err"].map { folder.appendingPathComponent($0) }
        try (input ?? Data()).write(to: files[0])
        for file in files.dropFirst() { try Data().write(to: file) }
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        if !environment.isEmpty {
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        }
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try FileHandle(forWritingTo: files[1])
        process.standardError = try FileHandle(forWritingTo: files[2])
        try ProcessLaunch.run(process)
        if let isTime {
            while process.isRunning {
                if isTime() {
                    kill(process.processIdentifier, SIGKILL)
                    break
                }
                Thread.sleep(forTimeInterval: 0.05)
            }
        }
        process.waitUntilExit()
        return Outcome(
            status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
            output: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self)
        )
    }
}
