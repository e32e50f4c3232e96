/// The level of detail of a list of descriptors, from broad to narrow.
public enum DescriptorLevel: String, CaseIterable, Sendable, Codable {
    /// Exactly one descriptor: the top level of the hierarchy, for all six kinds. "Rock" for shoegaze, "Europe" for an
    /// artist of Austria.
    case `default`
    /// Every descriptor from the top level to the stored one, in this order: the first equals that of ``default``, the
    /// last is the narrowest.
    case extended
}
