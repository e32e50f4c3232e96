import EarshotCore
import EarshotRecognition

/// Keeps references, bundles and channels to the clients that made them.
///
/// Resources of the operator, of removed clients, and from before owners were stored have no owner: any client with the right may change
/// them. The operator may change all resources.
actor ResourceOwners {
    private let accounts: any AccountStore
    /// Resources that are being changed, each with the changes that wait for it.
    private var waiting: [OwnedResource: [CheckedContinuation<Void, Never>]] = [:]

    init(_ accounts: any AccountStore) {
        self.accounts = accounts
    }

    /// Refuses a client that is not the owner of a resource.
    ///
    /// - Parameters:
    ///   - resource: The resource.
    ///   - client: The id of the client; `nil` for the operator.
    /// - Returns: The owner; `nil` for none.
    /// - Throws: `accessDenied`.
    @discardableResult
    func check(_ resource: OwnedResource, for client: String?) async throws(EarshotError) -> String? {
        let owner = try await accounts.owner(of: resource)
        guard let client, let owner, owner != client else { return owner }
        throw EarshotError(
            .accessDenied,
            "Another client made the \(resource.kind.rawValue) \(resource.id.prefix(120)): choose another name, or ask the operator."
        )
    }

    /// Makes a resource, which then belongs to the client, or changes it. Changes of the same resource are made one after another, so that none
    /// comes between the check of the owner and the change.
    ///
    /// - Parameters:
    ///   - resource: The resource.
    ///   - client: The id of the client; `nil` for the operator.
    ///   - exists: Returns `true` if the resource is there. If not, a stored owner is ignored: it is left from a removal by a command.
    ///   - body: Makes or changes the resource.
    /// - Throws: `accessDenied` for the resource of another client, and what the body throws.
    func change<Value: Sendable>(
        _ resource: OwnedResource,
        for client: String?,
        exists: @Sendable () async throws(EarshotError) -> Bool,
        _ body: @Sendable (_ isThere: Bool) async throws(EarshotError) -> Value
    ) async throws(EarshotError) -> Value {
        await begin(resource)
        defer { end(resource) }
        let isThere = try await exists()
        if isThere { try await check(resource, for: client) }
        let value = try await body(isThere)
        if !isThere, try await exists() { try await accounts.setOwner(client, of: resource) }
        return value
    }

    /// Removes a resource and its owner.
    ///
    /// - Throws: `accessDenied` for the resource of another client, and what the body throws.
    func remove(
        _ resource: OwnedResource,
        for client: String?,
        _ body: @Sendable () async throws(EarshotError) -> Void
    ) async throws(EarshotError) {
        await begin(resource)
        defer { end(resource) }
        try await check(resource, for: client)
        try await body()
        try await accounts.setOwner(nil, of: resource)
    }

    /// Gives a resource that was just made to the client that made it.
    ///
    /// - Parameter client: The id of the client; `nil` for the operator.
    func give(_ resource: OwnedResource, to client: String?) async throws(EarshotError) {
        try await accounts.setOwner(client, of: resource)
    }

    /// Gives a resource that belongs to nobody to a client.
    ///
    /// - Parameter client: The id of the client; `nil` for the operator, to whom nothing is given.
    /// - Throws: `accessDenied` if it belongs to another client.
    func claim(_ resource: OwnedResource, for client: String?) async throws(EarshotError) {
        await begin(resource)
        defer { end(resource) }
        guard let client, try await check(resource, for: client) == nil else { return }
        try await accounts.setOwner(client, of: resource)
    }

    // MARK: - Turns

    private func begin(_ resource: OwnedResource) async {
        guard waiting[resource] != nil else {
            waiting[resource] = []
            return
        }
        await withCheckedContinuation { waiting[resource]?.append($0) }
    }

    private func end(_ resource: OwnedResource) {
        guard waiting[resource]?.isEmpty == false else {
            waiting[resource] = nil
            return
        }
        waiting[resource]?.removeFirst().resume()
    }
}
