/// A contributor to a work or a program.
public struct VideoCredit: Hashable, Sendable, Codable {
    /// The role of a contributor, in XMLTV's words.
    public enum Role: String, Hashable, Sendable, Codable, CaseIterable {
        /// Directed.
        case director
        /// Acted.
        case actor
        /// Wrote.
        case writer
        /// Adapted it for the screen.
        case adapter
        /// Produced.
        case producer
        /// Composed the music.
        case composer
        /// Edited.
        case editor
        /// Presented.
        case presenter
        /// Commented.
        case commentator
        /// Was a guest.
        case guest
    }

    /// The role.
    public var role: Role
    /// The name.
    public var name: String
    /// The part that an actor played.
    public var character: String?
    /// `true` if an actor was in this episode only.
    public var isGuest: Bool

    /// A credit.
    ///
    /// - Parameters:
    ///   - role: The role.
    ///   - name: The name.
    ///   - character: The part that an actor played.
    ///   - isGuest: `true` if an actor was in this episode only.
    public init(_ role: Role, _ name: String, as character: String? = nil, isGuest: Bool = false) {
        self.role = role
        self.name = name
        self.character = character
        self.isGuest = isGuest
    }
}
