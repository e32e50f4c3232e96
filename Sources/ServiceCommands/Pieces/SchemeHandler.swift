import EarshotCore
import EarshotPieces
import Foundation

/// Makes a desktop open addresses of pieces with a program: an entry in the user's menu of programs that is not shown, as
/// freedesktop.org's specifications of desktop entries and of associations by MIME type describe it.
struct SchemeHandler {
    let scheme: PieceScheme
    /// The folder of the user's own data, with `applications` in it.
    let data: URL
    /// The folder of the user's own settings.
    let configuration: URL

    /// - Parameter environment: `XDG_DATA_HOME`, `XDG_CONFIG_HOME` and `HOME` say where these are.
    init(_ scheme: PieceScheme, environment: [String: String]) {
        self.scheme = scheme
        let folders = UserFolders(environment: environment, layout: .freedesktop)
        data = folders.base(.data)
        configuration = folders.base(.configuration)
    }

    /// The type by which desktops know a scheme.
    var mimeType: String { "x-scheme-handler/\(scheme.name)" }

    /// The entry's name.
    var entryName: String { "earshot-\(scheme.name).desktop" }

    /// The entry.
    var entry: URL { data.appendingPathComponent("applications").appendingPathComponent(entryName) }

    /// The lists in which desktops keep which entry opens what; the second as older ones do.
    var lists: [URL] {
        [configuration, data.appendingPathComponent("applications")].map { $0.appendingPathComponent("mimeapps.list") }
    }

    /// This command as what opens pieces: with all that it has to know, as a desktop's session has no variables of a shell.
    ///
    /// - Parameters:
    ///   - program: The command itself.
    ///   - server: The address of the service.
    ///   - client: The client identifier for the service.
    ///   - folder: Where pieces are saved.
    func opening(_ program: String, server: String, client: String, folder: String) -> [String] {
        [
            program, "piece", "open", "--application", scheme.application, "--server", server, "--client", client,
            "-o", folder,
        ]
    }

    /// A program as a desktop finds it, which is at home in no folder.
    ///
    /// - Throws: `setupInvalid` for a file that cannot be run.
    static func program(_ name: String) throws(EarshotError) -> String {
        guard name.contains("/"), !name.hasPrefix("/") else { return name }
        let path = URL(fileURLWithPath: name).absoluteURL.standardizedFileURL.path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
            FileManager.default.isExecutableFile(atPath: path)
        else {
            throw EarshotError(.setupInvalid, "\(path) is no program that can be run: check its name and its rights.")
        }
        return path
    }

    /// The text of the entry.
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

    /// Writes the entry, for its owner's eyes alone, and makes it the one that opens such addresses.
    ///
    /// - Returns: `true` if the desktop's own tools could be told; otherwise it is found when they look the next time.
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
        // The identifier of a client is nobody else's business.
        try AtomicFile.write(Array(text(command: command, name: name).utf8), to: entry, replacing: true, mode: 0o600)
        // Both: the first says who handles the type, the second which of them is asked.
        let isListed = Self.run(["update-desktop-database", entry.deletingLastPathComponent().path])
        let isDefault = Self.run(["xdg-mime", "default", entryName, mimeType])
        return isListed && isDefault
    }

    /// Takes the entry away, and what the desktop keeps of it.
    ///
    /// - Returns: `true` if there was something.
    /// - Throws: `writeFailed`.
    func remove() throws -> Bool {
        var isRemoved = false
        for list in lists {
            guard let text = try? String(contentsOf: list, encoding: .utf8), let left = rest(of: text) else { continue }
            try AtomicFile.write(Array(left.utf8), to: list, replacing: true)
            isRemoved = true
        }
        if FileManager.default.fileExists(atPath: entry.path) {
            do {
                try FileManager.default.removeItem(at: entry)
            } catch {
                throw EarshotError(
                    .writeFailed,
                    "\(entry.path) cannot be removed: check that you may write there.",
                    cause: error
                )
            }
            isRemoved = true
        }
        guard isRemoved else { return false }
        _ = Self.run(["update-desktop-database", entry.deletingLastPathComponent().path])
        return true
    }

    /// A list of a desktop without the entry; `nil` if the entry is not in it.
    func rest(of list: String) -> String? {
        var isThere = false
        let lines = list.components(separatedBy: "\n").compactMap { line -> String? in
            let parts = line.components(separatedBy: "=")
            guard parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces) == mimeType else { return line }
            let entries = parts[1].components(separatedBy: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            guard entries.contains(entryName) else { return line }
            isThere = true
            let others = entries.filter { !$0.isEmpty && $0 != entryName }
            return others.isEmpty ? nil : "\(mimeType)=\(others.map { $0 + ";" }.joined())"
        }
        return isThere ? lines.joined(separator: "\n") : nil
    }

    // MARK: - Texts of desktop entries

    /// A value of a key: backslashes and what ends a line are escaped.
    private static func escaped(_ text: String) -> String {
        text.replacingScalars(["\\": "\\\\", "\n": "\\n", "\r": "\\r"])
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
        let quoted = argument.replacingScalars(["\"": "\\\"", "`": "\\`", "$": "\\$", "\\": "\\\\", "%": "%%"])
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
