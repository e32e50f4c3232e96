import EarshotCore
import TestSupport
import Testing

@Suite("Comma-separated values")
struct CSVTests {
    @Test("Any table survives being written and read as CSV")
    func tables() {
        let alphabet: [Character] = ["a", "é", ",", "\"", "\"\u{301}", "\n", "\r\n", " ", "日"]
        property("CSV") { generator in
            let rows = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                ["x"]
                    + (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                        String(
                            (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                                alphabet.randomElement(using: &generator) ?? "a"
                            }
                        )
                    }
            }
            let text = rows.map { $0.map(CSV.field).joined(separator: ",") }.joined(separator: "\n")
            return CSV.rows(text) == rows
        }
    }

    @Test("Rows know their lines, whatever ends them; empty ones are left out")
    func lines() {
        let table = CSV.table("a,b\r\n\"x\ny\",\r\r\n\"\"\nlast", separator: UInt8(ascii: ","))
        #expect(table.rows.map(\.fields) == [["a", "b"], ["x\ny", ""], [""], ["last"]])
        #expect(table.rows.map(\.line) == [1, 2, 5, 6])
        #expect(table.openLine == nil)
    }

    @Test("A quotation mark that is never closed is told with its line")
    func open() {
        let table = CSV.table("a;b\n1;\"two\nthree", separator: UInt8(ascii: ";"))
        #expect(table.openLine == 2)
        #expect(table.rows.last?.fields == ["1", "two\nthree"])
    }
}
