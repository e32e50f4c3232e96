extension MusicBrainzReader.Descriptors {
    /// Creates lookup functions that find descriptors in taxonomies by name, code or year.
    ///
    /// - Parameter taxonomies: The taxonomies of the store.
    public init(_ taxonomies: Taxonomies) {
        self.init(
            genre: { taxonomies.node(.genre, matching: $0)?.id },
            origin: { taxonomies.node(.origin, matching: $0)?.id },
            era: { taxonomies.taxonomy(.era)?.node(containing: Double($0))?.id },
            artistType: { type, gender in
                // The gender says more, where there is one: a person is not only solo but a woman.
                [gender, type].lazy.compactMap(\.self)
                    .compactMap { taxonomies.node(.artistType, matching: $0)?.id }.first
            }
        )
    }
}
