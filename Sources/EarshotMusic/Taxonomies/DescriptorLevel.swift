/// How much of the way from broad to narrow a list of descriptors shows.
public enum DescriptorLevel: String, CaseIterable, Sendable, Codable {
    /// Exactly one descriptor: the top level of the hierarchy, for all six kinds. "Rock" for shoegaze, "Europe" for an
    /// artist of Austria.
    case `default`
    /// Every descriptor on the way from the top level to the one that was stored, in this order: the first equals that
    /// of ``default``, the last is the narrowest.
    case extended
}
