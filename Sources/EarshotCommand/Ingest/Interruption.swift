import Dispatch
import Foundation

/// Says, when Ctrl-C ends long work, that it can be gone on with.
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

    deinit {
        source.cancel()
        signal(SIGINT, SIG_DFL)
    }
}
