import CSandbox
package import EarshotCore
package import Foundation

/// Sandboxing of decoder processes: takes away access to paths, the network and other processes.
package enum Confinement {
    /// `true` if the kernel supports Landlock.
    package static var hasLandlock: Bool { earshot_landlock_version() > 0 }

    /// Confines this process as far as the system supports it. Call it while the process has a single thread.
    ///
    /// - Parameters:
    ///   - folder: The folder in which the process may write; `nil` for none.
    ///   - input: An open file that the process may open again by its name; `nil` for none.
    package static func enter(folder: String?, input: Int32? = nil) { earshot_confine(folder, input ?? -1) }

    /// Tries forbidden operations and returns the names of those that succeed, such as `read`; empty if the process is confined.
    ///
    /// - Parameter file: A file that the user of the process can write.
    package static func escapes(file: String) -> [String] {
        let could = earshot_try_escapes(file)
        let names: [(Int32, String)] = [
            (Int32(EARSHOT_CAN_READ), "read"), (Int32(EARSHOT_CAN_WRITE), "write"),
            (Int32(EARSHOT_CAN_CONNECT), "connect"), (Int32(EARSHOT_CAN_FORK), "fork"), (Int32(EARSHOT_CAN_RUN), "run"),
            (Int32(EARSHOT_CAN_TRACE), "trace"), (Int32(EARSHOT_CAN_SIGNAL), "signal"),
        ]
        return names.filter { could & $0.0 != 0 }.map(\.1)
    }

    /// Starts a decoder of this service to try forbidden operations, and returns the names of those that succeed.
    ///
    /// - Parameters:
    ///   - executable: The program, which answers `--try FILE` with one word a line.
    ///   - arguments: The arguments that make it decode.
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
