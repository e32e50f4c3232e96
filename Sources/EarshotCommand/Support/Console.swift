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

    static func write(_ text: String, to handle: FileHandle) {
        // A reader that has gone away (`| head`) is no failure of ours.
        try? handle.write(contentsOf: Data(text.utf8))
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
