import BenchmarkSupport
import Foundation

/// What a catalog file is made of, read from its table of sections.
struct CatalogFile {
    private(set) var bytes = 0
    /// Bytes of each section, by its number.
    private(set) var sections: [Int: Int] = [:]
    /// Postings that the header states.
    private(set) var postings = 0
    /// The index's number of making keys.
    private(set) var scheme = 0
    /// Bytes of postings of each key, where the index is of scheme 1.
    private(set) var listSizes: [Double] = []

    /// Sections 3 (landmarks) and those of the index, 5 to 8; a later format may have others, which count as index too.
    var landmarkBytes: Int { sections[3] ?? 0 }
    var indexBytes: Int { sections.filter { $0.key >= 5 }.reduce(0) { $0 + $1.value } }
    /// Distinct keys, where the index is of scheme 1.
    var keys: Int { listSizes.count }

    /// Reads a file's table.
    init(_ url: URL) throws {
        guard let data = try? Data(contentsOf: url, options: .alwaysMapped), data.count > 72 else {
            throw Failure("\(url.path) cannot be read.")
        }
        func number(_ offset: Int, _ size: Int) -> Int {
            (0..<size).reduce(0) { $0 | Int(data[data.startIndex + offset + $1]) << (8 * $1) }
        }
        bytes = data.count
        scheme = number(16, 4)
        postings = number(48, 8)
        var offsets = 0..<0
        for entry in 0..<min(64, number(44, 4)) {
            let at = 64 + entry * 24
            sections[number(at, 4)] = number(at + 16, 8)
            if number(at, 4) == 7 { offsets = number(at + 8, 8)..<number(at + 8, 8) + number(at + 16, 8) }
        }
        guard scheme == 1, offsets.upperBound <= data.count, offsets.count >= 8 else { return }
        data.withUnsafeBytes { raw in
            func value(_ at: Int) -> Double {
                Double(raw.loadUnaligned(fromByteOffset: at, as: UInt32.self).littleEndian)
            }
            listSizes = stride(from: offsets.lowerBound, to: offsets.upperBound - 4, by: 4).map {
                value($0 + 4) - value($0)
            }
        }
    }
}
