/// A contributor to a work or a program.
public struct VideoCredit: Hashable, Sendable, Codable {
    /// The role of a contributor, in XMLTV's words.
    public enum Role: String, Hashable, Sendable, Codable, CaseIterable {
        /// The director.
        case director
        /// An actor.
        case actor
        /// The writer.
        case writer
        /// The adapter for the screen.
        case adapter
        /// The producer.
        case producer
        /// The composer of the music.
        case composer
        /// The editor.
        case editor
        /// The presenter.
        case presenter
        /// The commentator.
        case commentator
        /// A guest.
        case guest
    }

    /// The role.
    public var role: Role
    /// The name.
    public var name: String
    /// The role that an actor played; `nil` for others.
    public var character: String?
    /// `true` if an actor appears in this episode only.
    public var isGuest: Bool

    /// Creates a credit.
    ///
    /// - Parameters:
    ///   - role: The role.
    ///   - name: The name.
    ///   - character: The role that an actor played.
    ///   - isGuest: `true` if an actor appears in this episode only.
    public init(_ role: Role, _ name: String, as character: String? = nil, isGuest: Bool = false) {
        self.role = role
        self.name = name
        self.character = character
        self.isGuest = isGuest
    }
}
