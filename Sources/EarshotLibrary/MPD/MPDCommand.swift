import EarshotCore

/// A command line of MPD's protocol.
struct MPDCommand: Hashable, Sendable {
    /// The longest line that a daemon takes, in bytes; it closes the connection at a longer one.
    static let maximumSize = 4_000

    /// The name of the command.
    let name: String
    /// The line, with its end.
    let line: String

    /// A command with arguments, which are quoted.
    ///
    /// - Throws: `requestInvalid` for an argument with an end of line in it, and for a line that is too long.
    init(_ name: String, _ arguments: [String] = []) throws(EarshotError) {
        var line = name
        for argument in arguments {
            guard !argument.utf8.contains(where: { $0 == 0x0A || $0 == 0 }) else {
                throw EarshotError(
                    .requestInvalid,
                    "\"\(argument.prefix(80))\" holds an end of line, which no player takes: leave it out."
                )
            }
            line += " \"" + argument.replacingScalars(["\\": "\\\\", "\"": "\\\""]) + "\""
        }
        guard line.utf8.count < Self.maximumSize else {
            throw EarshotError(
                .requestInvalid,
                "\"\(line.prefix(80))…\" is longer than the \(Self.maximumSize) bytes that a player takes: shorten it."
            )
        }
        (self.name, self.line) = (name, line + "\n")
    }

    /// The bytes of commands: the line of one, and a list of several, which the daemon does without another client between them.
    static func bytes(_ commands: [MPDCommand]) -> [UInt8] {
        guard commands.count != 1 else { return Array(commands[0].line.utf8) }
        let lines = commands.map(\.line).joined()
        return Array("command_list_ok_begin\n\(lines)command_list_end\n".utf8)
    }
}
