import EarshotCore
import Foundation

/// The value of one cell of a table.
enum TableCell: Hashable, Sendable, Decodable {
    case text(String)
    /// A list, which only JSON has.
    case list([String])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let number = try? container.decode(Int64.self) {
            self = .text(String(number))
        } else if let number = try? container.decode(Double.self) {
            self = .text(String(number))
        } else {
            self = .list(try container.decode([String].self))
        }
    }

    /// The members of a JSON object; `nil` for members that are null or blank.
    ///
    /// - Throws: `metadataInvalid`.
    static func object(_ text: String) throws(EarshotError) -> [String: TableCell?] {
        do {
            return try JSONDecoder().decode([String: TableCell?].self, from: Data(text.utf8)).mapValues { cell in
                switch cell {
                case .text(let text) where text.allSatisfy(\.isWhitespace): nil
                case .list(let list) where list.isEmpty: nil
                default: cell
                }
            }
        } catch DecodingError.dataCorrupted {
            throw EarshotError(.metadataInvalid, "The line is not JSON: write one object a line.")
        } catch {
            throw EarshotError(
                .metadataInvalid,
                "The line is no object of texts, numbers and lists of texts: write {\"title\":\"…\",\"artist\":\"…\"}."
            )
        }
    }
}
