import EarshotCore
import EarshotPieces
import Foundation

/// What makes a desktop open addresses of pieces with a program: an entry in the user's menu of programs that is not shown, as
/// freedesktop.org's specifications of desktop entries and of associations by MIME type describe it.
struct SchemeHandler {
    let scheme: PieceScheme
    /// Where the user's own data is: the folder of `applications`.
    let data: URL

    /// - Parameter environment: `XDG_DATA_HOME` and `HOME` are looked at.
    init(_ scheme: PieceScheme, environment: [String: String]) {
        self.scheme = scheme
        let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
        data =
            environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
            ?? URL(fileURLWithPath: home).appendingPathComponent(".local/share")
    }

    /// The type by which desktops know a scheme.
    var mimeType: String { "x-scheme-handler/\(scheme.name)" }

    /// The entry's name.
    var entryName: String { "earshot-\(scheme.name).desktop" }

    /// The entry.
    var entry: URL { data.appendingPathComponent("applications").appendingPathComponent(entryName) }

    /// What stands in the entry.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments; the address comes behind them.
    ///   - name: What people call the program.
    func text(command: [String], name: String) -> String {
        """
        [Desktop Entry]
        Type=Application
        Name=\(Self.escaped(name))
        Comment=Opens musical pieces
        Exec=\(command.map(Self.quoted).joined(separator: " ")) %u
        MimeType=\(mimeType);
        NoDisplay=true
        Terminal=false

        """
    }

    /// Writes the entry, and makes it the one that opens such addresses.
    ///
    /// - Returns: Whether the desktop's own tools could be told; otherwise it is found when they look the next time.
    /// - Throws: `writeFailed`.
    func install(command: [String], name: String) throws -> Bool {
        do {
            try FileManager.default.createDirectory(
                at: entry.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
        } catch {
            throw EarshotError(
                .writeFailed,
                "The folder \(entry.deletingLastPathComponent().path) cannot be made: check that you may write there.",
                cause: error
            )
        }
        try AtomicFile.write(Array(text(command: command, name: name).utf8), to: entry, replacing: true)
        // Both: the first says who handles the type, the second which of them is asked.
        let isListed = Self.run(["update-desktop-database", entry.deletingLastPathComponent().path])
        let isDefault = Self.run(["xdg-mime", "default", entryName, mimeType])
        return isListed && isDefault
    }

    /// Takes the entry away.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: `writeFailed`.
    func remove() throws -> Bool {
        guard FileManager.default.fileExists(atPath: entry.path) else { return false }
        do {
            try FileManager.default.removeItem(at: entry)
        } catch {
            throw EarshotError(
                .writeFailed,
                "\(entry.path) cannot be removed: check that you may write there.",
                cause: error
            )
        }
        _ = Self.run(["update-desktop-database", entry.deletingLastPathComponent().path])
        return true
    }

    // MARK: - Texts of desktop entries

    /// A value of a key: backslashes and what ends a line are escaped.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n").replacing("\r", with: "\\r")
    }

    /// An argument in double quotes, with what has a meaning there escaped; a percent sign stands for itself when doubled.
    ///
    /// What needs no quotes gets none: `xdg-open` does not take them off the name of a program.
    static func quoted(_ argument: String) -> String {
        let isPlain =
            !argument.isEmpty
            && argument.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "-_./:=@,+".utf8.contains(byte)
                }
            }
        if isPlain { return argument }
        var quoted = ""
        for character in argument {
            if "\"`$\\".contains(character) { quoted.append("\\") }
            quoted.append(character)
            if character == "%" { quoted.append("%") }
        }
        return escaped("\"\(quoted)\"")
    }

    private static func run(_ command: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            return false
        }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
