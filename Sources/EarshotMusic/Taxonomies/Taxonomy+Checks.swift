import EarshotCore

extension Taxonomy {
    /// The limits of a taxonomy and of its file.
    public enum Limits {
        /// The largest size of a file, in bytes: 4 MiB.
        public static let fileBytes = 4 << 20
        /// The largest number of files in a folder.
        public static let files = 256
        /// The largest number of nodes in a taxonomy.
        public static let nodes = 20_000
        /// The largest number of levels, from the top level to the deepest.
        public static let depth = 8
        /// The largest size of an identifier, in bytes.
        public static let idBytes = 64
        /// The largest size of a name, an alias or a version, in bytes.
        public static let nameBytes = 200
        /// The largest number of aliases of a node, and of terms that it stands for.
        public static let aliases = 64
        /// The largest number of languages in a taxonomy.
        public static let languages = 100
    }

    /// The source of nodes, for the messages of errors.
    struct Source {
        /// The name of the file.
        var file: String?
        /// The line of each node by its identifier.
        var lines: [String: Int] = [:]

        /// An error about the whole.
        func fault(_ text: String) -> EarshotError {
            EarshotError(.taxonomyInvalid, "\(file ?? "taxonomy"): \(text)")
        }

        /// An error about a line.
        func fault(line: Int, _ text: String) -> EarshotError {
            EarshotError(.taxonomyInvalid, "\(file ?? "taxonomy"), line \(line): \(text)")
        }

        /// An error about a node.
        func fault(node id: String, _ text: String) -> EarshotError {
            let id = id.count > 80 ? id.prefix(80) + "…" : id[...]
            guard let line = lines[String(id)] else { return fault("node \(id): \(text)") }
            return fault(line: line, "node \(id): \(text)")
        }
    }

    /// The nodes in the order of a walk down the hierarchy.
    static func sorted(_ nodes: [Node], _ source: Source) throws(EarshotError) -> [Node] {
        guard nodes.count <= Limits.nodes else {
            throw source.fault("has \(nodes.count) nodes; the most is \(Limits.nodes)")
        }
        var ids: Set<String> = []
        for node in nodes where !ids.insert(node.id).inserted {
            throw source.fault(node: node.id, "is there twice; give one of them another identifier")
        }
        var children: [String?: [Node]] = [:]
        for node in nodes {
            if let parent = node.parent, !ids.contains(parent) {
                throw source.fault(node: node.id, "its parent \(parent) is not there; add it or name another parent")
            }
            children[node.parent, default: []].append(node)
        }
        var sorted: [Node] = []
        var waiting = (children[nil] ?? []).reversed().map { ($0, 1) }
        while let (node, depth) = waiting.popLast() {
            guard depth <= Limits.depth else {
                throw source.fault(node: node.id, "is level \(depth); the deepest is \(Limits.depth)")
            }
            sorted.append(node)
            waiting += (children[node.id] ?? []).reversed().map { ($0, depth + 1) }
        }
        // Whoever was not reached from the top is below itself.
        if sorted.count < nodes.count {
            let reached = Set(sorted.map(\.id))
            for node in nodes where !reached.contains(node.id) {
                throw source.fault(node: node.id, "stands below itself; give it, or one above it, another parent")
            }
        }
        return sorted
    }

    /// Refuses nodes with an unfit identifier, name, alias or range.
    static func check(_ nodes: [Node], isVariant: Bool, _ source: Source) throws(EarshotError) {
        guard Set(nodes.flatMap(\.names.keys)).count <= Limits.languages else {
            throw source.fault("has more than \(Limits.languages) languages; leave some out")
        }
        var standing: [String: String] = [:]
        for node in nodes {
            for id in node.standsFor {
                if let other = standing.updateValue(node.id, forKey: id) {
                    throw source.fault(node: node.id, "stands for \(id), as \(other) does; take it out of one of them")
                }
                guard isIdentifier(id) else {
                    throw source.fault(node: node.id, "stands for \(id.prefix(80)), which is no identifier; correct it")
                }
            }
            guard isIdentifier(node.id) else {
                throw source.fault(
                    node: node.id,
                    "an identifier has 1 to \(Limits.idBytes) letters, digits, -, _, . and : of ASCII; write it so"
                )
            }
            guard node.names[defaultLanguage] != nil else {
                throw source.fault(node: node.id, "has no English name; add one under \(defaultLanguage)")
            }
            for text in Array(node.names.values) + node.aliases {
                if let problem = problem(with: text) { throw source.fault(node: node.id, problem) }
            }
            if let alias = node.aliases.first(where: { $0.contains(";") }) {
                throw source.fault(node: node.id, "the alias \(alias) has a semicolon, which parts aliases; split it")
            }
            for language in node.names.keys where ISOCodes.language(language) != language {
                throw source.fault(node: node.id, "\(language) is no three-letter code of a language; use ISO 639-3")
            }
            guard max(node.aliases.count, node.standsFor.count) <= Limits.aliases else {
                throw source.fault(node: node.id, "has more than \(Limits.aliases) aliases; leave some out")
            }
            if !isVariant, let id = node.standsFor.first {
                throw source.fault(
                    node: node.id,
                    "stands for \(id), which only the hierarchy of a country can; name its countries"
                )
            }
            if let range = node.range, range.isEmpty || range.lowerBound.isNaN || range.upperBound.isNaN {
                throw source.fault(node: node.id, "its range is empty; begin it below its end")
            }
        }
    }

    /// Returns `true` if a text can identify a node.
    static func isIdentifier(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= Limits.idBytes
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"): true
                case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"): true
                default: false
                }
            }
    }

    /// Returns the problem of a name or an alias; `nil` if there is none.
    static func problem(with text: String) -> String? {
        if text.isEmpty || text.first == " " || text.last == " " {
            return "a name is empty or begins or ends with a space; correct it"
        }
        if text.utf8.count > Limits.nameBytes {
            return "the name \(text.prefix(40))… has more than \(Limits.nameBytes) bytes; shorten it"
        }
        if text == "=" { return "a name is `=`, which a file has for the English one; write another" }
        if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            return "the name \(text.filter { !$0.isNewline }.prefix(40)) has a control character; take it out"
        }
        return nil
    }
}
