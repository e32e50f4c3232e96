import Dispatch
import Foundation

/// What Ctrl-C does to long work: says that it can be gone on with, or ends it in good order.
final class Interruption {
    private let source: any DispatchSourceSignal

    init(_ hint: String) {
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler {
            Console.write("\r\u{1B}[K", to: .standardError)
            Console.note(hint)
            // 128 and the number of the signal, as shells expect.
            Foundation.exit(130)
        }
        source.resume()
    }

    /// Calls a function when Ctrl-C is pressed; pressed again, it ends the command.
    init(ending end: @escaping @Sendable () -> Void) {
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler {
            signal(SIGINT, SIG_DFL)
            end()
        }
        source.resume()
    }

    deinit {
        source.cancel()
        signal(SIGINT, SIG_DFL)
    }
}
