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

    /// Returns the client of the request: by its identifier, or by a key of another program that the operator has mapped to a client.
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
        // The key becomes the name of a value in the store. No valid key is longer.
        guard key.utf8.count <= 200 else { throw AcoustIDError.invalidKey }
        if let identifier = try? ClientIdentifier(key) {
            do throws(EarshotError) {
                return try await services.authenticator.client(presenting: identifier)
            } catch {
                // A text in the form of an identifier may still be a mapped key.
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

    /// Returns the user of a key: the serialized form of a user of any client, as AcoustID itself accepts it.
    ///
    /// - Throws: Errors 2, 6 and 12: also if the user's client is disabled, the login was ended, or one of them lacks the entitlement.
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

    /// Counts a request without a client, by its origin.
    ///
    /// - Throws: Error 14.
    func countAnonymous() throws(AcoustIDError) { try pace("address/\(origin.name)") }

    private func pace(_ name: String) throws(AcoustIDError) {
        guard services.pace.admits(name, at: services.now()) else { throw .tooManyRequests(services.pace.limit) }
    }

    /// Returns a fingerprint of the form, which must be of the algorithm of the index.
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
