import Foundation

/// Why a tool cannot go on, as one sentence that names the thing and the remedy.
public struct Failure: LocalizedError, CustomStringConvertible, Sendable {
    /// The sentence.
    public let description: String

    /// A failure of a sentence.
    public init(_ description: String) { self.description = description }

    /// The sentence.
    public var errorDescription: String? { description }
}
