import EarshotCore
import EarshotRecognition
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// An endpoint of the service: its route, access rules, handler and OpenAPI description.
struct Endpoint: Sendable {
    /// The senders that may use the endpoint.
    enum Access: Hashable, Sendable {
        case open, client, user, admin
        /// Clients to which the operator gave a right.
        case right(ClientRight)
        /// Everybody. A token is checked if there is one, because it may show more.
        case reader
        /// Clients, or everybody, as the settings say.
        case covers
        /// Every browser, with or without a session.
        case page
        /// Every browser, for pages that read the stores. Without a session, the sender is the client of the pages, or nobody if the service
        /// does not admit visitors.
        case visitor
    }

    struct Parameter: Sendable {
        enum Place: String, Sendable {
            case path, query
        }

        var name: String
        var place = Place.query
        var schema: JSONValue
        var summary: String
        var isRequired = false
    }

    /// The schemas of a request's body by content type.
    typealias Body = [String: JSONValue]

    /// The description of a response.
    struct Response: Sendable {
        var status: Int
        var summary: String
        /// The content type; `nil` for a response without content.
        var type: String?
        var schema: JSONValue?
    }

    /// The duration of a request.
    enum Extent: Sendable {
        /// The request ends with its response.
        case request
        /// The request takes minutes, while a large file arrives.
        case upload
        /// The request takes hours.
        case feed
    }

    typealias Handler = @Sendable (RequestContext) async throws -> HummingbirdCore.Response

    var method: HTTPRequest.Method
    /// The path as in the description: `/v1/tracks/{id}`.
    var path: String
    /// The name in generated clients.
    var id: String
    var summary: String
    /// The group in the description.
    var tag: String
    var access: Access
    /// The kind of queries to which the sender has to be entitled.
    var module: Registration.Module?
    /// A further entitlement that the client needs.
    var entitlement: Entitlement?
    var parameters: [Parameter] = []
    var body: Body = [:]
    /// `true` if the request waits in the work queue. A full queue refuses it before any other work.
    var isQueued = false
    /// `true` if the request writes files. A disk with too little free space refuses it before any other work.
    var isWriting = false
    /// The duration of a request. Long requests are counted separately from the sender's other requests.
    var extent = Extent.request
    /// `true` if the audit log records requests. `nil` records those that change data and require a right to do so.
    var isAudited: Bool?
    /// `true` if the endpoint shows the state of the service, which may have its own port.
    var isOperational = false
    /// `true` if the service's own description contains the endpoint. Other protocols have their own descriptions.
    var isDescribed = true
    var responses: [Response]
    var handler: Handler

    /// `true` if the audit log records requests.
    var isRecorded: Bool {
        if let isAudited { return isAudited }
        switch access {
        case .open, .client, .user, .reader, .covers, .page, .visitor: return false
        default: return method != .get
        }
    }

    /// The names of the parameters in the path.
    var pathParameters: [String] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    /// The path in the syntax of the router.
    var routerPath: RouterPath {
        RouterPath(path.replacing("{", with: ":").replacing("}", with: ""))
    }

    /// Returns `true` if a path matches the pattern of this endpoint.
    func matches(_ path: String) -> Bool {
        let (pattern, parts) = (self.path.split(separator: "/"), path.split(separator: "/"))
        return pattern.count == parts.count && zip(pattern, parts).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
}

/// A part of the service: the endpoints of one feature, with the stores that they use and no others.
protocol Controller: Sendable {
    var endpoints: [Endpoint] { get }
}
