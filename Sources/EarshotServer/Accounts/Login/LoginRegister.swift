import EarshotCore
import EarshotPieces
import EarshotRecognition
import Foundation

/// The logins of authors. Each login is a user of an app's client.
struct LoginRegister: Sendable {
    let store: any PieceStore
    let accounts: any AccountStore
    let users: UserRegistry

    /// Returns the users with which an author is logged in, newest first.
    func users(of author: String) async throws(EarshotError) -> [ServiceUser] {
        var found: [ServiceUser] = []
        for id in try await store.users(ofAuthor: author) {
            if let user = try await accounts.user(id), user.loggedOut == nil { found.append(user) }
        }
        return found.sorted { ($0.created, $0.id) > ($1.created, $1.id) }
    }

    /// Begins a login.
    ///
    /// A user that was logged out goes on, with its history, under a new secret.
    ///
    /// - Parameters:
    ///   - author: The author who has logged in.
    ///   - client: The app's client.
    ///   - former: The serialized form of a user that the app had before; `nil` to register one.
    /// - Returns: The secret that the app keeps.
    /// - Throws: `quotaExceeded` when the client has as many users as it may.
    func begin(
        _ author: String,
        in client: ServiceClient,
        inPlaceOf former: String?,
        at now: Date
    ) async throws(EarshotError) -> String {
        if let former, let user = try await self.user(former, of: client),
            try await store.author(ofUser: user.id)?.id == author
        {
            let secret = Secrets.text(32)
            let renewed = try await accounts.updateUser(user.id) { user in
                user.secretDigest = Secrets.digest(secret)
                user.loggedOut = nil
                user.tokensEnded = now
            }
            if renewed != nil { return "\(user.id).\(secret)" }
        }
        let (user, serialised, _) = try await users.register(of: client)
        do throws(EarshotError) {
            try await store.setAuthor(author, ofUser: user.id)
        } catch {
            await discard(user.id)
            throw error
        }
        return serialised
    }

    /// Logs an author in to a client: with the author's present user of this client and its history, or with a new user.
    ///
    /// - Throws: `quotaExceeded` when the client has as many users as it may.
    func resume(_ author: String, of client: String, at now: Date) async throws(EarshotError) -> String {
        while true {
            let known = try await store.users(ofAuthor: author)
            if let user = try await resume(known, of: client, at: now) { return user }
            guard let client = try await accounts.client(client) else { throw Authenticator.rejected }
            let user = try await users.register(of: client).0.id
            let isAdded: Bool
            do throws(EarshotError) {
                isAdded = try await store.addUser(user, toAuthor: author, whoHas: known)
            } catch {
                await discard(user)
                throw error
            }
            if isAdded { return user }
            // Another node has added a user meanwhile: look again.
            try await accounts.removeUser(user)
        }
    }

    /// Removes a new user that could not be given to the author: it would count among the users that the client may have, and nobody could
    /// log in with it. If only the answer was lost, the author then has a user that does not exist, which ``users(of:)`` skips.
    private func discard(_ user: String) async {
        // In a task of its own: the cause may be that this task was canceled. If the store is away, the user stays.
        await Task { _ = try? await accounts.removeUser(user) }.value
    }

    /// Logs in the first of some users that belongs to a client, and returns its identifier; `nil` if none does.
    private func resume(_ users: [String], of client: String, at now: Date) async throws(EarshotError) -> String? {
        for id in users {
            guard let user = try await accounts.user(id), user.client == client else { continue }
            if user.loggedOut != nil {
                _ = try await accounts.updateUser(id) { user in
                    user.loggedOut = nil
                    // The old secret and sessions from before the logout must not become valid again.
                    user.secretDigest = Secrets.digest(Secrets.text(32))
                    user.tokensEnded = now
                }
            }
            return id
        }
        return nil
    }

    /// Ends the login of a user and revokes its tokens and its secret.
    func end(_ user: String, at now: Date) async throws(EarshotError) {
        _ = try await accounts.updateUser(user) { user in user.loggedOut = user.loggedOut ?? now }
    }

    /// Ends all logins of an author but one, and those that have begun: codes that no app has taken yet.
    ///
    /// - Returns: The number of logins that were ended.
    @discardableResult
    func end(of author: String, except kept: String?, at now: Date) async throws(EarshotError) -> Int {
        try await store.removeCodes(ofAuthor: author)
        let ended = try await users(of: author).filter { $0.id != kept }
        for user in ended { try await end(user.id, at: now) }
        return ended.count
    }

    private func user(_ serialised: String, of client: ServiceClient) async throws(EarshotError) -> ServiceUser? {
        let parts = serialised.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let user = try await accounts.user(String(parts[0])), user.client == client.id,
            Secrets.matches(String(parts[1]), user.secretDigest)
        else { return nil }
        return user
    }
}
