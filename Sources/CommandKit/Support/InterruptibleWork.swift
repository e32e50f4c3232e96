import ArgumentParser
import EarshotCore
import Foundation

/// Work of a command that Ctrl-C ends in good order: what is half done goes before the command ends.
package enum InterruptibleWork {
    /// Does work.
    ///
    /// - Parameters:
    ///   - hint: What somebody is told who presses Ctrl-C.
    ///   - work: The work; its task is canceled then.
    /// - Throws: What the work throws; the status 130 where Ctrl-C ended it.
    package static func run(_ hint: String, _ work: @escaping @Sendable () async throws -> Void) async throws {
        // Nothing is begun before Ctrl-C is looked after.
        let (gate, begin) = AsyncStream<Void>.makeStream()
        let task = Task {
            for await _ in gate {}
            try Task.checkCancellation()
            try await work()
        }
        let interruption = Interruption(ending: { task.cancel() })
        // Until the command has ended: what is done is told, also to somebody who presses Ctrl-C just then.
        _ = Unmanaged.passRetained(interruption)
        begin.finish()
        do {
            try await task.value
        } catch {
            let isEnd = error is CancellationError || (error as? EarshotError)?.code == .cancelled
            guard task.isCancelled, isEnd else { throw error }
            Terminal.clearProgress()
            Terminal.note(hint)
            // 128 and the number of the signal, as shells expect.
            throw ExitCode(130)
        }
    }
}
