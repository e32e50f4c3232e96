package import EarshotCore

/// The contents of a journal of tag changes, read from its records.
///
/// An incomplete last record, from a process that was killed, is ignored: its change was not made. Damage elsewhere
/// affects only the change of the damaged record; a damaged record header hides all later records.
package struct JournalContents {
    /// A change with the place of its delta.
    struct Entry {
        let change: JournalChange
        /// The ranges of the delta's parts in the journal.
        let delta: [Range<Int>]
        /// `true` if the delta is all there.
        let isWhole: Bool
        var isUndone = false
        /// `true` if it is not to be undone any more.
        var isAbandoned = false
        /// `true` if it is still to be undone.
        var isOpen: Bool { !isUndone && !isAbandoned }
    }

    /// The bytes after the last record that counts.
    enum Rest: Equatable {
        /// Nothing.
        case none
        /// A change that was never finished: parts of its delta, or a record cut short.
        case unfinished
        /// Something that is no record.
        case damaged
    }

    /// The changes in the order in which they were made.
    private(set) var entries: [Entry] = []
    /// The path of the folder that all changes are in; `nil` if the journal was created without one.
    package let root: String?
    /// The offset of the next record.
    private(set) var end: Int
    private(set) var rest = Rest.none
    /// The number of damaged records that are followed by valid ones.
    package private(set) var damagedRecords = 0

    /// Reads the records of a journal.
    ///
    /// - Parameters:
    ///   - size: The size of the journal, in bytes.
    ///   - name: The name of the journal in error messages.
    ///   - read: Returns the given number of bytes from an offset on, fewer at the end of the journal.
    /// - Throws: `storeDamaged` if it is not a journal, or has an unknown version, and the errors of `read`.
    package init(
        size: Int,
        name: String,
        read: (_ count: Int, _ offset: Int) throws(EarshotError) -> [UInt8]
    ) throws(EarshotError) {
        (root, end) = try Self.header(name, read)
        rest = try scan(size, read)
    }

    /// Reads records up to the first that cannot be passed; says what is there.
    private mutating func scan(
        _ size: Int,
        _ read: (_ count: Int, _ offset: Int) throws(EarshotError) -> [UInt8]
    ) throws(EarshotError) -> Rest {
        var delta: [Range<Int>] = []
        var isWhole = true
        var place = end
        while place < size {
            let head = try read(JournalFormat.headSize, place)
            guard head.count == JournalFormat.headSize else { return .unfinished }
            var fields = ByteReader(head)
            guard let kind: UInt32 = fields.read(), let count: UInt32 = fields.read(),
                let check: UInt32 = fields.read(),
                check == CRC32C.checksum(Array(head.prefix(8))), count <= JournalFormat.mostBody
            else { return try Self.isZero(from: place, to: size, read) ? .unfinished : .damaged }
            let start = place + JournalFormat.headSize
            let next = start + Int(count) + JournalFormat.checkSize
            guard next <= size else { return .unfinished }
            let body = try read(Int(count) + JournalFormat.checkSize, start)
            var tail = ByteReader(Array(body.suffix(JournalFormat.checkSize)))
            let content = Array(body.dropLast(JournalFormat.checkSize))
            let isGood = tail.read(UInt32.self) == CRC32C.checksum(head + content)
            if !isGood, next == size { return .unfinished }
            place = next
            if !isGood { damagedRecords += 1 }
            let kindOf = JournalFormat.Kind(rawValue: kind)
            if kindOf == .delta {
                delta.append(start..<start + Int(count))
                isWhole = isWhole && isGood
                continue
            }
            // The parts of a delta count only once their change is there.
            end = place
            if kindOf == .change, isGood { add(content, delta, isWhole: isWhole) }
            if kindOf == .change { (delta, isWhole) = ([], true) }
            var reader = ByteReader(content)
            if isGood, kindOf == .undone || kindOf == .abandoned, let number: UInt64 = reader.read() {
                if kindOf == .undone { markUndone(number) } else { markAbandoned(number) }
            }
        }
        return end == size ? .none : .unfinished
    }

    private mutating func add(_ body: [UInt8], _ delta: [Range<Int>], isWhole: Bool) {
        guard let change = JournalChange.read(body), (entries.last?.change.number ?? 0) < change.number else {
            damagedRecords += 1
            return
        }
        let size = delta.reduce(0) { $0 + UInt64($1.count) }
        entries.append(Entry(change: change, delta: delta, isWhole: isWhole && size == change.deltaSize))
    }

    /// Gives the root and where the records begin.
    private static func header(
        _ name: String,
        _ read: (_ count: Int, _ offset: Int) throws(EarshotError) -> [UInt8]
    ) throws(EarshotError) -> (root: String?, end: Int) {
        let bytes = try read(JournalFormat.headerSize, 0)
        var reader = ByteReader(bytes)
        guard let magic = reader.read(count: 8), Array(magic) == JournalFormat.magic, let major: UInt16 = reader.read()
        else {
            throw EarshotError(.storeDamaged, "\(name) is no journal of tag changes: name another file.")
        }
        guard major == JournalFormat.version else {
            throw EarshotError(
                .storeDamaged,
                "\(name) has version \(major), and this program knows \(JournalFormat.version): use a newer program."
            )
        }
        let damaged = EarshotError(
            .storeDamaged,
            "The journal \(name) is damaged at its begin: restore it from a backup."
        )
        guard bytes.count == JournalFormat.headerSize, let count = Self.number(bytes.suffix(4)),
            count <= JournalFormat.mostRoot
        else { throw damaged }
        let rest = try read(Int(count) + 4, JournalFormat.headerSize)
        let root = rest.prefix(Int(count))
        guard rest.count == Int(count) + 4, CRC32C.checksum(bytes + root) == Self.number(rest.suffix(4)) else {
            throw damaged
        }
        guard count > 0 else { return (nil, JournalFormat.headerSize + 4) }
        guard let text = String(validating: root, as: UTF8.self), JournalChange.isWhole(text) else { throw damaged }
        return (text, JournalFormat.headerSize + Int(count) + 4)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32? {
        var reader = ByteReader(Array(bytes))
        return reader.read()
    }

    /// Returns `true` if there are only zeros. A machine that failed leaves them where it had reserved room but written
    /// no bytes.
    private static func isZero(
        from start: Int,
        to end: Int,
        _ read: (Int, Int) throws(EarshotError) -> [UInt8]
    ) throws(EarshotError) -> Bool {
        var place = start
        while place < end {
            let bytes = try read(min(end - place, 1 << 16), place)
            guard !bytes.isEmpty, bytes.allSatisfy({ $0 == 0 }) else { return false }
            place += bytes.count
        }
        return true
    }

    // MARK: - Growing

    mutating func add(_ entry: Entry) {
        entries.append(entry)
    }

    mutating func markUndone(_ number: UInt64) {
        guard let index = entries.lastIndex(where: { $0.change.number == number }) else { return }
        entries[index].isUndone = true
    }

    mutating func markAbandoned(_ number: UInt64) {
        guard let index = entries.lastIndex(where: { $0.change.number == number }) else { return }
        entries[index].isAbandoned = true
    }

    mutating func move(end: Int) {
        self.end = end
        rest = .none
    }
}
