import Earshot
package import Foundation

extension ItemTable {
    // MARK: - CSV

    /// A table with a header; fields are separated by commas, semicolons or tabs.
    package static func separated(_ text: String) throws(Fault) -> [Draft] {
        for separator in ",;\t".utf8 {
            let table = CSV.table(text, separator: separator)
            let header = table.rows.first?.fields.map(Column.init) ?? []
            guard header.contains(.file) || header.contains(.id) else { continue }
            if let line = table.openLine {
                throw Fault(sentence: "line \(line): a quotation mark is never closed: add one, or double it.")
            }
            return try drafts(table.rows, header)
        }
        throw Fault(sentence: "line 1: no column says which file a row is for: it needs one named file, path or id.")
    }

    private static func drafts(_ rows: [CSV.Row], _ header: [Column]) throws(Fault) -> [Draft] {
        var seen: Set<Column> = []
        for (column, name) in zip(header, rows[0].fields) where !seen.insert(column).inserted && !name.isEmpty {
            throw Fault(sentence: "line \(rows[0].line): the column \(name) is there twice: rename one.")
        }
        var drafts: [Draft] = []
        for row in rows.dropFirst() where !row.fields.allSatisfy({ $0.allSatisfy(\.isWhitespace) }) {
            guard row.fields.dropFirst(header.count).allSatisfy(\.isEmpty) else {
                throw Fault(
                    sentence:
                        "line \(row.line): it has \(row.fields.count) fields and the header \(header.count): quote "
                        + "fields that contain the separator."
                )
            }
            var draft = Draft(place: "line \(row.line)")
            for (field, column) in zip(row.fields, header) where !field.isEmpty {
                switch column {
                case .file: draft.file = field
                case .id: draft.id = field
                // A column without a name has nothing to be found under.
                case .property(let key) where key.rawValue.isEmpty: break
                case .property(let key):
                    do throws(Fault) {
                        draft.properties[key] = try ItemValue.value(field, for: key)
                    } catch {
                        throw Fault(sentence: "line \(row.line), column \(key): \(error.sentence)")
                    }
                }
            }
            drafts.append(draft)
        }
        return drafts
    }

    // MARK: - JSON and property lists

    package static func json(_ text: String) throws -> [Draft] {
        let root: Any
        do {
            root = try JSONSerialization.jsonObject(with: Data(text.utf8))
        } catch {
            throw Fault(sentence: "it is not JSON: \(reason(error))")
        }
        return try drafts(root)
    }

    package static func propertyList(_ data: Data) throws -> [Draft] {
        let root: Any
        do {
            root = try PropertyListSerialization.propertyList(from: data, format: nil)
        } catch {
            throw Fault(sentence: "it is not a property list: \(reason(error))")
        }
        return try drafts(root)
    }

    private static func reason(_ error: any Error) -> String {
        let text = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
        return text ?? "it is damaged."
    }

    /// A list of dictionaries, such a list under `items`, or a dictionary of dictionaries by file.
    private static func drafts(_ root: Any) throws -> [Draft] {
        if let list = root as? [Any] { return try drafts(list: list) }
        guard let members = root as? [String: Any] else {
            throw Fault(sentence: "it holds no list of items: write one dictionary a file.")
        }
        if let list = members["items"] as? [Any] { return try drafts(list: list) }
        return try members.sorted { $0.key < $1.key }.map { file, value in
            guard let members = value as? [String: Any] else {
                throw Fault(sentence: "the entry \(file): it is no dictionary of properties.")
            }
            var draft = try draft(members, place: "the entry \(file)")
            if draft.file.isEmpty { draft.file = file }
            return draft
        }
    }

    private static func drafts(list: [Any]) throws -> [Draft] {
        try list.enumerated().map { index, value in
            guard let members = value as? [String: Any] else {
                throw Fault(sentence: "entry \(index + 1): it is no dictionary of properties.")
            }
            return try draft(members, place: "entry \(index + 1)")
        }
    }

    private static func draft(_ members: [String: Any], place: String) throws -> Draft {
        var draft = Draft(place: place)
        var seen: Set<Column> = []
        for (name, value) in members.sorted(by: { $0.key < $1.key }) where !(value is NSNull) {
            let column = Column(name)
            guard seen.insert(column).inserted else {
                throw Fault(sentence: "\(place): the key \(name) is there twice: rename one.")
            }
            do {
                let value = try PropertyValue(propertyList: value)
                switch column {
                case .file, .id:
                    guard let text = value.string else { throw Fault(sentence: "it is no text.") }
                    if column == .file { draft.file = text } else { draft.id = text }
                case .property(let key): draft.properties[key] = try ItemValue.value(value, for: key)
                }
            } catch let fault as Fault {
                throw Fault(sentence: "\(place), key \(name): \(fault.sentence)")
            } catch let error as EarshotError {
                throw Fault(sentence: "\(place), key \(name): \(error.message)")
            }
        }
        return draft
    }
}
