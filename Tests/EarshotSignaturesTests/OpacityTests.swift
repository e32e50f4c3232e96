import EarshotSignatures
import Foundation
import TestSupport
import Testing

@Suite("What a signature shows of itself")
struct OpacityTests {
    /// Whether a line begins the declaration of signatures, or an extension of them.
    private static func begins(_ line: Substring) -> Bool {
        ["public struct Signature", "extension Signature"].contains { words in
            line.hasPrefix(words) && line.dropFirst(words.count).first.map { !$0.isLetter } ?? false
                && !line.hasSuffix("}")
        }
    }

    @Test("Its data, its duration, how it was made, and parts of it: no more", .requirements("R-CC-011"))
    func publicNames() throws {
        let expected: Set<String> = [
            "configuration", "duration", "isEmpty", "data", "init", "write", "slices", "slice", "Slice", "offset",
            "signature", "hasSpectrogram", "dataWithSpectrogram", "withSpectrogramElsewhere", "hash",
        ]
        let keywords: Set<String> = ["public", "static", "mutating", "func", "var", "let", "struct"]
        var found: Set<String> = []
        let sources = packageFolder.appendingPathComponent("Sources")
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(!text.contains("public extension Signature "), "\(file.lastPathComponent)")
            guard text.contains("struct Signature") || text.contains("extension Signature") else { continue }
            var isInside = false
            for line in text.split(separator: "\n") {
                isInside = isInside ? line != "}" : Self.begins(line)
                let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
                guard isInside, line.hasPrefix("    "), words.first == "public", !line.contains("func ==") else {
                    continue
                }
                if let name = words.first(where: { !keywords.contains($0) }) { found.insert(name) }
            }
        }
        #expect(found == expected)
    }
}
