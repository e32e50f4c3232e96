import EarshotCore

extension TaxonomyFile {
    /// The lines before the nodes.
    struct Header {
        /// The content of a column's cells.
        enum Column: Hashable {
            case id, aliases, standsFor, range
            case language(String)
        }

        let kind: DescriptorKind
        let version: String
        let countries: [String]
        let extends: Bool
        let columns: [Column]

        /// Reads up to the names of the columns.
        init(_ lines: inout Lines, after first: Int, source: Taxonomy.Source) throws(EarshotError) {
            var values: [String: String] = [:]
            var line = first
            while true {
                guard let (number, cells) = try lines.next() else {
                    throw source.fault("ends before the line of columns; add one that begins with `id`")
                }
                line = number
                let key = TaxonomyFile.trimmed(cells[0])
                if key == "id" {
                    columns = try Self.columns(cells, line: line, source: source)
                    break
                }
                guard ["kind", "version", "countries", "extends"].contains(key) else {
                    throw source.fault(
                        line: line,
                        "`\(key.prefix(40))` is none of kind, version, countries, extends and id; correct it"
                    )
                }
                let value = TaxonomyFile.trimmed(cells.count == 2 ? cells[1] : "")
                guard !value.isEmpty, Taxonomy.problem(with: value) == nil || key == "countries" else {
                    throw source.fault(line: line, "\(key) is not followed by a tab and one value; add it")
                }
                guard values.updateValue(value, forKey: key) == nil else {
                    throw source.fault(line: line, "\(key) is there twice; take one out")
                }
            }
            guard let kind = values["kind"].flatMap(DescriptorKind.init(rawValue:)) else {
                let kinds = DescriptorKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw source.fault("names no kind; write `kind`, a tab and one of \(kinds)")
            }
            guard let version = values["version"] else {
                throw source.fault("has no version; write `version`, a tab and the version")
            }
            var countries: [String] = []
            for text in (values["countries"] ?? "").split(separator: " ") {
                guard let code = ISOCodes.country(String(text)) else {
                    throw source.fault("\(text.prefix(40)) is no ISO 3166-1 code of a country; correct it")
                }
                if !countries.contains(code) { countries.append(code) }
            }
            if let extends = values["extends"], !["yes", "no"].contains(extends) {
                throw source.fault("extends is neither yes nor no; write one of them")
            }
            self.kind = kind
            self.version = version
            self.countries = countries
            extends = values["extends"] == "yes"
        }

        private static func columns(
            _ cells: [String],
            line: Int,
            source: Taxonomy.Source
        ) throws(EarshotError) -> [Column] {
            var columns: [Column] = []
            for cell in cells {
                let name = TaxonomyFile.trimmed(cell)
                let column: Column
                switch name {
                case "id": column = .id
                case "aliases": column = .aliases
                case "is": column = .standsFor
                case "range": column = .range
                default:
                    guard let language = ISOCodes.language(name) else {
                        throw source.fault(
                            line: line,
                            "the column `\(name.prefix(40))` is neither aliases, is or range nor a language; correct it"
                        )
                    }
                    column = .language(language)
                }
                guard !columns.contains(column) else {
                    throw source.fault(line: line, "the column \(name.prefix(40)) is there twice; take one out")
                }
                guard columns.count <= Taxonomy.Limits.languages + 3 else {
                    throw source.fault(line: line, "has more than \(Taxonomy.Limits.languages) languages")
                }
                columns.append(column)
            }
            return columns
        }
    }
}
