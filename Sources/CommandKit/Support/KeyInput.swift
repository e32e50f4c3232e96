import Dispatch
import Foundation
import Synchronization

// The settings of a terminal belong to another module on each system.
#if canImport(Darwin)
    import Darwin
#elseif canImport(CoreFoundation)
    import CoreFoundation
#endif

/// The keys that a person presses, one by one, where standard input is a terminal.
///
/// Until it is released, the terminal neither waits for the end of a line nor shows what is typed. Ctrl-C stays what it is.
package final class KeyInput {
    /// The keys, for one reader. It ends with the input.
    package let keys: AsyncStream<Key>

    private let source: any DispatchSourceRead

    /// The settings that the terminal had; `nil` while they are in force.
    private static let saved = Mutex<termios?>(nil)
    /// Puts the settings back however the command ends; Ctrl-C ends it by `exit`.
    private static let restoring: Void = { atexit { KeyInput.restore() } }()

    /// Begins to read keys; `nil` if standard input is no terminal, or this command runs behind its shell.
    package init?() {
        var settings = termios()
        // A command in the background would be stopped.
        guard isatty(0) == 1, tcgetpgrp(0) == getpgrp(), tcgetattr(0, &settings) == 0 else { return nil }
        let (before, isFirst) = (settings, Self.saved.withLock { $0 == nil })
        guard isFirst else { return nil }
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        _ = Self.restoring
        Self.saved.withLock { $0 = before }
        guard tcsetattr(0, TCSANOW, &settings) == 0 else {
            Self.saved.withLock { $0 = nil }
            return nil
        }
        let (keys, continuation) = AsyncStream.makeStream(of: Key.self, bufferingPolicy: .bufferingOldest(64))
        let source = DispatchSource.makeReadSource(fileDescriptor: 0, queue: .global())
        let decoder = Mutex(KeyDecoder())
        source.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = read(0, &bytes, bytes.count)
            // The terminal has gone, and would be readable for ever.
            guard count > 0 else { return source.cancel() }
            for key in decoder.withLock({ $0.append(bytes.prefix(count)) }) { continuation.yield(key) }
        }
        source.setCancelHandler { continuation.finish() }
        source.activate()
        (self.keys, self.source) = (keys, source)
    }

    deinit {
        source.cancel()
        Self.restore()
    }

    private static func restore() {
        guard var settings = saved.withLock({ $0.take() }) else { return }
        tcsetattr(0, TCSANOW, &settings)
    }
}
