import BenchmarkSupport
import Earshot
import EarshotCatalogs
import Foundation

/// What a catalog file is made of, read from its table of sections.
struct CatalogFile {
    private(set) var bytes = 0
    /// Bytes of each section, by its number.
    private(set) var sections: [Int: Int] = [:]
    /// Postings that the header states.
    private(set) var postings = 0

    /// Sections 3 (landmarks) and those of the index, 5 to 8; a later format may have others, which count as index too.
    var landmarkBytes: Int { sections[3] ?? 0 }
    var indexBytes: Int { sections.filter { $0.key >= 5 }.reduce(0) { $0 + $1.value } }
    /// Blocks of postings: one key of four bytes for each.
    var blocks: Int { (sections[5] ?? 0) / 4 }

    /// Reads a file's table.
    init(_ url: URL) throws {
        guard let data = try? Data(contentsOf: url, options: .alwaysMapped), data.count > 72 else {
            throw Failure("\(url.path) cannot be read.")
        }
        func number(_ offset: Int, _ size: Int) -> Int {
            (0..<size).reduce(0) { $0 | Int(data[data.startIndex + offset + $1]) << (8 * $1) }
        }
        bytes = data.count
        postings = number(48, 8)
        for entry in 0..<min(64, number(44, 4)) {
            let at = 64 + entry * 24
            sections[number(at, 4)] = number(at + 16, 8)
        }
    }
}
