extension Taxonomy {
    /// One term of a hierarchy.
    public struct Node: Hashable, Sendable {
        /// The identifier: letters, digits, `-`, `_`, `.` and `:` of ASCII, unique within the kind.
        public var id: String
        /// The identifier of the broader term; `nil` at the top level.
        public var parent: String?
        /// The names by ISO 639-3 code. English (`eng`) is always there.
        public var names: [String: String]
        /// Other ways in which tags of files say this: spellings, numbers of ID3v1.
        public var aliases: [String]
        /// In a country's taxonomy, the international terms that this one stands for.
        public var standsFor: [String]
        /// The numbers that belong to the term, the upper bound excluded: beats per minute of a tempo, years of an era.
        public var range: Range<Double>?

        /// A term.
        ///
        /// - Parameters:
        ///   - id: The identifier.
        ///   - parent: The identifier of the broader term; `nil` at the top level.
        ///   - names: The names by ISO 639-3 code.
        ///   - aliases: Other ways in which tags say this.
        ///   - standsFor: In the hierarchy of a country, terms of the international one.
        ///   - range: The numbers that belong to the term.
        public init(
            id: String,
            parent: String? = nil,
            names: [String: String],
            aliases: [String] = [],
            standsFor: [String] = [],
            range: Range<Double>? = nil
        ) {
            self.id = id
            self.parent = parent
            self.names = names
            self.aliases = aliases
            self.standsFor = standsFor
            self.range = range
        }

        /// The name in a language, or in English where there is none.
        ///
        /// - Parameter language: An ISO 639 code or a BCP 47 tag: `jpn`, `ger`, `de-AT`.
        public func name(in language: String? = nil) -> String {
            name(inISO: language.flatMap(ISOCodes.language))
        }

        /// The same, of a code that ``ISOCodes/language(_:)`` gave.
        func name(inISO code: String?) -> String {
            code.flatMap { names[$0] } ?? names[Taxonomy.defaultLanguage] ?? id
        }
    }
}
