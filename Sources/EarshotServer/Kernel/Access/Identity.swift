import EarshotRecognition

/// The sender of a request.
enum Identity: Sendable {
    /// An anonymous sender.
    case nobody
    /// A client, or a user of it.
    case client(ServiceClient, user: ServiceUser?)
    /// The operator, with the user whose history the browser uses; `nil` if the operator asks with a token.
    case admin(user: ServiceUser?)

    var entitlements: Set<Entitlement> {
        switch self {
        case .nobody: []
        case .client(let client, _): client.entitlements
        case .admin: Set(Entitlement.allCases)
        }
    }

    var client: ServiceClient? {
        if case .client(let client, _) = self { client } else { nil }
    }

    var user: String? {
        switch self {
        case .nobody: nil
        case .client(_, let user), .admin(let user): user?.id
        }
    }

    /// The kinds of queries that the sender may make.
    var modules: Set<Registration.Module> {
        switch self {
        case .nobody: []
        case .client(let client, let user): client.modules.intersection(user?.modules ?? client.modules)
        case .admin: Set(Registration.Module.allCases)
        }
    }

    /// The operator's name. No client has it: the identifiers of clients are digits.
    static let operatorName = "operator"

    /// The name under which requests are counted and jobs are stored.
    var name: String {
        switch self {
        case .nobody: "nobody"
        case .client(let client, _): client.id
        case .admin: Self.operatorName
        }
    }

    /// The owner whose jobs, exports and analyses are shown; `nil` for the operator, who sees all.
    var owner: String? {
        if case .admin = self { nil } else { name }
    }

    /// The rights of the sender beyond recognition and search.
    var rights: Set<ClientRight> {
        switch self {
        case .nobody: []
        case .client(let client, _): client.rights
        case .admin: Set(ClientRight.allCases)
        }
    }
}
