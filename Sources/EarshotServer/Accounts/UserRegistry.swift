import EarshotAPI
import EarshotCore
import EarshotRecognition
import Foundation
import Hummingbird

/// Registers the users of clients.
struct UserRegistry: Sendable {
    let accounts: any AccountStore
    let now: @Sendable () -> Date

    /// Handles a registration. `quotaExceeded` gets status 409, because the limit of users does not pass like that of recognitions a day.
    func registering(
        _ context: RequestContext,
        _ work: () async throws(EarshotError) -> Response
    ) async throws(EarshotError) -> Response {
        do {
            return try await work()
        } catch {
            guard error.code == .quotaExceeded else { throw error }
            var response = Response.failure(error, requestID: context.requestID, now: context.now)
            response.status = .conflict
            response.headers[.retryAfter] = nil
            return response
        }
    }

    /// Registers a new user of a client.
    ///
    /// - Returns: The user, its serialized form for the app, and the number of users that the client has now.
    /// - Throws: `quotaExceeded` if the client has as many users as it may.
    func register(
        of client: ServiceClient,
        modules: Set<Registration.Module>? = nil,
        appVersion: String? = nil
    ) async throws(EarshotError) -> (ServiceUser, serialised: String, count: Int) {
        let secret = Secrets.text(32)
        let user = ServiceUser(
            id: Secrets.text(16, from: Array("abcdefghijklmnopqrstuvwxyz234567")),
            client: client.id,
            secretDigest: Secrets.digest(secret),
            created: now(),
            modules: modules,
            appVersion: appVersion
        )
        guard let count = try await accounts.register(user, limit: client.userLimit) else {
            throw EarshotError(
                .quotaExceeded,
                "Client \(client.id) has registered as many users as it may: store registrations, or ask the operator for more."
            )
        }
        return (user, "\(user.id).\(secret)", count)
    }
}

extension ClientIdentifier {
    /// Parses the identifier in a request.
    ///
    /// - Throws: `requestInvalid` for an invalid one.
    init(parameter text: String) throws(EarshotError) {
        do throws(EarshotError) {
            self = try ClientIdentifier(text)
        } catch {
            throw EarshotError(.requestInvalid, error.message)
        }
    }
}
