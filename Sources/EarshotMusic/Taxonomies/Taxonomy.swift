public import EarshotCore

/// A hierarchy of terms of one kind, with names in several languages.
///
/// A value of this type is valid: identifiers are unique, every parent exists, no node is its own ancestor, every node
/// has an English name, and no two nodes have the same alias.
public struct Taxonomy: Sendable, Equatable {
    /// The language used if a term has no name in the requested one: English.
    public static let defaultLanguage = "eng"

    /// The kind of the terms.
    public let kind: DescriptorKind
    /// The version of the data, as its author writes it.
    public let version: String
    /// The countries whose hierarchy this is, as ISO 3166-1 alpha-3 codes; empty for the international one.
    public let countries: [String]
    /// The nodes in depth-first order: each after its parent and before its parent's next sibling.
    public let nodes: [Node]

    private let positions: [String: Int]
    private let tags: [String: Int]
    private let international: [String: Int]
    private let ranged: [Int]

    /// Creates a taxonomy from nodes in any order.
    ///
    /// - Parameters:
    ///   - kind: The kind of the terms.
    ///   - version: The version of the data.
    ///   - countries: The countries of the taxonomy; empty for the international one.
    ///   - nodes: The nodes. Those with one parent keep their order.
    /// - Throws: `taxonomyInvalid` naming the node, and what to do.
    public init(
        kind: DescriptorKind,
        version: String,
        countries: [String] = [],
        nodes: [Node]
    ) throws(EarshotError) {
        try self.init(kind: kind, version: version, countries: countries, nodes: nodes, source: Source())
    }

    /// The same with nodes that were read from a file, whose lines errors name.
    init(
        kind: DescriptorKind,
        version: String,
        countries: [String],
        nodes: [Node],
        source: Source
    ) throws(EarshotError) {
        guard countries.isEmpty || kind == .genre else {
            throw source.fault("only genres differ between countries; leave out the countries of \(kind.rawValue)")
        }
        if let country = countries.first(where: { ISOCodes.country($0) != $0 }) {
            throw source.fault("\(country) is no ISO 3166-1 alpha-3 code of a country; correct it")
        }
        if let problem = Self.problem(with: version) { throw source.fault("version: \(problem)") }
        let sorted = try Self.sorted(nodes, source)
        try Self.check(sorted, isVariant: !countries.isEmpty, source)
        self.kind = kind
        self.version = version
        self.countries = countries
        self.nodes = sorted
        positions = Dictionary(sorted.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        tags = try Self.tagTable(sorted, source)
        international = Dictionary(
            sorted.enumerated().flatMap { position, node in node.standsFor.map { ($0, position) } },
            uniquingKeysWith: { first, _ in first }
        )
        ranged = sorted.indices.filter { sorted[$0].range != nil }
    }

    /// Returns the node with an identifier; `nil` if there is none.
    public subscript(id: String) -> Node? {
        positions[id].map { nodes[$0] }
    }

    /// Returns the child nodes of a node in order; the nodes of the top level for `nil`.
    public func children(of id: String?) -> [Node] {
        nodes.filter { $0.parent == id }
    }

    /// Returns the nodes from the top level down to a node; empty if there is no such node.
    public func path(to id: String) -> [Node] {
        var path: [Node] = []
        var next = self[id]
        while let node = next {
            path.append(node)
            next = node.parent.flatMap { self[$0] }
        }
        return path.reversed()
    }

    /// The languages in which at least one node has a name, as sorted ISO 639-3 codes.
    public var languages: [String] {
        Set(nodes.flatMap(\.names.keys)).sorted()
    }

    /// The node that stands for an international term.
    func node(standingFor id: String) -> Node? {
        international[id].map { nodes[$0] }
    }

    /// The node of an alias or a name in any language, compared as ``tagKey(_:)`` has it.
    func node(withKey key: String) -> Node? {
        tags[key].map { nodes[$0] }
    }

    /// The node with the narrowest range that contains a number: 128 beats per minute, the year 1994.
    public func node(containing number: Double) -> Node? {
        func width(_ position: Int) -> Double {
            nodes[position].range.map { $0.upperBound - $0.lowerBound } ?? .infinity
        }
        let holding = ranged.filter { nodes[$0].range?.contains(number) == true }
        // Of two equally wide the deeper one, which stands further behind.
        return holding.min { (width($0), -$0) < (width($1), -$1) }.map { nodes[$0] }
    }

    /// Returns `true` if kind, version, countries and nodes of two taxonomies are equal.
    public static func == (left: Taxonomy, right: Taxonomy) -> Bool {
        left.kind == right.kind && left.version == right.version && left.countries == right.countries
            && left.nodes == right.nodes
    }
}
