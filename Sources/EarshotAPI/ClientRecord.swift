public import EarshotRecognition
package import Foundation

/// A client of a service, as its operator sees it.
package struct ClientRecord: Hashable, Sendable, Codable {
    /// The id, the first part of the identifier.
    package var id: String
    /// The whole identifier with its secret; told once, when it is made.
    package var identifier: String?
    /// The operator's name for it.
    package var name: String
    /// The entitlements of the client.
    package var entitlements: [Entitlement]
    /// Recognitions a day of all its users together; `nil` if there is no limit.
    package var quota: Int?
    /// Recognitions a day of each of its users; `nil` if there is no limit.
    package var userQuota: Int?
    /// The most users that it may register; `nil` if there is no limit.
    package var userLimit: Int?
    /// The kinds of queries that it is served.
    package var modules: [Registration.Module]
    /// The sources of answers on what is on air, in the order in which they are searched.
    package var searchOrder: [BroadcastAnswer.Source]
    /// The rights beyond asking.
    package let rights: [ClientRight]
    /// True if it has all rights: for programs that know one right only.
    package let mayChangeReferences: Bool
    /// `true` if it is served.
    package var isEnabled: Bool
    /// The time at which it was made.
    package var created: Date

    /// A client.
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
    /// The operator's name for the client.
    public var name: String?
    /// The content that the client may receive; all content if missing for a new client.
    public var entitlements: [Entitlement]?
    /// Recognitions a day of all its users together; 0 for no limit.
    public var quota: Int?
    /// Recognitions a day of each of its users; 0 for no limit.
    public var userQuota: Int?
    /// The largest number of users; 0 for no limit.
    public var userLimit: Int?
    /// The kinds of queries that it is served; all where a new client's are left out.
    public var modules: [Registration.Module]?
    /// The sources that are searched for broadcasts, in this order; sources that are not listed are not searched.
    public var searchOrder: [BroadcastAnswer.Source]?
    /// The rights beyond recognition; none if missing for a new client.
    public var rights: [ClientRight]?
    /// All rights, or none: of no effect beside ``rights``.
    public var mayChangeReferences: Bool?
    /// `true` if it is served.
    public var isEnabled: Bool?

    /// A change of nothing.
    package init() {}
}
