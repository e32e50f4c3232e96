/// A thing that `earshot doctor` looked at.
package struct Finding: Encodable, Equatable, Sendable {
    /// The consequence of what was found.
    package enum State: String, Encodable, Sendable {
        /// It is there and works.
        case good
        /// Something that not everybody needs is missing.
        case advice
        /// Something that is needed, or that the settings name, is missing or does not work.
        case missing
        /// It is not set up, and was not looked at.
        case unused
    }

    /// The thing, such as `microphone`.
    package let name: String
    package let state: State
    /// A sentence about what was found.
    package let found: String
    /// A sentence that says what to do; `nil` if nothing has to be done.
    package let remedy: String?

    private init(_ name: String, _ state: State, _ found: String, _ remedy: String?) {
        (self.name, self.state, self.found, self.remedy) = (name, state, found, remedy)
    }

    package static func good(_ name: String, _ found: String) -> Finding { Finding(name, .good, found, nil) }

    package static func advice(_ name: String, _ found: String, remedy: String) -> Finding {
        Finding(name, .advice, found, remedy)
    }

    package static func missing(_ name: String, _ found: String, remedy: String) -> Finding {
        Finding(name, .missing, found, remedy)
    }

    package static func unused(_ name: String, _ found: String, remedy: String) -> Finding {
        Finding(name, .unused, found, remedy)
    }
}
