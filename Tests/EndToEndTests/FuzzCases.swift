import EarshotAPI
import EarshotCore
import Foundation
import TestSupport
import Testing

/// The cases of a fuzz target: its seeds, and those that `scripts/fuzz --keep` has kept.
struct FuzzCases {
    typealias Case = (name: String, bytes: [UInt8])

    static let seeds = packageFolder.appendingPathComponent("Fuzz/Seeds", isDirectory: true)
    private static let corpora = packageFolder.appendingPathComponent("Fuzz/Corpora", isDirectory: true)

    let all: [Case]

    /// Reads the cases of a target.
    init(of target: String) throws {
        let folder = Self.seeds.appendingPathComponent(target, isDirectory: true)
        var cases: [Case] = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
            (name, [UInt8](try Data(contentsOf: folder.appendingPathComponent(name))))
        }
        let archive = Self.corpora.appendingPathComponent("\(target).tar.gz")
        if FileManager.default.fileExists(atPath: archive.path) {
            cases += try Self.unpacked([UInt8](try Data(contentsOf: archive)))
        }
        all = cases
    }

    /// Reads the files of an archive in the form ustar, packed with gzip.
    static func unpacked(_ archive: [UInt8]) throws -> [Case] {
        let bytes = try CompressedBody.unpacked(archive, limit: 64 << 20)
        var cases: [Case] = []
        var place = 0
        // A header of zeros ends it.
        while place + 512 <= bytes.count, bytes[place] != 0 {
            let name = String(decoding: bytes[place..<place + 100].prefix { $0 != 0 }, as: UTF8.self)
            let digits = String(decoding: bytes[place + 124..<place + 135], as: UTF8.self)
            let size = try #require(Int(digits, radix: 8))
            try #require(place + 512 + size <= bytes.count)
            cases.append((name, Array(bytes[place + 512..<place + 512 + size])))
            place += 512 + (size + 511) / 512 * 512
        }
        return cases
    }
}
