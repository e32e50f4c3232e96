import EarshotCore
import Foundation
import TestSupport
import Testing

@Suite("Errors")
struct EarshotErrorTests {
    @Test("The registry documents every code, each once, and no other")
    func registry() throws {
        let page = try String(contentsOf: packageFolder.appendingPathComponent("Docs/errors.md"), encoding: .utf8)
        // Rows of the first table: | `code` | number | meaning | remedy |
        var documented: [String] = []
        var numbers: [String] = []
        let table = page.split(separator: "\n", omittingEmptySubsequences: false).drop { $0 != "## Codes" }.dropFirst()
        for line in table.prefix(while: { !$0.hasPrefix("## ") }) where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(cells.count == 4 && cells.allSatisfy { !$0.isEmpty }, "a row has four cells: \(line)")
            documented.append(cells[0].trimmingCharacters(in: ["`"]))
            numbers.append("0x" + cells[1])
        }
        #expect(documented == EarshotError.Code.all.map(\.rawValue))
        #expect(Set(documented).count == documented.count)
        #expect(numbers == EarshotError.Code.all.map(\.hexadecimal))
        #expect(Set(numbers).count == numbers.count && !numbers.contains("0x0000"))
    }

    @Test("Codes are told apart by name")
    func codes() {
        #expect(EarshotError.Code.all.count == Set(EarshotError.Code.all).count)
        #expect(EarshotError.Code.assetNotFound.rawValue == "assetNotFound")
        #expect("\(EarshotError.Code.writeFailed)" == "writeFailed")
        #expect(EarshotError.Code.all.contains(.internalError))
    }

    @Test("The message stands alone; a cause goes behind it")
    func description() {
        let inner = EarshotError(.readFailed, "The disk is gone.")
        let outer = EarshotError(.writeFailed, "Writing a.wav failed.", position: .zero, cause: inner)
        #expect("\(inner)" == "The disk is gone.")
        #expect("\(outer)" == "Writing a.wav failed. (The disk is gone.)")
        #expect(outer.position == .zero)
        #expect(outer.deviation == nil)
    }
}
