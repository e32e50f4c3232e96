import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation

/// An entry of a list as written, in any format.
struct BundleManifestRow {
    /// The columns, by name.
    enum Column: String, CaseIterable {
        case file, id, title, subtitle, work, data, dataFile, dataID
    }

    let name: String
    let line: Int
    private var texts: [Column: String] = [:]
    /// The work, where it is given as an object.
    private(set) var work: VideoWork?

    private init(name: String, line: Int) {
        self.name = name
        self.line = line
    }

    /// The error for an invalid line.
    func invalid(_ what: String, cause: (any Error)? = nil) -> EarshotError {
        EarshotError(.metadataInvalid, "Line \(line) of \(name) \(what).", cause: cause)
    }

    private static let columns = Column.allCases.map(\.rawValue).joined(separator: ", ")

    // MARK: - Meaning

    /// The work that is named without being described.
    var workID: EntityID<VideoWork>? { work?.id ?? texts[.work].map { EntityID($0) } }

    func entry(folder: URL) throws(EarshotError) -> BundleManifest.Entry {
        guard let file = texts[.file] else { throw invalid("names no file: add one under \"file\"") }
        let id = texts[.id] ?? file
        guard (1...BundleFormat.maximumNameSize).contains(id.utf8.count) else {
            throw invalid("has a name of more than 512 bytes: shorten its id")
        }
        for column in [Column.title, .subtitle] where texts[column]?.utf8.count ?? 0 > BundleFormat.maximumTitleSize {
            throw invalid("has a \(column.rawValue) of more than 4,096 bytes: shorten it")
        }
        for column in [Column.work, .dataID] where texts[column]?.utf8.count ?? 0 > BundleFormat.maximumNameSize {
            throw invalid("has a \(column.rawValue) of more than 512 bytes: shorten it")
        }
        var entry = BundleManifest.Entry(
            line: line,
            file: URL(fileURLWithPath: file, relativeTo: folder).absoluteURL,
            id: ReferenceID(id)
        )
        entry.title = texts[.title]
        entry.subtitle = texts[.subtitle]
        entry.work = work
        entry.dataID = texts[.dataID] ?? ""
        switch (texts[.data], texts[.dataFile]) {
        case (nil, nil):
            guard texts[.dataID] == nil else {
                throw invalid("has a dataID and no data: add it under \"data\" or \"dataFile\"")
            }
        case (let text?, nil): entry.data = .bytes(Data(text.utf8))
        case (nil, let path?): entry.data = .file(URL(fileURLWithPath: path, relativeTo: folder).absoluteURL)
        default: throw invalid("has both data and dataFile: leave one out")
        }
        return entry
    }

    // MARK: - CSV

    static func csv(_ text: String, _ name: String) throws(EarshotError) -> [BundleManifestRow] {
        let (rows, openLine) = CSV.table(text)
        if let openLine {
            throw EarshotError(
                .metadataInvalid,
                "Line \(openLine) of \(name) has a quotation mark that is never closed: close it."
            )
        }
        guard let head = rows.first else { return [] }
        var columns: [Column] = []
        for field in head.fields {
            let title = field.trimmingCharacters(in: .whitespaces)
            guard let column = Column.allCases.first(where: { $0.rawValue.lowercased() == title.lowercased() }) else {
                throw BundleManifestRow(name: name, line: head.line)
                    .invalid("has the column \"\(title.prefix(40))\", which is none of \(Self.columns)")
            }
            guard !columns.contains(column) else {
                throw BundleManifestRow(name: name, line: head.line).invalid("has the column \(title) twice")
            }
            columns.append(column)
        }
        return try rows.dropFirst().map { fields throws(EarshotError) in
            var row = BundleManifestRow(name: name, line: fields.line)
            guard fields.fields.count <= columns.count else {
                throw row.invalid("has \(fields.fields.count) fields, and there are \(columns.count) columns")
            }
            for (column, field) in zip(columns, fields.fields) where !field.isEmpty {
                if column == .work, field.utf8.first == UInt8(ascii: "{") {
                    row.work = try row.readWork(try row.object(field))
                } else {
                    row.texts[column] = field
                }
            }
            return row
        }
    }

    // MARK: - JSON

    static func json(_ text: String, _ name: String) throws(EarshotError) -> [BundleManifestRow] {
        var values = JSONObjectSplitter(text)
        var rows: [BundleManifestRow] = []
        while true {
            let (line, value) = values.next()
            guard let value else {
                guard values.isWhole else {
                    throw BundleManifestRow(name: name, line: line)
                        .invalid("has something that is no object: write one object for each file")
                }
                return rows
            }
            var row = BundleManifestRow(name: name, line: line)
            try row.read(try row.object(value))
            rows.append(row)
        }
    }

    private func object(_ text: String) throws(EarshotError) -> [String: JSONValue] {
        let value: JSONValue
        do {
            value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        } catch {
            throw invalid("is not JSON", cause: error)
        }
        guard case .object(let object) = value else { throw invalid("is no object") }
        return object
    }

    private mutating func read(_ object: [String: JSONValue]) throws(EarshotError) {
        for (key, value) in object.sorted(by: { $0.key < $1.key }) {
            guard let column = Column(rawValue: key) else {
                throw invalid("has \"\(key.prefix(40))\", which is none of \(Self.columns)")
            }
            switch value {
            case .null: continue
            // An empty text of custom data is custom data; of anything else it is nothing.
            case .string(let text): if !text.isEmpty || column == .data { texts[column] = text }
            case .object(let members) where column == .work: work = try readWork(members)
            default: throw invalid("has a \(key) that is no text")
            }
        }
    }

    /// A work, with what its maker left out.
    private func readWork(_ members: [String: JSONValue]) throws(EarshotError) -> VideoWork {
        var members = members
        guard case .string(let id)? = members["id"], (1...BundleFormat.maximumNameSize).contains(id.utf8.count) else {
            throw invalid("has a work without an id of 1 to 512 bytes")
        }
        guard members["title"] != nil else { throw invalid("has a work without a title") }
        for key in ["title", "subtitle", "synopsis"] {
            if case .string(let text)? = members[key] { members[key] = ["text": .string(text)] }
            if case .object(var name)? = members[key] {
                name.merge(["translations": [:], "alternates": []]) { given, _ in given }
                members[key] = .object(name)
            }
        }
        if case .array(let credits)? = members["credits"] {
            let whole = credits.map { credit -> JSONValue in
                guard case .object(let members) = credit else { return credit }
                return .object(members.merging(["isGuest": false]) { given, _ in given })
            }
            members["credits"] = .array(whole)
        }
        let left: [String: JSONValue] = [
            "tag": "", "kind": .string(VideoWork.Kind.other.rawValue), "isPartial": false, "genres": [], "credits": [],
            "pictures": [], "trailers": [], "externalIdentifiers": [],
        ]
        members.merge(left) { given, _ in given }
        do {
            let data = try JSONEncoder().encode(JSONValue.object(members))
            return try JSONDecoder().decode(VideoWork.self, from: data)
        } catch {
            throw invalid("has a work that cannot be read", cause: error)
        }
    }
}
