package import Foundation

/// The terminal: what it is, and lines to it.
package enum Terminal {
    /// Says that a person looks at standard output.
    package static var isInteractive: Bool { isatty(1) == 1 }
    /// Says that a person looks at standard error.
    package static var showsProgress: Bool { isatty(2) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb" }

    /// Says that somebody reads standard error as it is written: comments and questions go there.
    package static var isWatched: Bool { isatty(2) == 1 }

    /// Says that nobody reads standard output any more.
    package static var readerHasGone: Bool {
        var output = pollfd(fd: 1, events: 0, revents: 0)
        return poll(&output, 1, 0) > 0 && output.revents & Int16(POLLERR) != 0
    }

    /// Draws a line of progress where a person looks at standard error, in the place of the one before it.
    ///
    /// - Parameters:
    ///   - part: What is done, from 0 to 1; nothing where that is not known.
    ///   - figures: What stands beside the bar.
    package static func draw(_ part: Double?, _ figures: String) {
        guard showsProgress else { return }
        let room = max(10, min(40, width - figures.count - 4))
        let bar = part.map { part in
            let filled = Int(Double(room) * max(0, min(part, 1)))
            return String(repeating: "█", count: filled) + String(repeating: "░", count: room - filled) + " "
        }
        write("\r\(bar ?? "")\(figures)\u{1B}[K", to: .standardError)
    }

    /// Takes the line of progress away.
    package static func clearProgress() {
        if showsProgress { write("\r\u{1B}[K", to: .standardError) }
    }

    private static var hasColor: Bool {
        isInteractive && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
    }

    /// Writes text, and ends the command when standard output cannot take it: silently when its reader has gone away, as
    /// `head` does, otherwise with a word.
    package static func write(_ text: String, to handle: FileHandle) {
        do {
            try handle.write(contentsOf: Data(text.utf8))
        } catch {
            guard handle === FileHandle.standardOutput else { return }
            if errno != EPIPE { printError("Standard output cannot be written: check the space left on the disk.") }
            Foundation.exit(errno == EPIPE ? 0 : 1)
        }
    }

    /// A line of data.
    package static func print(_ line: String) { write(line + "\n", to: .standardOutput) }

    /// A line of comment: to standard error, so that data stays alone.
    package static func note(_ line: String) { write(line + "\n", to: .standardError) }

    /// The sentence about a failure.
    package static func printError(_ sentence: String) { write("earshot: \(shown(sentence))\n", to: .standardError) }

    /// Text of files and services as a terminal may show it: what would move the cursor, change colors or turn the direction of
    /// writing stands there by its number, such as `\u{1B}`. What ends a line, and a tab, becomes a blank.
    package static func shown(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            defer { previous = scalar }
            switch scalar.value {
            // One blank for the two signs that end a line of Windows.
            case 0x0A where previous == "\r": break
            case 0x09, 0x0A, 0x0D, 0x85, 0x2028, 0x2029: shown.append(" ")
            // Controls; marks and turns of direction; ends of lines and paragraphs.
            case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069:
                shown.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
            default: shown.append(scalar)
            }
        }
        return String(shown)
    }

    package static func bold(_ text: String) -> String { hasColor ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
    package static func dim(_ text: String) -> String { hasColor ? "\u{1B}[2m\(text)\u{1B}[0m" : text }

    /// Columns of the terminal, 80 when unknown.
    package static var width: Int {
        var size = winsize()
        guard ioctl(2, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
