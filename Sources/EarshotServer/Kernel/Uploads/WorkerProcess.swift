import EarshotCore
import Foundation
import Synchronization

/// A process that works on an upload or a file. It is started, waited for, and killed if it exceeds its time.
final class WorkerProcess: Sendable {
    /// The most bytes of output: a signature of about 100 hours.
    private static let outputLimit = 96 << 20
    /// The most bytes of a line of output.
    private static let lineLimit = 64 << 10

    /// The program that starts another one with low priority, because loading that program and its libraries is a part
    /// of its work already. `nil` if the system has none.
    private static let nice = ["/usr/bin/nice", "/bin/nice"].first { FileManager.default.isExecutableFile(atPath: $0) }
        .map { URL(fileURLWithPath: $0) }

    /// The subject of the work, for messages.
    enum Subject: Sendable {
        case upload
        /// A file with this path.
        case file(String)

        var late: EarshotError {
            switch self {
            case .upload:
                EarshotError(.timedOut, "The upload took too long to decode: send a shorter one, or its signature.")
            case .file(let path):
                EarshotError(
                    .timedOut,
                    "\(path) took too long to read: it is damaged, very long, or has very many tags, or the machine is very busy."
                )
            }
        }

        var unreadable: EarshotError {
            let name =
                switch self {
                case .upload: "The upload"
                case .file(let path): path
                }
            return EarshotError(
                .assetUnreadable,
                "\(name) could not be decoded: it is damaged, or takes more time or memory than is granted."
            )
        }
    }

    struct End: Sendable {
        var output = Data()
        var complaint = Data()
        var isLate = false
        var isCancelled = false
        var status: Int32 = -1
        var failure: String?

        /// Returns the output of a successful process.
        ///
        /// - Throws: `cancelled`, a timeout, or the error that the process reported.
        func bytes(of subject: Subject) throws(EarshotError) -> Data {
            if isCancelled { throw EarshotError(.cancelled, "Decoding was canceled.") }
            if isLate { throw subject.late }
            if status == 0 { return output }
            if let told = try? JSONDecoder().decode(UploadWorker.Complaint.self, from: complaint),
                let code = EarshotError.Code(rawValue: told.code)
            {
                throw EarshotError(code, told.message)
            }
            if let failure { throw EarshotError(.internalError, "The decoder could not be started: \(failure).") }
            throw subject.unreadable
        }
    }

    private struct State {
        var isCancelled = false
        var isLate = false
        var isRunning = false
    }

    private let process: Process
    /// Called with each line of output as it comes; `nil` to return the whole output.
    private let lines: (@Sendable (Data) -> Void)?
    private let state = Mutex(State())

    private init(_ process: Process, _ lines: (@Sendable (Data) -> Void)?) {
        (self.process, self.lines) = (process, lines)
    }

    /// Runs a program on an open file or a pipe.
    ///
    /// - Parameters:
    ///   - executable: The program.
    ///   - arguments: The arguments of the program.
    ///   - input: The file or pipe for its standard input.
    ///   - output: The file for its standard output; `nil` to return the output.
    ///   - patience: The longest time by the clock, in seconds.
    ///   - subject: The name of its input in messages.
    ///   - lines: Called with each line of output as it comes, without its line feed, on a thread of its own.
    /// - Returns: The program's standard output; if `lines` is given, its last line.
    /// - Throws: The error that the program reports, `timedOut`, `cancelled`; `assetUnreadable` if it ends in another way.
    static func output(
        of executable: URL,
        _ arguments: [String],
        reading input: FileHandle,
        writing output: FileHandle? = nil,
        patience: Double,
        subject: Subject = .upload,
        lines: (@Sendable (Data) -> Void)? = nil
    ) async throws(EarshotError) -> Data {
        let process = Process()
        if WorkQueue.turnYields, let nice {
            process.executableURL = nice
            process.arguments = ["-n", "15", executable.path] + arguments
        } else {
            process.executableURL = executable
            process.arguments = arguments
        }
        // The environment of the service is not passed on: it may contain secrets. `MALLOC_ARENA_MAX`, because the C library reserves 64 MB
        // of address space for each thread that allocates, which on many cores exceeds the limit.
        process.environment = [
            "PATH": "/usr/bin:/bin", "LC_ALL": "C", "SWIFT_BACKTRACE": "enable=no", "MALLOC_ARENA_MAX": "2",
        ]
        process.standardInput = input
        process.standardOutput = output ?? Pipe()
        let run = WorkerProcess(process, lines)
        let ended: End = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting.async { continuation.resume(returning: run.wait(patience)) }
            }
        } onCancel: {
            run.kill()
        }
        return try ended.bytes(of: subject)
    }

    private func kill() { stop { $0.isCancelled = true } }

    private func stop(_ reason: (inout State) -> Void) {
        let isRunning = state.withLock { state in
            reason(&state)
            return state.isRunning
        }
        if isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    }

    /// Held while a process is started. A process that is started while the pipes of another are open would inherit and keep them open, and
    /// Foundation could mistake the end of one process for that of the other.
    private static let starting = Mutex(())
    /// Threads that wait for processes, which block, and a queue for the timers that kill them.
    private static let waiting = DispatchQueue(label: "earshot.decode", attributes: .concurrent)
    private static let timing = DispatchQueue(label: "earshot.decode.time")

    private func wait(_ seconds: Double) -> End {
        var end = End()
        var pipes: (output: Pipe?, complaint: Pipe)?
        Self.starting.withLock { _ in
            let (output, complaint) = (process.standardOutput as? Pipe, Pipe())
            process.standardError = complaint
            state.withLock { state in
                guard !state.isCancelled else { return }
                do {
                    try process.run()
                    state.isRunning = true
                    pipes = (output, complaint)
                } catch {
                    end.failure = "\(error)"
                }
            }
        }
        guard let (output, complaint) = pipes else {
            end.isCancelled = state.withLock { $0.isCancelled }
            return end
        }
        let timer = DispatchSource.makeTimerSource(queue: Self.timing)
        timer.schedule(deadline: .now() + seconds)
        timer.setEventHandler { [self] in stop { $0.isLate = true } }
        timer.resume()
        if let output {
            let handle = output.fileHandleForReading
            end.output =
                lines.map { Self.readLines(handle, $0) } ?? Self.read(handle, upTo: Self.outputLimit)
        }
        // Read after the output: the worker closes its output before it writes the error, so neither pipe can fill up unread.
        end.complaint = Self.read(complaint.fileHandleForReading, upTo: 16 << 10)
        process.waitUntilExit()
        timer.cancel()
        state.withLock { state in
            state.isRunning = false
            end.isLate = state.isLate
            end.isCancelled = state.isCancelled
        }
        end.status = process.terminationReason == .exit ? process.terminationStatus : -1
        return end
    }

    private static func read(_ handle: FileHandle, upTo limit: Int) -> Data {
        var data = Data()
        while data.count < limit, let more = try? handle.read(upToCount: min(1 << 16, limit - data.count)),
            !more.isEmpty
        {
            data.append(more)
        }
        try? handle.close()
        return data
    }

    /// Calls `tell` with each line as it comes, and returns the last one. Lines are cut to ``lineLimit``.
    private static func readLines(_ handle: FileHandle, _ tell: (Data) -> Void) -> Data {
        var (line, last) = (Data(), Data())
        var bytes = [UInt8](repeating: 0, count: 1 << 12)
        while true {
            // Not by `FileHandle`, which waits until the buffer is full.
            let count = Foundation.read(handle.fileDescriptor, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            for byte in bytes[..<count] {
                if byte != UInt8(ascii: "\n") {
                    if line.count < lineLimit { line.append(byte) }
                } else {
                    last = line
                    line = Data()
                    tell(last)
                }
            }
        }
        try? handle.close()
        return last
    }
}
