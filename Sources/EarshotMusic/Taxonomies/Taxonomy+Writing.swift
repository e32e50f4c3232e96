extension Taxonomy {
    /// Returns the taxonomy as the bytes of a file. Reading them returns an equal taxonomy.
    public func encoded() -> [UInt8] {
        var lines = ["\(TaxonomyFile.magic)\t\(TaxonomyFile.formatVersion)"]
        lines += ["kind\t\(kind.rawValue)", "version\t\(version)"]
        if !countries.isEmpty { lines.append("countries\t\(countries.joined(separator: " "))") }
        let others = languages.filter { $0 != Self.defaultLanguage }
        var columns = ["id", Self.defaultLanguage] + others
        let hasRange = nodes.contains { $0.range != nil }
        if hasRange { columns.append("range") }
        if !countries.isEmpty { columns.append("is") }
        columns.append("aliases")
        lines.append(columns.joined(separator: "\t"))
        var depths: [String: Int] = [:]
        for node in nodes {
            let depth = node.parent.flatMap { depths[$0] }.map { $0 + 1 } ?? 0
            depths[node.id] = depth
            let english = node.name(inISO: nil)
            var cells = [String(repeating: "  ", count: depth) + node.id, english]
            cells += others.map { node.names[$0].map { $0 == english ? "=" : $0 } ?? "" }
            if hasRange { cells.append(node.range.map(TaxonomyRange.text) ?? "") }
            if !countries.isEmpty { cells.append(node.standsFor.joined(separator: "; ")) }
            cells.append(node.aliases.joined(separator: "; "))
            while cells.last == "" { cells.removeLast() }
            lines.append(cells.joined(separator: "\t"))
        }
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }
}
