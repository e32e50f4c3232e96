import Foundation

/// The byte range of a file that a request asks for (RFC 9110, section 14).
enum ByteRange: Hashable {
    /// The whole file: no range, a range of another unit, or several ranges.
    case whole
    /// These bytes.
    case part(Range<Int>)
    /// A range beyond the end of the file.
    case unsatisfiable

    /// Parses the header `Range`.
    ///
    /// - Parameters:
    ///   - header: The value, such as `bytes=100-`, `bytes=0-99` or `bytes=-500`; `nil` if there is none.
    ///   - size: The size of the file, in bytes.
    init(header: String?, size: Int) {
        self = .whole
        guard let header, header.utf8.count <= 100, header.lowercased().hasPrefix("bytes=") else { return }
        let bounds = header.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard bounds.count == 2, bounds.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            return
        }
        if bounds[0].isEmpty {
            // A suffix: the last bytes, as many as stated.
            guard let count = Int(bounds[1]) else { return }
            self = count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
            return
        }
        guard let first = Int(bounds[0]) else { return }
        let last = Int(bounds[1]) ?? Int.max
        guard bounds[1].isEmpty || (Int(bounds[1]) != nil && last >= first) else { return }
        self = first < size ? .part(first..<min(last, size - 1) + 1) : .unsatisfiable
    }
}
