/// Somebody who took part in a work or a programme.
public struct VideoCredit: Hashable, Sendable, Codable {
    /// What somebody did, in XMLTV's words.
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

    /// What somebody did.
    public var role: Role
    /// Who it was.
    public var name: String
    /// The part that an actor played.
    public var character: String?
    /// `true` if an actor was in this episode only.
    public var isGuest: Bool

    /// A credit.
    ///
    /// - Parameters:
    ///   - role: What somebody did.
    ///   - name: Who it was.
    ///   - character: The part that an actor played.
    ///   - isGuest: `true` if an actor was in this episode only.
    public init(_ role: Role, _ name: String, as character: String? = nil, isGuest: Bool = false) {
        self.role = role
        self.name = name
        self.character = character
        self.isGuest = isGuest
    }
}
