import EarshotAPI
package import EarshotCore
package import Foundation

/// The append-only log of changes of a service's data and of access to it. Each line has a digest of the one before.
///
/// It is the file `audit.log` in the service's folder, which only its owner may read. The service and the operator's commands write to
/// it, one at a time. All calls block.
package struct AuditLog: Sendable {
    /// The result of reading a log to its end.
    package struct Summary: Hashable, Sendable {
        /// The number of entries in the chain.
        package var count: Int
        /// The digest of the last entry, which depends on all entries before it.
        package var digest: String
        /// The number of the first line that does not match the digest chain, counted from 1; `nil` if the log is intact.
        package var fault: Int?
    }

    static let name = "audit.log"
    /// The most bytes of a valid line. Entries have about 300.
    private static let lineLimit = 1 << 16

    let url: URL

    /// Creates the log of a service.
    ///
    /// - Parameter folder: The service's folder.
    package init(folder: URL) { url = folder.appendingPathComponent(Self.name) }

    // MARK: - Writing

    /// Appends the entry of a command.
    ///
    /// - Throws: `writeFailed`.
    package func add(command: String, target: [String: String]) throws(EarshotError) {
        try add(AuditEntry(date: Date(), who: "command \(NSUserName())", what: command, target: target))
    }

    /// Appends an entry.
    ///
    /// - Throws: `writeFailed`; nothing is added then.
    func add(_ entry: AuditEntry) throws(EarshotError) {
        let descriptor = open(url.path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.unwritable }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX) == 0 else { throw Self.unwritable }
        do {
            var (chain, size) = try Self.end(of: descriptor)
            let line = try chain.line(of: entry)
            let written = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard written == line.count else {
                // A partial line would break the chain for good.
                ftruncate(descriptor, off_t(size))
                throw Self.unwritable
            }
        } catch {
            throw error as? EarshotError ?? Self.unwritable
        }
    }

    private static var unwritable: EarshotError {
        EarshotError(
            .writeFailed,
            "The audit log cannot be written: check the rights of the service's folder, and the room left."
        )
    }

    /// Returns the chain up to the last whole line, and the size of the file. A partial line of a killed program is removed.
    private static func end(of descriptor: Int32) throws -> (AuditChain, size: Int) {
        let size = Int(lseek(descriptor, 0, SEEK_END))
        guard size > 0 else { return (.begin, 0) }
        let start = max(0, size - 2 * lineLimit)
        var tail = [UInt8](repeating: 0, count: size - start)
        let count = tail.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(start)) }
        guard count == tail.count else { throw unwritable }
        let whole = tail.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        if whole < tail.count {
            guard ftruncate(descriptor, off_t(start + whole)) == 0 else { throw unwritable }
        }
        let lines = tail[..<whole].split(separator: UInt8(ascii: "\n"))
        guard let last = lines.last else { return (.begin, start + whole) }
        guard let chain = AuditChain(last: last) else {
            throw EarshotError(
                .storeDamaged,
                "The last line of the audit log is malformed: move the file away, and the service starts a new one."
            )
        }
        return (chain, start + whole)
    }

    // MARK: - Reading

    /// Reads the log to its end.
    ///
    /// - Parameter body: Called with each entry and the digest of its line, in order, up to the first line that does not follow.
    /// - Returns: The state of the log.
    /// - Throws: `readFailed`, and what the body throws.
    @discardableResult
    package func read(_ body: (AuditEntry, String) throws(EarshotError) -> Void) throws(EarshotError) -> Summary {
        var chain = AuditChain.begin
        guard let file = fopen(url.path, "re") else {
            guard errno == ENOENT else {
                throw EarshotError(
                    .readFailed,
                    "The audit log cannot be read: check the rights of the service's folder."
                )
            }
            return Summary(count: 0, digest: chain.digest)
        }
        defer { fclose(file) }
        var buffer: UnsafeMutablePointer<CChar>?
        var room = 0
        defer { free(buffer) }
        while case let count = getline(&buffer, &room, file), count > 0, let bytes = buffer {
            let line = UnsafeRawBufferPointer(start: bytes, count: count)
            // Another program may still be writing the last line.
            guard line.last == UInt8(ascii: "\n") else { break }
            guard count <= Self.lineLimit, let entry = chain.entry(of: Data(line.dropLast())) else {
                return Summary(count: chain.number, digest: chain.digest, fault: chain.number + 1)
            }
            try body(entry, chain.digest)
        }
        return Summary(count: chain.number, digest: chain.digest)
    }
}
