import EarshotCore
import Foundation

extension Error {
    /// The text of the error for users.
    var words: String {
        if let error = self as? EarshotError { return error.message }
        if let text = (self as? any LocalizedError)?.errorDescription { return text }
        // Only an error of Foundation has words of its own beyond its name.
        return Self.self == NSError.self ? localizedDescription : String(describing: self)
    }
}
