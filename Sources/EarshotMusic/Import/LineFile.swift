package import EarshotCore
package import Foundation

/// Reads the lines of a file, or of standard input, forward in large blocks.
///
/// Unchecked, because the compiler cannot see that one batch is read after the other.
package final class LineFile: @unchecked Sendable {
    /// A line and its line numbers.
    package struct Line: Sendable {
        /// The number of the line, counted from 1.
        package var number: Int
        /// The number of its last line, which differs from ``number`` if a quoted text spans several lines.
        package var last: Int
        /// The bytes without the line's end; `nil` if the line is longer than the limit.
        package var bytes: Data?
    }

    /// The offset of the next line in the file, in bytes.
    package private(set) var offset: UInt64 = 0
    /// The bytes of the file; `nil` if their number is not known.
    package let size: UInt64?
    private let handle: FileHandle
    private let name: String
    private let maximumLineSize: Int
    private var buffer: [UInt8] = []
    /// The offset of the next line in the buffer.
    private var begin = 0
    private var number = 0
    private var isAtEnd = false
    /// A line that was looked at and is read again.
    private var pending: Line?
    /// The separator of the fields of a table, in which a quoted field may hold ends of lines; `nil` for other
    /// files.
    package var separator: UInt8?

    /// Opens a file; `-` is standard input.
    ///
    /// - Throws: `assetNotFound`, `assetIsDirectory`, `assetUnreadable`.
    package init(path: String, maximumLineSize: Int) throws(EarshotError) {
        self.maximumLineSize = maximumLineSize
        if path == "-" {
            (handle, name, size) = (.standardInput, "standard input", nil)
            return
        }
        name = path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw EarshotError(.assetNotFound, "There is no file at \(path): check the path.")
        }
        guard !isFolder.boolValue else {
            throw EarshotError(.assetIsDirectory, "\(path) is a folder: name a file in it.")
        }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw EarshotError(.assetUnreadable, "\(path) cannot be opened: check that you may read it.")
        }
        self.handle = handle
        size = try? handle.seekToEnd()
        try? handle.seek(toOffset: 0)
    }

    /// Skips to the offset at which an earlier run ended.
    ///
    /// - Returns: `false` for a pipe, and for an offset beyond the end of the file.
    package func skip(to offset: UInt64, line number: Int) -> Bool {
        guard let size, offset <= size, (try? handle.seek(toOffset: offset)) != nil else { return false }
        self.offset = offset
        self.number = number
        (buffer, begin, isAtEnd, pending) = ([], 0, false, nil)
        return true
    }

    /// Returns the next lines that are not empty; an empty array at the end of the file. Blocks.
    ///
    /// - Throws: `readFailed`.
    package func lines(atMost count: Int) throws(EarshotError) -> [Line] {
        var lines: [Line] = []
        while lines.count < count, let line = try next() {
            if line.bytes?.isEmpty != true { lines.append(line) }
        }
        return lines
    }

    /// Returns the next line that is not empty without consuming it; `nil` at the end. Blocks.
    ///
    /// - Throws: `readFailed`.
    package func peek() throws(EarshotError) -> Line? {
        while pending == nil, let line = try next() {
            if line.bytes?.isEmpty != true { pending = line }
        }
        return pending
    }

    /// Consumes the line that ``peek()`` returned.
    package func dropPeeked() { pending = nil }

    private func next() throws(EarshotError) -> Line? {
        if let line = pending {
            pending = nil
            return line
        }
        var searched = begin
        var isTooLong = false
        var quotes = separator.map { QuotedFields(separator: $0) }
        // The end of the first line of several.
        var firstEnd: Int?
        while true {
            while let end = Self.lineEnd(buffer, from: searched) {
                guard quotes?.isOpen(after: buffer[searched..<end]) == true else {
                    return take(upTo: end, 1, isTooLong)
                }
                firstEnd = firstEnd ?? end
                searched = end + 1
            }
            // What is read of a field is looked at once its line ends; until then a line is searched again.
            if quotes == nil { searched = buffer.count }
            if let end = firstEnd, isAtEnd, quotes?.isOpen(after: buffer[searched...]) == false, end < buffer.count {
                return take(upTo: buffer.count, 0, isTooLong)
            }
            if let end = firstEnd, isAtEnd || buffer.count - begin > maximumLineSize {
                // Never closed: one line is wrong, and those behind it are read by themselves.
                return take(upTo: end, 1, isTooLong)
            }
            if isAtEnd { return begin == buffer.count && !isTooLong ? nil : take(upTo: buffer.count, 0, isTooLong) }
            // What was taken goes, once for every piece that is read.
            buffer.removeFirst(begin)
            searched -= begin
            firstEnd = firstEnd.map { $0 - begin }
            begin = 0
            if buffer.count > maximumLineSize {
                // Read over, without being kept.
                isTooLong = true
                offset += UInt64(buffer.count)
                buffer = []
                searched = 0
                quotes = nil
            }
            let piece: Data
            do {
                piece = try handle.read(upToCount: 1 << 20) ?? Data()
            } catch {
                throw EarshotError(.readFailed, "\(name) could not be read further: check the disk.", cause: error)
            }
            isAtEnd = piece.isEmpty
            buffer.append(contentsOf: piece)
        }
    }

    /// The place of the next line feed.
    private static func lineEnd(_ bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBytes { bytes in
            guard start < bytes.count, let base = bytes.baseAddress,
                let found = memchr(base + start, 0x0A, bytes.count - start)
            else { return nil }
            return base.distance(to: found)
        }
    }

    private func take(upTo end: Int, _ lineEnd: Int, _ isTooLong: Bool) -> Line {
        let last = end > begin && buffer[end - 1] == 0x0D ? end - 1 : end
        let line = isTooLong ? nil : Data(buffer[begin..<last])
        let inner = separator == nil || isTooLong ? 0 : buffer[begin..<end].count { $0 == 0x0A }
        offset += UInt64(end + lineEnd - begin)
        begin = end + lineEnd
        number += 1 + inner
        return Line(number: number - inner, last: number, bytes: line)
    }
}

/// The state of quoting in a line of a table: a field that is still open continues on the next line.
private struct QuotedFields {
    private enum Place {
        case start, plain, inside, behind
    }

    let separator: UInt8
    private var place = Place.start

    init(separator: UInt8) { self.separator = separator }

    /// Goes on over a line, its end not included.
    mutating func isOpen(after line: some Sequence<UInt8>) -> Bool {
        for byte in line {
            switch place {
            // Behind a quotation mark that may close a field, another one is text.
            case .start, .behind: place = byte == UInt8(ascii: "\"") ? .inside : byte == separator ? .start : .plain
            case .plain: if byte == separator { place = .start }
            case .inside: if byte == UInt8(ascii: "\"") { place = .behind }
            }
        }
        guard place != .inside else { return true }
        place = .start
        return false
    }
}
