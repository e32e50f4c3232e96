import Foundation

/// The values of this process from the operating system. Linux provides them in files; on other systems they are
/// unknown.
enum ProcessFigures {
    /// The bytes of memory that are in use; `nil` if the system does not tell. Blocks.
    static var residentMemory: Int? {
        guard let text = text("/proc/self/statm") else { return nil }
        let fields = text.split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// The number of open files and sockets; `nil` if the system does not tell. Blocks.
    static var openFiles: Int? {
        // The list contains the descriptor of the folder that is being read.
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map { max(0, $0.count - 1) }
    }

    /// The processor time that the process has used, in seconds. `clock()` counts microseconds (POSIX).
    static var processorTime: Double { Double(clock()) / 1e6 }

    private static func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
}
