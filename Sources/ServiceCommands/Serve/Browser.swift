import Foundation

/// The browser of the person who has started the program.
enum Browser {
    /// Opens an address, where there is a desktop and a program for it; does nothing elsewhere.
    static func open(_ address: String) {
        #if os(macOS)
            let program = "/usr/bin/open"
        #else
            let environment = ProcessInfo.processInfo.environment
            guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return }
            let program = "/usr/bin/xdg-open"
        #endif
        guard FileManager.default.isExecutableFile(atPath: program) else { return }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [address]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try? process.run()
    }
}
