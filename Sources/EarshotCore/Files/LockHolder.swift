import Foundation

/// The process that holds a lock on a file, if it is known.
package struct LockHolder: Hashable, Sendable, Codable {
    /// The process identifier.
    package var process: Int32
    /// The program with up to two subcommands, such as `earshot catalog update`; never an argument that may be secret.
    package var program: String
    /// `true` if the process holds the lock for as long as it runs, as a service does.
    package var isService: Bool
    /// The address of the service; `nil` if it is not a service or has none yet.
    package var address: String?

    /// The longest file that is read, in bytes.
    private static let sizeLimit = 4_096

    /// Creates a description of a process.
    package init(process: Int32, program: String, isService: Bool = false, address: String? = nil) {
        (self.process, self.program) = (process, program)
        (self.isService, self.address) = (isService, address)
    }

    /// Returns the description of this process.
    package static func current(isService: Bool = false, address: String? = nil) -> LockHolder {
        LockHolder(
            process: getpid(),
            program: program(CommandLine.arguments),
            isService: isService,
            address: address
        )
    }

    /// The process as text, such as `process 4711 (earshot serve at http://127.0.0.1:8080)`.
    package var description: String {
        let place = address.map { " at \($0)" } ?? ""
        return program.isEmpty ? "process \(process)" : "process \(process) (\(program)\(place))"
    }

    /// Returns the file name of a program, followed by up to two arguments that look like subcommands.
    package static func program(_ arguments: [String]) -> String {
        guard let path = arguments.first else { return "" }
        let words = arguments.dropFirst().prefix(2).prefix { word in
            (1...20).contains(word.utf8.count) && word.first != "-"
                && word.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D }
        }
        return ([URL(fileURLWithPath: path).lastPathComponent] + words).joined(separator: " ")
    }

    // MARK: - In the locked file

    /// Writes the description into the locked file. Failures are ignored.
    package func write(to descriptor: Int32) {
        guard let data = try? JSONEncoder().encode(self), data.count <= Self.sizeLimit else { return }
        guard ftruncate(descriptor, 0) == 0 else { return }
        _ = [UInt8](data).withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// Empties the locked file, before the lock is released.
    package static func erase(from descriptor: Int32) { ftruncate(descriptor, 0) }

    /// Reads the description in a file; `nil` if there is none, or its process no longer runs.
    package static func read(from descriptor: Int32) -> LockHolder? {
        var bytes = [UInt8](repeating: 0, count: sizeLimit)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard count > 0, let holder = try? JSONDecoder().decode(LockHolder.self, from: Data(bytes[..<count])),
            holder.process > 0, kill(holder.process, 0) == 0 || errno == EPERM
        else { return nil }
        return holder
    }

    // MARK: - From the system

    /// Returns the process that holds a lock on an open file, according to `/proc/locks`; `nil` if that does not name
    /// it.
    package static func holding(_ descriptor: Int32) -> LockHolder? {
        var status = stat()
        guard fstat(descriptor, &status) == 0,
            let locks = try? String(contentsOfFile: "/proc/locks", encoding: .utf8),
            let process = process(inode: UInt64(status.st_ino), in: locks)
        else { return nil }
        let words = (FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()).split(separator: 0)
        return LockHolder(process: process, program: program(words.map { String(decoding: $0, as: UTF8.self) }))
    }

    /// Returns the process that holds an exclusive `flock` lock on an inode; `nil` if there is none.
    ///
    /// The table has the form of `/proc/locks`: `1: FLOCK  ADVISORY  WRITE 4711 08:01:1234 0 EOF`. The device is not
    /// compared, because layered file systems report another one there; a waiting process has `->` in the line.
    package static func process(inode: UInt64, in table: String) -> Int32? {
        for line in table.split(whereSeparator: \.isNewline) {
            let words = line.split(separator: " ")
            guard words.count >= 6, words[1] == "FLOCK", words[3] == "WRITE",
                words[5].split(separator: ":").last.flatMap({ UInt64($0) }) == inode,
                let process = Int32(words[4]), process > 0
            else { continue }
            return process
        }
        return nil
    }
}
