import Foundation
import TestSupport

/// A page of the documentation, with the code printed in it.
struct GuideArticle {
    let name: String
    let text: String

    /// A page at a path in the package.
    init(_ path: String) throws {
        name = path
        text = try String(contentsOf: packageFolder.appendingPathComponent(path), encoding: .utf8)
    }

    /// A page of the guide.
    init(guide: String) throws { try self.init("Sources/Earshot/Earshot.docc/\(guide).md") }

    /// The first page of a module.
    init(module: String) throws { try self.init("Sources/\(module)/\(module).docc/\(module).md") }

    var lines: [String] { text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

    /// The titles of the second level.
    var chapters: [String] { lines.filter { $0.hasPrefix("## ") }.map { String($0.dropFirst(3)) } }

    /// The blocks of a language, each as lines.
    func blocks(of language: String) -> [[String]] {
        var blocks: [[String]] = []
        var block: [String]?
        for line in lines {
            if let open = block {
                if line == "```" {
                    blocks.append(open)
                    block = nil
                } else {
                    block = open + [line]
                }
            } else if line == "```" + language {
                block = []
            }
        }
        return blocks
    }

    /// The code of this package, without imports and manifests; code of another framework says so in its first line.
    var code: [[String]] {
        blocks(of: "swift").filter { $0.first != "// ShazamKit" && $0.first?.hasPrefix(".package") != true }
            .map { block in Array(block.drop { $0.isEmpty || $0.hasPrefix("import ") }) }
    }

    /// The rows of the tables: what stands in each cell between backticks.
    var rows: [[[String]]] {
        lines.filter { $0.hasPrefix("| ") }.map { line in
            line.split(separator: "|").map { cell in
                cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                    .filter { $0.offset % 2 == 1 }.map { String($0.element) }
            }
        }
    }
}

extension Array<String> {
    /// Whether the lines of a block stand here in a row, all of them indented by the same spaces or none.
    func holds(_ block: [String]) -> Bool {
        guard let first = block.first(where: { !$0.isEmpty }), count >= block.count else { return false }
        let lead = block.firstIndex(of: first) ?? 0
        return (0...count - block.count).contains { start in
            let line = self[start + lead]
            guard line.hasSuffix(first) else { return false }
            let indent = line.dropLast(first.count)
            guard indent.allSatisfy({ $0 == " " }) else { return false }
            return block.indices.allSatisfy { index in
                self[start + index] == (block[index].isEmpty ? "" : indent + block[index])
            }
        }
    }
}
