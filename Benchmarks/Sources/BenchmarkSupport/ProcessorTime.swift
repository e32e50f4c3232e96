import Foundation

/// Processor time, user and system together, and time by the clock.
public struct ProcessorTime: Sendable, Codable {
    /// Seconds of processor time.
    public var processor: Double
    /// Seconds by the clock.
    public var wall: Double

    /// Values of one's own.
    public init(processor: Double, wall: Double) {
        self.processor = processor
        self.wall = wall
    }

    /// What the whole process has used so far.
    public static var now: ProcessorTime {
        let usage = ownUsage()
        return ProcessorTime(processor: seconds(usage.ru_utime) + seconds(usage.ru_stime), wall: wallNow)
    }

    /// What the calling thread has used so far.
    public static var nowOfThread: ProcessorTime {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return ProcessorTime(processor: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9, wall: wallNow)
    }

    /// What has been used since an earlier moment.
    public static func - (later: ProcessorTime, earlier: ProcessorTime) -> ProcessorTime {
        ProcessorTime(processor: later.processor - earlier.processor, wall: later.wall - earlier.wall)
    }

    private static var wallNow: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}

/// The memory of this process, in bytes.
public enum ProcessMemory {
    /// Resident now; on Linux that of anonymous pages, on other systems the peak.
    public static var anonymous: Int { status("RssAnon") ?? peak }
    /// Pages of mapped files that are resident; zero where the system does not say.
    public static var mapped: Int { status("RssFile") ?? 0 }
    /// The most that was ever resident.
    public static var peak: Int {
        let usage = ownUsage()
        #if os(Linux)
            return usage.ru_maxrss * 1024
        #else
            return usage.ru_maxrss
        #endif
    }

    private static func status(_ name: String) -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name + ":") })
        else { return nil }
        return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
    }
}

private func ownUsage() -> rusage {
    var usage = rusage()
    #if os(Linux)
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #else
        getrusage(RUSAGE_SELF, &usage)
    #endif
    return usage
}
