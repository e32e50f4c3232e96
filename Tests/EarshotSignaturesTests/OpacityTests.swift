import EarshotSignatures
import Foundation
import TestSupport
import Testing

@Suite("What a signature shows of itself")
struct OpacityTests {
    @Test("Its data, its duration, how it was made, and parts of it: no more", .requirements("R-CC-011"))
    func publicNames() throws {
        let folder = packageFolder.appendingPathComponent("Sources/EarshotSignatures/Signature")
        let expected: Set<String> = [
            "configuration", "duration", "isEmpty", "data", "init", "write", "slices", "slice", "Slice", "offset",
            "signature", "hasSpectrogram", "dataWithSpectrogram", "withSpectrogramElsewhere",
        ]
        var found: Set<String> = []
        for file in ["Signature", "Signature+Codec", "Signature+Slices"] {
            let text = try String(contentsOf: folder.appendingPathComponent("\(file).swift"), encoding: .utf8)
            for line in text.split(separator: "\n") {
                let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
                guard line.hasPrefix("    "), words.first == "public", words.count > 1 else { continue }
                found.insert(words[1] == "init" ? "init" : words[2])
            }
        }
        #expect(found == expected)
    }
}
