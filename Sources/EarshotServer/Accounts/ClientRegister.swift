package import EarshotAPI
package import EarshotCore
package import EarshotRecognition
package import Foundation

/// Creates and changes clients, for the operator. The service's routes and the command use it on the same store.
package struct ClientRegister: Sendable {
    /// The prefix of the names of values that map application keys of other services to clients of this one.
    static let fingerprintKeyPrefix = "acoustid/key/"
    /// The name of the value that names the client of the pages.
    private static let pageClientName = "web-client"

    /// The number of users that a new client may register. Default: 10,000. Anyone with the client's identifier can
    /// register users, and each may publish.
    package static let standardUserLimit = 10_000

    private let store: any AccountStore

    /// Creates a register over the store of accounts.
    package init(_ store: any AccountStore) {
        self.store = store
    }

    /// Returns the client with an id.
    ///
    /// - Throws: `entityNotFound`.
    package func client(_ id: String) async throws(EarshotError) -> ServiceClient {
        guard let client = try await store.client(id) else { throw Self.missing(id) }
        return client
    }

    /// Creates a client.
    ///
    /// - Returns: The client, and its identifier, of which the store keeps only a digest.
    /// - Throws: `requestInvalid`, and what the store throws.
    package func make(_ change: ClientChange, at now: Date) async throws(EarshotError) -> (
        client: ServiceClient, identifier: String
    ) {
        let tag = Secrets.text(32)
        while true {
            let id = Secrets.text(8, from: Array("0123456789012345"))
            var client = ServiceClient(id: id, tagDigest: Secrets.digest(tag), name: "", created: now)
            client.userLimit = Self.standardUserLimit
            try Self.apply(change, to: &client)
            if try await store.add(client) { return (client, "\(id)-\(tag)") }
        }
    }

    /// Returns the id of the client of the service's own pages, and creates it if there is none. Its identifier is not kept, because browsers
    /// need none.
    func pageClient(at now: Date) async throws(EarshotError) -> String {
        let known = try await store.value(Self.pageClientName)
        if let known, try await store.client(String(decoding: known, as: UTF8.self)) != nil {
            return String(decoding: known, as: UTF8.self)
        }
        var change = ClientChange()
        change.name = "Web pages"
        let id = try await make(change, at: now).client.id
        let kept = try await store.replaceValue(known, with: Data(id.utf8), for: Self.pageClientName)
        guard let kept, kept != Data(id.utf8) else { return id }
        // Another node has stored its client meanwhile: that one counts.
        try await store.removeClient(id)
        return String(decoding: kept, as: UTF8.self)
    }

    /// Changes a client.
    ///
    /// - Throws: `entityNotFound`, `requestInvalid`.
    @discardableResult
    package func change(_ id: String, _ change: ClientChange) async throws(EarshotError) -> ServiceClient {
        try await update(id) { client throws(EarshotError) in try Self.apply(change, to: &client) }
    }

    /// Gives a client a new secret, and revokes its tokens and those of its users.
    ///
    /// - Throws: `entityNotFound`.
    package func renewTag(_ id: String, at now: Date) async throws(EarshotError) -> (
        client: ServiceClient, identifier: String
    ) {
        let tag = Secrets.text(32)
        let client = try await update(id) { client in
            client.tagDigest = Secrets.digest(tag)
            client.tokensEnded = now
        }
        return (client, "\(id)-\(tag)")
    }

    /// Maps an application key of another service, such as AcoustID, to a client, for programs that use AcoustID's protocol.
    ///
    /// - Parameters:
    ///   - key: The key: 1 to 100 letters, digits, `-` and `_`.
    ///   - id: The id of the client; `nil` to remove the key.
    /// - Throws: `entityNotFound`, `requestInvalid`.
    package func setFingerprintKey(_ key: String, for id: String?) async throws(EarshotError) {
        let isKey =
            (1...100).contains(key.utf8.count)
            && key.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
        guard isKey else {
            throw EarshotError(
                .requestInvalid,
                "The client's key does not have 1 to 100 letters, digits, - and _: choose another."
            )
        }
        let client = if let id { try await client(id) } else { ServiceClient?.none }
        try await store.setValue(client.map { Data($0.id.utf8) }, for: Self.fingerprintKeyPrefix + key)
    }

    /// Creates a new token for the operator and revokes the old one.
    ///
    /// - Returns: The token, of which the store keeps only a digest.
    package func renewAdminToken() async throws(EarshotError) -> String {
        let token = Self.newAdminToken()
        try await store.setValue(Secrets.digest(token), for: Authenticator.adminName)
        return token
    }

    /// Creates the operator's first token; `nil` if there is one already, which another node may just have created.
    package func firstAdminToken() async throws(EarshotError) -> String? {
        let token = Self.newAdminToken()
        let digest = Secrets.digest(token)
        return try await store.replaceValue(nil, with: digest, for: Authenticator.adminName) == digest ? token : nil
    }

    private static func newAdminToken() -> String { Authenticator.adminTokenPrefix + Secrets.bytes(32).base64URL }

    private func update(
        _ id: String,
        _ body: @escaping @Sendable (inout ServiceClient) throws(EarshotError) -> Void
    ) async throws(EarshotError) -> ServiceClient {
        guard let client = try await store.updateClient(id, body) else { throw Self.missing(id) }
        return client
    }

    private static func missing(_ id: String) -> EarshotError {
        EarshotError(
            .entityNotFound,
            "There is no client \(id.prefix(80)): list them with `earshot admin client list`."
        )
    }

    private static func apply(_ change: ClientChange, to client: inout ServiceClient) throws(EarshotError) {
        if let name = change.name {
            guard name.unicodeScalars.count <= 200 else {
                throw EarshotError(.requestInvalid, "The client's name has more than 200 characters: shorten it.")
            }
            client.name = name
        }
        if let entitlements = change.entitlements { client.entitlements = Set(entitlements) }
        for quota in [change.quota, change.userQuota, change.userLimit].compactMap(\.self) where quota < 0 {
            throw EarshotError(.requestInvalid, "The quota is negative: give 0 for none, or more.")
        }
        if let quota = change.quota { client.quota = quota == 0 ? nil : quota }
        if let quota = change.userQuota { client.userQuota = quota == 0 ? nil : quota }
        if let limit = change.userLimit { client.userLimit = limit == 0 ? nil : limit }
        if let modules = change.modules { client.modules = Set(modules) }
        if let order = change.searchOrder {
            guard !order.isEmpty, Set(order).count == order.count else {
                throw EarshotError(
                    .requestInvalid,
                    "The search order is empty, or names a source twice: name each source once."
                )
            }
            client.searchOrder = order
        }
        if let rights = change.rights {
            client.rights = Set(rights)
        } else if let hasAll = change.mayChangeReferences {
            client.rights = hasAll ? Set(ClientRight.allCases) : []
        }
        if let isEnabled = change.isEnabled { client.isEnabled = isEnabled }
    }
}

extension ClientRecord {
    /// Creates the record of a client for the operator; `identifier` is `nil` except after a new one was made.
    package init(_ client: ServiceClient, identifier: String? = nil) {
        self.init(
            id: client.id,
            identifier: identifier,
            name: client.name,
            entitlements: client.entitlements.sorted { $0.rawValue < $1.rawValue },
            quota: client.quota,
            userQuota: client.userQuota,
            userLimit: client.userLimit,
            modules: client.modules.sorted { $0.rawValue < $1.rawValue },
            searchOrder: client.searchOrder,
            rights: client.rights.sorted { $0.rawValue < $1.rawValue },
            isEnabled: client.isEnabled,
            created: client.created
        )
    }
}
