public import EarshotRecognition
package import Foundation

/// A client of a service, as the operator's requests return it.
package struct ClientRecord: Hashable, Sendable, Codable {
    /// The public part of the client identifier.
    package var id: String
    /// The whole client identifier with its secret, sent only in the response that creates the client; `nil` in others.
    package var identifier: String?
    /// The operator's name for the client.
    package var name: String
    /// The kinds of content that the client may receive.
    package var entitlements: [Entitlement]
    /// The number of recognitions a day of all users of the client together; `nil` for no limit.
    package var quota: Int?
    /// The number of recognitions a day of each user of the client; `nil` for no limit.
    package var userQuota: Int?
    /// The largest number of users that the client may register; `nil` for no limit.
    package var userLimit: Int?
    /// The kinds of queries that the client may make.
    package var modules: [Registration.Module]
    /// The sources that are searched when a broadcast is recognized, in order.
    package var searchOrder: [BroadcastAnswer.Source]
    /// The rights beyond recognition, such as adding references.
    package let rights: [ClientRight]
    /// `true` if the client has all rights; for programs that were written when there was only one right.
    package let mayChangeReferences: Bool
    /// `true` if the client may make requests.
    package var isEnabled: Bool
    /// The time at which the client was created.
    package var created: Date

    /// Creates a record; `mayChangeReferences` follows from the rights.
    package init(
        id: String,
        identifier: String? = nil,
        name: String,
        entitlements: [Entitlement],
        quota: Int? = nil,
        userQuota: Int? = nil,
        userLimit: Int? = nil,
        modules: [Registration.Module] = Registration.Module.allCases,
        searchOrder: [BroadcastAnswer.Source] = ServiceClient.standardOrder,
        rights: [ClientRight] = [],
        isEnabled: Bool = true,
        created: Date
    ) {
        self.id = id
        self.identifier = identifier
        self.name = name
        self.entitlements = entitlements
        self.quota = quota
        self.userQuota = userQuota
        self.userLimit = userLimit
        self.modules = modules
        self.searchOrder = searchOrder
        self.rights = rights
        mayChangeReferences = Set(rights).isSuperset(of: ClientRight.allCases)
        self.isEnabled = isEnabled
        self.created = created
    }
}

/// Creates or changes a client. Missing fields are unchanged, or get defaults in a new client.
public struct ClientChange: Hashable, Sendable, Codable {
    /// The operator's name for the client; `nil` for no change.
    public var name: String?
    /// The kinds of content that the client may receive; `nil` for no change, or for all in a new client.
    public var entitlements: [Entitlement]?
    /// The number of recognitions a day of all users of the client together; 0 for no limit, `nil` for no change.
    public var quota: Int?
    /// The number of recognitions a day of each user of the client; 0 for no limit, `nil` for no change.
    public var userQuota: Int?
    /// The largest number of users that the client may register; 0 for no limit, `nil` for no change.
    public var userLimit: Int?
    /// The kinds of queries that the client may make; `nil` for no change, or for all in a new client.
    public var modules: [Registration.Module]?
    /// The sources that are searched for broadcasts, in this order; others are not searched. `nil` for no change, or
    /// for the default order in a new client.
    public var searchOrder: [BroadcastAnswer.Source]?
    /// The rights beyond recognition; `nil` for no change, or for none in a new client.
    public var rights: [ClientRight]?
    /// `true` to grant all rights, `false` for none, `nil` for no change. Ignored if ``rights`` is set.
    public var mayChangeReferences: Bool?
    /// `true` if the client may make requests; `nil` for no change.
    public var isEnabled: Bool?

    /// Creates a change that sets no field.
    package init() {}
}
