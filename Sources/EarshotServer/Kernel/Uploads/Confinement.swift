import CSandbox
package import EarshotCore
package import Foundation

/// Gives up what decoding does not need: whatever takes a decoder over finds no path, no network and no other process.
package enum Confinement {
    /// `true` if the kernel has Landlock.
    package static var hasLandlock: Bool { earshot_landlock_version() > 0 }

    /// Gives up what the system takes. To be called while the process has one thread.
    ///
    /// - Parameters:
    ///   - folder: The folder of what is made; `nil` where nothing is.
    ///   - input: An open file that is opened again by its name; `nil` where none is.
    package static func enter(folder: String?, input: Int32? = nil) { earshot_confine(folder, input ?? -1) }

    /// The names of what this process can do all the same, such as `read`, found by trying it; none where it is confined.
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

    /// The same of a decoder of this service, which is started to try it.
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
