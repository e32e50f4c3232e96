public import EarshotCore

extension Taxonomy {
    /// Reads a taxonomy from a file.
    ///
    /// - Parameters:
    ///   - bytes: The content of the file, as `Docs/formats/taxonomy.md` describes it.
    ///   - name: The name of the file in errors.
    ///   - base: The taxonomy that the file adds to if it says that it extends one; ignored otherwise.
    /// - Throws: `taxonomyInvalid` naming file, line or node, and what to do.
    public init(
        decoding bytes: some Collection<UInt8>,
        named name: String,
        extending base: Taxonomy? = nil
    ) throws(EarshotError) {
        try self.init(TaxonomyFile(bytes, name: name), extending: base)
    }

    /// A hierarchy of what a file says, and of what it extends.
    init(_ file: TaxonomyFile, extending base: Taxonomy?) throws(EarshotError) {
        guard file.extends else {
            try self.init(file, nodes: [])
            return
        }
        guard let base, base.kind == file.kind else {
            throw file.source.fault("extends a taxonomy of \(file.kind.rawValue) that is not there; take out `extends`")
        }
        try self.init(file, nodes: base.nodes)
    }

    private init(_ file: TaxonomyFile, nodes: [Node]) throws(EarshotError) {
        var source = file.source
        var nodes = nodes
        var positions: [String: Int] = [:]
        for (position, node) in nodes.enumerated() { positions[node.id] = position }
        var above: [String] = []
        for entry in file.entries {
            guard entry.depth <= above.count else {
                throw source.fault(line: entry.line, "is indented by more than one level; indent it by two spaces more")
            }
            above.removeSubrange(entry.depth...)
            var node = entry.node
            node.parent = above.last
            guard source.lines.updateValue(entry.line, forKey: node.id) == nil else {
                throw source.fault(node: node.id, "is there twice; give one of them another identifier")
            }
            if let position = positions[node.id] {
                guard node.parent == nil || node.parent == nodes[position].parent else {
                    throw source.fault(node: node.id, "stands elsewhere in what is extended; indent it as there")
                }
                nodes[position].add(node)
            } else {
                positions[node.id] = nodes.count
                nodes.append(node)
            }
            above.append(node.id)
        }
        try self.init(
            kind: file.kind,
            version: file.version,
            countries: file.countries,
            nodes: nodes,
            source: source
        )
    }
}

extension Taxonomy.Node {
    /// Takes what a file says of this node over what was there.
    fileprivate mutating func add(_ node: Taxonomy.Node) {
        names.merge(node.names) { $1 }
        aliases += node.aliases.filter { !aliases.contains($0) }
        standsFor += node.standsFor.filter { !standsFor.contains($0) }
        range = node.range ?? range
    }
}
