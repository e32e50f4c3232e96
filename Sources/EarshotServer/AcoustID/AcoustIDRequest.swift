import EarshotAPI
import EarshotCore
import EarshotFingerprints
import EarshotRecognition
import Foundation
import Hummingbird

/// A request of AcoustID's protocol that is being answered.
struct AcoustIDRequest: Sendable {
    let version: AcoustIDVersion
    let form: FormParameters
    let services: AcoustIDServices
    /// The origin of the request.
    let origin: RequestOrigin

    // MARK: - Who asks

    /// The client that the request names: by its own identifier, or by the key of a program that the operator lets in as it.
    ///
    /// - Throws: Errors 2, 4, 12, 14 and 17.
    func client() async throws -> ServiceClient {
        guard let key = form["client"] else { throw AcoustIDError.missing("client") }
        let client = try await client(of: key)
        guard client.modules.contains(.music) else { throw AcoustIDError.notAllowed }
        try pace("client/\(client.id)")
        return client
    }

    private func client(of key: String) async throws -> ServiceClient {
        // Short enough for a name; none that anybody makes is longer.
        guard key.utf8.count <= 200 else { throw AcoustIDError.invalidKey }
        if let identifier = try? ClientIdentifier(key) {
            do throws(EarshotError) {
                return try await services.authenticator.client(presenting: identifier)
            } catch {
                // It may still be a key of somebody else's.
                guard error.code == .clientIdentifierRejected else { throw error }
            }
        }
        guard let id = try await services.accounts.value(ClientRegister.fingerprintKeyPrefix + key) else {
            throw AcoustIDError.invalidKey
        }
        let client = try await services.accounts.client(String(decoding: id, as: UTF8.self))
        guard let client else { throw AcoustIDError.unknownApplication }
        guard client.isEnabled else { throw AcoustIDError.invalidKey }
        return client
    }

    /// The user of a key: the serialized form of one that any client has registered, as with AcoustID itself.
    ///
    /// - Throws: Errors 2, 6 and 12. A user is served no longer when the client is not or the log-in was ended, and only what both are entitled
    ///   to.
    func user() async throws -> ServiceUser {
        guard let key = form["user"] else { throw AcoustIDError.missing("user") }
        let parts = key.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, key.utf8.count <= 200 else { throw AcoustIDError.invalidUserKey }
        let user = try await services.accounts.user(String(parts[0]))
        let isRight = Secrets.matches(String(parts[1]), user?.secretDigest ?? Data(count: 32))
        guard let user, isRight, let client = try await services.accounts.client(user.client), client.isEnabled,
            user.loggedOut == nil
        else {
            throw AcoustIDError.invalidUserKey
        }
        guard Identity.client(client, user: user).modules.contains(.music) else { throw AcoustIDError.notAllowed }
        return user
    }

    /// Counts a request against the day's quota of its client.
    ///
    /// - Throws: Error 14, with the time until the quota is whole again.
    func countUse(of client: ServiceClient) async throws {
        let now = services.now()
        do throws(EarshotError) {
            try await services.quota.use(
                [QuotaMeter.Share(subject: QuotaMeter.subject(client: client.id), limit: client.quota)],
                at: now
            )
        } catch {
            guard error.code == .quotaExceeded else { throw error }
            let seconds = QuotaMeter.midnight(after: now).timeIntervalSince(now)
            throw AcoustIDError.quotaUsedUp(error.message, seconds: max(1, Int(seconds.rounded(.up))))
        }
    }

    /// Counts a request that names no client, as if where it comes from were one.
    ///
    /// - Throws: Error 14.
    func countAnonymous() throws(AcoustIDError) { try pace("address/\(origin.name)") }

    private func pace(_ name: String) throws(AcoustIDError) {
        guard services.pace.admits(name, at: services.now()) else { throw .tooManyRequests(services.pace.limit) }
    }

    /// A fingerprint of the form. Only those of the algorithm that the index has are any use.
    ///
    /// - Throws: Errors 2 and 3.
    func fingerprint(_ suffix: String, seconds: Int) throws(AcoustIDError) -> FileFingerprint {
        guard let text = form["fingerprint" + suffix] else { throw .missing("fingerprint" + suffix) }
        let duration = MediaTime(value: Int64(seconds), timescale: 1)
        guard let fingerprint = try? FileFingerprint(text: text, duration: duration),
            fingerprint.algorithm == services.library.index.algorithm
        else { throw .invalidFingerprint }
        return fingerprint
    }
}
