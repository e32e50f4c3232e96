import EarshotCore
import EarshotMedia
import Foundation
import TestSupport

/// A PulseAudio server of a test's own, with an output that nobody hears.
final class SoundServer {
    private static let folders = ["/usr/bin", "/usr/local/bin"]

    static func program(_ name: String) -> URL? {
        folders.map { URL(fileURLWithPath: $0).appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    /// Whether this machine has what it takes.
    static var isHere: Bool { ["pulseaudio", "paplay", "pactl"].allSatisfy { program($0) != nil } }

    private let folder: URL
    private var server: pid_t?
    private var players: [Process] = []

    init() throws {
        // The path of a socket has to be short.
        folder = URL(fileURLWithPath: "/tmp/earshot-\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// How clients call it.
    var address: String { "unix:\(folder.path)/native" }

    /// What comes out of its output.
    var monitor: CaptureDevice {
        CaptureDevice(id: "earshot.monitor", name: "Monitor", system: .pulse, isDefault: false, server: address)
    }

    /// Starts it and waits until it answers.
    func start() async throws {
        server = try detached(
            "pulseaudio",
            [
                "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--log-level=error",
                "-L", "module-native-protocol-unix socket=\(folder.path)/native auth-anonymous=1",
                "-L", "module-null-sink sink_name=earshot",
            ]
        )
        while await CaptureDevice.all(server: address).isEmpty {
            guard let server, kill(server, 0) == 0 else { throw CocoaError(.executableLoad) }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Kills it, as a fault would.
    func stop() {
        // Nobody waits for them to end: Foundation's way of waiting needs a run loop, which a test's thread has not.
        for process in players where process.isRunning { kill(process.processIdentifier, SIGKILL) }
        if let server { kill(server, SIGKILL) }
        (server, players) = (nil, [])
        try? FileManager.default.removeItem(at: folder.appendingPathComponent("native"))
    }

    /// Takes its output away, and the monitor with it.
    func removeOutput() throws {
        players.append(try run("pactl", ["--server=\(address)", "unload-module", "module-null-sink"]))
    }

    /// Gives it another output of the same name.
    func addOutput() throws {
        let module = ["load-module", "module-null-sink", "sink_name=earshot"]
        players.append(try run("pactl", ["--server=\(address)"] + module))
    }

    /// Plays a file, at its pace.
    func play(_ file: URL) throws {
        players.append(try run("paplay", ["--server=\(address)", "--device=earshot", file.path]))
    }

    private func run(_ name: String, _ arguments: [String]) throws -> Process {
        let process = prepared()
        process.executableURL = Self.program(name)
        process.arguments = arguments
        try ProcessLaunch.run(process)
        return process
    }

    /// Starts a program as nobody's child, and gives its number.
    ///
    /// The server closes all files that it was given, also the one by whose end Foundation knows that a program is over. It
    /// would then wait for the server, and meanwhile tell nobody of the end of any other program.
    private func detached(_ name: String, _ arguments: [String]) throws -> pid_t {
        let process = prepared()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "\"$0\" \"$@\" > /dev/null & echo $!", Self.program(name)?.path ?? name] + arguments
        let output = Pipe()
        process.standardOutput = output
        try ProcessLaunch.run(process)
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        guard let number = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw CocoaError(.executableLoad)
        }
        return number
    }

    private func prepared() -> Process {
        let process = Process()
        var environment = ProcessInfo.processInfo.environment
        for name in ["XDG_RUNTIME_DIR", "PULSE_RUNTIME_PATH", "PULSE_STATE_PATH", "HOME"] {
            environment[name] = folder.path
        }
        for name in ["PULSE_SERVER", "DISPLAY", "DBUS_SESSION_BUS_ADDRESS"] { environment[name] = nil }
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return process
    }
}
