import Foundation

/// Draws screens and takes keys where there is a terminal; elsewhere it writes what stays, line by line.
@MainActor
final class Terminal {
    private static let width = 78

    private let isTerminal = isatty(1) == 1
    /// How many lines of the screen stand there, to be drawn over.
    private var drawn = 0
    private var wasOver = false
    /// How many tones were made of those that screens tell of.
    private var tones = 0
    private var old: termios?
    private var source: (any DispatchSourceRead)?
    private var interrupts: (any DispatchSourceSignal)?

    /// Whether keys are taken.
    var hasKeys: Bool { source != nil }

    /// Draws a screen over the one before, unless that has to stay.
    func show(_ screen: Screen) {
        guard isTerminal else {
            if screen.isOver { Self.write(screen.lines.joined(separator: "\n") + "\n\n") }
            return
        }
        if wasOver, !screen.isOver {
            Self.write("\n")
            drawn = 0
        }
        wasOver = screen.isOver
        // The recording is over: the device need not be held any longer.
        if screen.tones > tones { Self.write("\u{07}") }
        tones = screen.tones
        let lines = screen.lines.flatMap(Self.wrapped) + (hasKeys ? [screen.keyLine] : [])
        let begin = drawn == 0 ? "" : "\u{1B}[\(drawn)F"
        drawn = lines.count
        Self.write(begin + "\u{1B}[J" + lines.joined(separator: "\n") + "\n")
    }

    static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

    // MARK: - Keys

    /// Takes each key as it is pressed, where somebody can press any.
    func takeKeys(_ press: @escaping @MainActor (Screen.Key) -> Void) {
        var mode = termios()
        guard isTerminal, isatty(0) == 1, tcgetattr(0, &mode) == 0 else { return }
        old = mode
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
        guard tcsetattr(0, TCSANOW, &mode) == 0 else { return }
        let source = DispatchSource.makeReadSource(fileDescriptor: 0, queue: .main)
        source.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = read(0, &bytes, bytes.count)
            // The other end is gone: nothing more will come.
            guard count > 0 else { return source.cancel() }
            let keys = bytes.prefix(count).compactMap { Screen.Key(rawValue: Character(UnicodeScalar($0))) }
            MainActor.assumeIsolated { keys.forEach(press) }
        }
        source.resume()
        self.source = source
    }

    /// Takes what would end the program.
    func takeInterrupts(_ interrupt: @escaping @MainActor () -> Void) {
        signal(SIGINT, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .main)
        source.setEventHandler { MainActor.assumeIsolated { interrupt() } }
        source.resume()
        interrupts = source
    }

    /// Leaves the terminal as it was.
    func close() {
        source?.cancel()
        source = nil
        guard var old else { return }
        tcsetattr(0, TCSANOW, &old)
    }

    /// A line as lines that fit, the further ones as far in as the first.
    private static func wrapped(_ line: String) -> [String] {
        guard line.count > width else { return [line] }
        let margin = String(line.prefix { $0 == " " })
        var lines: [String] = []
        var current = ""
        for word in line.dropFirst(margin.count).split(separator: " ", omittingEmptySubsequences: false) {
            if current.isEmpty {
                current = margin + word
            } else if current.count + 1 + word.count > width {
                lines.append(current)
                current = margin + "  " + word
            } else {
                current += " " + word
            }
        }
        return lines + [current]
    }
}
