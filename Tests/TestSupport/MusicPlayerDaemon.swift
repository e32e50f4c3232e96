package import Foundation

/// A Music Player Daemon (MPD) with a library of its own, an output that nobody hears, and a socket in a temporary folder.
package struct MusicPlayerDaemon {
    /// The program; `nil` if it is not installed (Debian: mpd).
    package static let program = ["/usr/bin/mpd", "/opt/homebrew/bin/mpd", "/usr/local/bin/mpd"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// The path of its socket.
    package let socket: String
    /// Its music folder.
    package let music: URL

    /// Runs a test with a daemon that has read its library, which is ended and removed afterwards.
    ///
    /// - Parameters:
    ///   - songs: The files of the library.
    ///   - body: The test.
    package static func run(
        _ songs: [URL],
        isolation: isolated (any Actor)? = #isolation,
        _ body: (MusicPlayerDaemon) async throws -> Void
    ) async throws {
        guard let program else { throw CocoaError(.fileNoSuchFile) }
        // The path of a socket is short.
        let folder = URL(fileURLWithPath: "/tmp/earshot-mpd-\(UUID().uuidString.prefix(8))", isDirectory: true)
        let music = folder.appendingPathComponent("music", isDirectory: true)
        try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for song in songs {
            try FileManager.default.copyItem(at: song, to: music.appendingPathComponent(song.lastPathComponent))
        }
        func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
        let settings = """
            music_directory "\(music.path)"
            db_file "\(path("database"))"
            log_file "\(path("log"))"
            bind_to_address "\(path("socket"))"
            zeroconf_enabled "no"
            audio_output {
                type "null"
                name "nobody"
            }
            """
        try Data(settings.utf8).write(to: folder.appendingPathComponent("mpd.conf"))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["--no-daemon", path("mpd.conf")]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try ProcessLaunch.run(process)
        defer {
            process.terminate()
            process.waitUntilExit()
        }
        // It writes its database once it has read its folder.
        while !FileManager.default.fileExists(atPath: path("database")) {
            guard process.isRunning else { throw CocoaError(.executableLoad) }
            try await Task.sleep(for: .milliseconds(20))
        }
        try await body(MusicPlayerDaemon(socket: path("socket"), music: music))
    }
}
