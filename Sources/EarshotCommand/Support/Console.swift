import Foundation

/// The terminal: what it is, and lines to it.
enum Console {
    /// Whether standard output is looked at by a person.
    static var isInteractive: Bool { isatty(1) == 1 }
    /// Whether standard error is looked at by a person.
    static var showsProgress: Bool { isatty(2) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb" }

    private static var hasColour: Bool {
        isInteractive && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
    }

    /// Writes text, and ends the command when standard output cannot take it: silently when its reader has gone away, as
    /// `head` does, otherwise with a word.
    static func write(_ text: String, to handle: FileHandle) {
        do {
            try handle.write(contentsOf: Data(text.utf8))
        } catch {
            guard handle === FileHandle.standardOutput else { return }
            if errno != EPIPE { complain("Standard output cannot be written: check the space left on the disk.") }
            Foundation.exit(errno == EPIPE ? 0 : 1)
        }
    }

    /// A line of data.
    static func say(_ line: String) { write(line + "\n", to: .standardOutput) }

    /// A line of comment: to standard error, so that data stays alone.
    static func note(_ line: String) { write(line + "\n", to: .standardError) }

    /// The sentence about a failure.
    static func complain(_ sentence: String) { write("earshot: \(sentence)\n", to: .standardError) }

    static func bold(_ text: String) -> String { hasColour ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
    static func dim(_ text: String) -> String { hasColour ? "\u{1B}[2m\(text)\u{1B}[0m" : text }

    /// Columns of the terminal, 80 when unknown.
    static var width: Int {
        var size = winsize()
        guard ioctl(2, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
