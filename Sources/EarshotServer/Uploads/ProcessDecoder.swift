public import EarshotCore
public import EarshotSignatures
public import Foundation
import Synchronization

/// Decodes every upload in a process of its own, which has little time and memory and may write no file.
///
/// Whatever an upload makes of a decoder ends with that process. It is this program again, in the role of
/// ``UploadWorker``.
public struct ProcessDecoder: UploadDecoder {
    let executable: URL
    let arguments: [String]
    let time: Duration
    let memory: Int

    /// A decoder.
    ///
    /// - Parameters:
    ///   - executable: A program that calls ``UploadWorker/run(limit:seconds:memory:)``.
    ///   - arguments: What makes it do so; limits are appended as `--limit SECONDS --seconds CPU --memory BYTES`.
    ///   - time: How long it may take by the clock.
    ///   - memory: How many bytes of address space it may have.
    public init(executable: URL, arguments: [String], time: Duration = .seconds(20), memory: Int = 2 << 30) {
        self.executable = executable
        self.arguments = arguments
        self.time = time
        self.memory = memory
    }

    /// The signature of what an open file, or a pipe, holds.
    public func signature(reading input: FileHandle, limit: MediaTime?) async throws(EarshotError) -> Signature {
        // The whole of a reference takes longer than the begin of a query.
        var time = limit == nil ? time * 6 : time
        // What comes through a pipe is being recorded, and takes as long as it lasts.
        if lseek(input.fileDescriptor, 0, SEEK_CUR) < 0, errno == ESPIPE, let limit {
            time += .seconds(limit.seconds)
        }
        let patience = time.seconds
        let process = Process()
        process.executableURL = executable
        process.arguments =
            arguments + ["--seconds", "\(Int(time.seconds.rounded(.up)))", "--memory", "\(memory)"]
            + (limit.map { ["--limit", "\($0.seconds)"] } ?? [])
        // Nothing of the service's surroundings: they may hold secrets.
        process.environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C", "SWIFT_BACKTRACE": "enable=no"]
        process.standardInput = input
        let run = Run(process)
        let ended: Run.End = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Run.waiting.async {
                    continuation.resume(returning: run.wait(patience))
                }
            }
        } onCancel: {
            run.kill()
        }
        return try ended.signature()
    }
}

/// One process that decodes.
private final class Run: Sendable {
    /// The most bytes of a signature: of 100 hours.
    private static let outputLimit = 96 << 20

    struct End: Sendable {
        var output = Data()
        var complaint = Data()
        var isLate = false
        var isCancelled = false
        var status: Int32 = -1
        var failure: String?

        func signature() throws(EarshotError) -> Signature {
            if isCancelled { throw EarshotError(.cancelled, "Decoding the upload was cancelled.") }
            if isLate {
                throw EarshotError(
                    .timedOut,
                    "The upload took too long to decode: send a shorter one, or its signature."
                )
            }
            if status == 0 { return try Signature(data: output) }
            if let told = try? JSONDecoder().decode(UploadWorker.Complaint.self, from: complaint),
                let code = EarshotError.Code(rawValue: told.code)
            {
                throw EarshotError(code, told.message)
            }
            if let failure { throw EarshotError(.internalError, "The decoder could not be started: \(failure).") }
            throw EarshotError(
                .assetUnreadable,
                "The upload could not be decoded: it is damaged, or takes more time or memory than is granted."
            )
        }
    }

    private struct State {
        var isCancelled = false
        var isLate = false
        var isRunning = false
    }

    private let process: Process
    private let state = Mutex(State())

    init(_ process: Process) {
        self.process = process
    }

    func kill() { stop { $0.isCancelled = true } }

    private func stop(_ reason: (inout State) -> Void) {
        let isRunning = state.withLock { state in
            reason(&state)
            return state.isRunning
        }
        if isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    }

    /// One starts after the other: a process that is started while another one's pipes are open would hold these open, and
    /// Foundation could take the end of one for that of the other.
    private static let starting = Mutex(())
    /// Threads of their own for what waits, and one for the ends of their time.
    static let waiting = DispatchQueue(label: "earshot.decode", attributes: .concurrent)
    private static let timing = DispatchQueue(label: "earshot.decode.time")

    func wait(_ seconds: Double) -> End {
        var end = End()
        var pipes: (output: Pipe, complaint: Pipe)?
        Self.starting.withLock { _ in
            let (output, complaint) = (Pipe(), Pipe())
            process.standardOutput = output
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
        end.output = Self.read(output.fileHandleForReading, upTo: Self.outputLimit)
        // It says what was wrong in one line, after it has closed its output.
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
}
