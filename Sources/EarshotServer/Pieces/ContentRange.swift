import EarshotCore

/// The range of bytes that a request contains (RFC 9110, section 14.4).
struct ContentRange: Hashable, Sendable {
    /// The bytes.
    let bytes: Range<Int>
    /// The size of the whole, in bytes.
    let total: Int

    /// Parses the value of `Content-Range`, such as `bytes 100-199/1000`.
    ///
    /// - Throws: `requestInvalid` for anything else.
    init(_ header: String) throws(EarshotError) {
        let fault = EarshotError(
            .requestInvalid,
            "Content-Range is \"\(header.prefix(60))\": say which bytes come, as bytes 0-99/1000."
        )
        guard header.utf8.count <= 100, header.lowercased().hasPrefix("bytes ") else { throw fault }
        let halves = header.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { throw fault }
        let bounds = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        func number(_ text: Substring) -> Int? {
            text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
        }
        guard bounds.count == 2, let first = number(bounds[0]), let last = number(bounds[1]),
            let total = number(halves[1]), first <= last, last < total
        else { throw fault }
        (bytes, self.total) = (first..<last + 1, total)
    }
}
