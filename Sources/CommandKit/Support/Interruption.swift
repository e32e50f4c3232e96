import Dispatch
import Foundation

/// Handles Ctrl-C during long work: says that it can be resumed, or ends it in good order.
package final class Interruption {
    private let source: any DispatchSourceSignal
    /// The signal of a service manager, if that is to end it in good order too.
    private var termination: (any DispatchSourceSignal)?

    package init(_ hint: String) {
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler {
            Terminal.clearProgress()
            Terminal.note(hint)
            // 128 and the number of the signal, as shells expect.
            Foundation.exit(130)
        }
        source.resume()
    }

    /// Calls a function when Ctrl-C is pressed; pressed again, it ends the command.
    ///
    /// - Parameters:
    ///   - takesTermination: Whether SIGTERM does the same.
    ///   - end: The function.
    package init(takesTermination: Bool = false, ending end: @escaping @Sendable () -> Void) {
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler {
            signal(SIGINT, SIG_DFL)
            end()
        }
        source.resume()
        guard takesTermination else { return }
        signal(SIGTERM, SIG_IGN)
        let termination = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
        termination.setEventHandler {
            signal(SIGTERM, SIG_DFL)
            end()
        }
        termination.resume()
        self.termination = termination
    }

    deinit {
        source.cancel()
        signal(SIGINT, SIG_DFL)
        if let termination {
            termination.cancel()
            signal(SIGTERM, SIG_DFL)
        }
    }
}
