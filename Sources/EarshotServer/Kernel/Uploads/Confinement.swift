import CSandbox
package import EarshotCore
package import Foundation

/// What a process that decodes has given up: whatever takes it over finds no path, no network and no other process.
package struct Confinement: OptionSet, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// No capabilities, and no rights that another program would gain.
    package static let privileges = Confinement(rawValue: Int32(EARSHOT_NO_PRIVILEGES))
    /// No path can be opened, made, changed or removed, but for the folder of what is made: Linux with Landlock.
    package static let paths = Confinement(rawValue: Int32(EARSHOT_NO_PATHS))
    /// No socket, process or program, no signal to others and no look into them: Linux with seccomp.
    package static let calls = Confinement(rawValue: Int32(EARSHOT_NO_CALLS))
    /// All of it.
    package static let all: Confinement = [.privileges, .paths, .calls]

    /// Whether the kernel has Landlock.
    package static var hasLandlock: Bool { earshot_landlock_version() > 0 }

    /// Gives up what the system can take. To be called while the process has one thread.
    ///
    /// - Parameter folder: The folder of what is made; nil where nothing is.
    /// - Returns: What is held.
    package static func enter(folder: String?) -> Confinement { Confinement(rawValue: earshot_confine(folder)) }

    /// What a confined process could do all the same, by trying it: words such as `read`, none where it holds.
    ///
    /// - Parameter file: A file that its user can write.
    package static func escapes(file: String) -> [String] {
        let could = earshot_try_escapes(file)
        let names: [(Int32, String)] = [
            (Int32(EARSHOT_CAN_READ), "read"), (Int32(EARSHOT_CAN_WRITE), "write"),
            (Int32(EARSHOT_CAN_CONNECT), "connect"), (Int32(EARSHOT_CAN_FORK), "fork"), (Int32(EARSHOT_CAN_RUN), "run"),
            (Int32(EARSHOT_CAN_TRACE), "trace"), (Int32(EARSHOT_CAN_SIGNAL), "signal"),
        ]
        return names.filter { could & $0.0 != 0 }.map(\.1)
    }

    /// What a decoder of this service could do, by having one try it.
    ///
    /// - Parameters:
    ///   - executable: The program, which answers `--try FILE` with one word a line.
    ///   - arguments: What makes it decode.
    ///   - file: A file that the service can write.
    /// - Throws: `internalError` when the program cannot be started.
    package static func escapes(
        of executable: URL,
        _ arguments: [String],
        file: URL
    ) async throws(EarshotError) -> [String] {
        let output = try await WorkerProcess.output(
            of: executable,
            arguments + ["--seconds", "5", "--memory", "\(UploadWorker.queryMemory)", "--try", file.path],
            reading: FileHandle.nullDevice,
            patience: 10
        )
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
