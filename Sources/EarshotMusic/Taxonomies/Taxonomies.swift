public import EarshotCore

/// The taxonomies of all kinds of descriptors, and the genre taxonomies of countries that have their own.
///
/// A track holds for each kind the identifier of the narrowest node that applies; here it becomes a list of descriptors in
/// a language. A country chooses among hierarchies of genre, a language among names. Neither can fail: where there is no
/// hierarchy of a country there is the international one, where there is no name there is the English one.
public struct Taxonomies: Sendable, Equatable {
    private var international: [DescriptorKind: Taxonomy] = [:]
    /// Hierarchies of genre by ISO 3166-1 alpha-3 code.
    private var variants: [String: Taxonomy] = [:]

    /// Creates a set of taxonomies.
    ///
    /// - Parameter taxonomies: At most one of each kind, and at most one for each country.
    /// - Throws: `taxonomyInvalid` if two taxonomies have the same kind and country, or if a country's taxonomy refers
    ///   to missing genres, or uses their identifiers for its own.
    public init(_ taxonomies: [Taxonomy]) throws(EarshotError) {
        for taxonomy in taxonomies where taxonomy.countries.isEmpty {
            guard international.updateValue(taxonomy, forKey: taxonomy.kind) == nil else {
                throw Taxonomy.Source().fault("there are two of \(taxonomy.kind.rawValue); give one of them")
            }
        }
        for taxonomy in taxonomies {
            for country in taxonomy.countries {
                guard variants.updateValue(taxonomy, forKey: country) == nil else {
                    throw Taxonomy.Source().fault("there are two of \(taxonomy.kind.rawValue) for \(country); give one")
                }
            }
        }
        try checkVariants()
    }

    /// All taxonomies: first the international ones by kind, then those of countries.
    public var all: [Taxonomy] {
        var seen: Set<[String]> = []
        return DescriptorKind.allCases.compactMap { international[$0] }
            + variants.sorted { $0.key < $1.key }.map(\.value).filter { seen.insert($0.countries).inserted }
    }

    /// The countries that have a hierarchy of genre of their own, as sorted ISO 3166-1 alpha-3 codes.
    public var countries: [String] { variants.keys.sorted() }

    /// The languages in which at least one term has a name, as sorted ISO 639-3 codes.
    public var languages: [String] { Set(all.flatMap(\.languages)).sorted() }

    /// Returns the taxonomy of a kind for a country, or the international one if the country has none.
    ///
    /// - Parameters:
    ///   - kind: The kind of descriptor.
    ///   - country: An ISO 3166-1 code, `JPN` or `JP`, or anything else for the international one.
    public func taxonomy(_ kind: DescriptorKind, country: String? = nil) -> Taxonomy? {
        variant(kind, country) ?? international[kind]
    }

    /// Returns the descriptors for a stored identifier.
    ///
    /// - Parameters:
    ///   - kind: The kind of descriptor.
    ///   - id: The identifier of the narrowest node that applies, international or of a country.
    ///   - level: One descriptor, or all from broad to narrow.
    ///   - language: An ISO 639 code or a BCP 47 tag (`jpn`, `ger`, `de-AT`); English where it is not known.
    ///   - country: An ISO 3166-1 code (`JPN`, `JP`). A country without its own taxonomy has the international genres.
    /// - Returns: Exactly one for ``DescriptorLevel/default``, at least one for ``DescriptorLevel/extended``, beginning with
    ///   that one; none only for an identifier that is not known.
    public func descriptors(
        _ kind: DescriptorKind,
        for id: String,
        level: DescriptorLevel = .default,
        language: String? = nil,
        country: String? = nil
    ) -> [Descriptor] {
        let path = path(kind, to: id, country: country)
        let code = language.flatMap(ISOCodes.language)
        return path.prefix(level == .default ? 1 : path.count).map {
            Descriptor(id: $0.id, name: $0.name(inISO: code))
        }
    }

    /// Returns the descriptors of several kinds at once, each at its own level.
    ///
    /// - Parameters:
    ///   - ids: For each kind the identifier of the narrowest node that applies.
    ///   - levels: The level of each kind. Default: ``DescriptorLevel/default``.
    ///   - language: The language, as for one kind.
    ///   - country: The country, as for one kind.
    /// - Returns: A list for every kind that an identifier was given for.
    public func descriptors(
        for ids: [DescriptorKind: String],
        levels: [DescriptorKind: DescriptorLevel] = [:],
        language: String? = nil,
        country: String? = nil
    ) -> [DescriptorKind: [Descriptor]] {
        var lists: [DescriptorKind: [Descriptor]] = [:]
        for (kind, id) in ids {
            let level = levels[kind] ?? .default
            lists[kind] = descriptors(kind, for: id, level: level, language: language, country: country)
        }
        return lists
    }

    /// Returns the node of the international taxonomy that a tag of a file means, or else that of a country's; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - kind: The kind of descriptor.
    ///   - tag: The text, as ``Taxonomy/node(matching:)`` understands it.
    public func node(_ kind: DescriptorKind, matching tag: String) -> Taxonomy.Node? {
        if let node = international[kind]?.node(matching: tag) { return node }
        guard kind == .genre else { return nil }
        return countries.lazy.compactMap { variants[$0]?.node(matching: tag) }.first
    }

    // MARK: - Countries

    private func variant(_ kind: DescriptorKind, _ country: String?) -> Taxonomy? {
        guard kind == .genre, !variants.isEmpty, let code = country.flatMap(ISOCodes.country) else { return nil }
        return variants[code]
    }

    /// The nodes to show for one that was stored, from broad to narrow.
    private func path(_ kind: DescriptorKind, to id: String, country: String?) -> [Taxonomy.Node] {
        let variant = variant(kind, country)
        if let variant, variant[id] != nil { return variant.path(to: id) }
        guard let international = international[kind] else { return [] }
        var stored = id
        if international[id] == nil, kind == .genre {
            // Stored was a genre of another country: what it, or what is above it, stands for.
            let home = countries.lazy.compactMap { self.variants[$0] }.first { $0[id] != nil }
            guard let home else { return [] }
            let homePath = home.path(to: id)
            guard let meant = homePath.last(where: { !$0.standsFor.isEmpty })?.standsFor.first else { return homePath }
            stored = meant
        }
        let path = international.path(to: stored)
        guard let variant else { return path }
        // The nearest node upwards that the country has a genre for; what is narrower keeps its international descriptor.
        for (position, node) in path.enumerated().reversed() {
            if let shown = variant.node(standingFor: node.id) {
                return variant.path(to: shown.id) + path[(position + 1)...]
            }
        }
        return path
    }

    private func checkVariants() throws(EarshotError) {
        var owners: [String: [String]] = [:]
        for (_, variant) in variants.sorted(by: { $0.key < $1.key }) {
            let source = Taxonomy.Source(file: "genre of \(variant.countries.joined(separator: " "))")
            for node in variant.nodes {
                for id in node.standsFor where international[.genre]?[id] == nil {
                    throw source.fault(node: node.id, "stands for \(id), which is no international genre; correct it")
                }
                let owner = owners[node.id] ?? variant.countries
                guard international[.genre]?[node.id] == nil, owner == variant.countries else {
                    throw source.fault(node: node.id, "has the identifier of another genre; give it one of its own")
                }
                owners[node.id] = owner
            }
        }
    }
}
