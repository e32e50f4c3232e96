import EarshotCore
import EarshotStations
import Foundation

extension RecognitionServer {
    /// The parts of a service that decide who may use it, and how much.
    struct Access: Sendable {
        /// The queue of recognitions.
        let queue: WorkQueue
        let keyring: Keyring
        let tokens: TokenIssuer
        /// Access by cookies; `nil` without pages for people.
        let browsers: BrowserAccess?
        let authenticator: Authenticator
        let disk: DiskReserve
        let admission: AdmissionControl
        let quota: QuotaMeter

        /// Creates the parts, and reads the keys from the store.
        ///
        /// - Throws: The errors of the store of clients.
        init(_ settings: ServiceSettings, _ parts: Parts) async throws(EarshotError) {
            let (accounts, now) = (parts.accounts, parts.now)
            queue = WorkQueue(width: settings.workers, limit: settings.queueLimit)
            keyring = try await Keyring(
                accounts,
                wrapping: parts.keyWrapping,
                memory: max(
                    settings.tokenLifetime.seconds,
                    settings.contentLifetime.seconds,
                    LoginService.pageLifetime
                ),
                keyLifetime: settings.keyLifetime.seconds,
                at: now()
            )
            tokens = TokenIssuer(keyring: keyring, lifetime: settings.tokenLifetime.seconds)
            browsers =
                if settings.pages == .off { nil } else {
                    BrowserAccess(
                        accounts,
                        client: try await ClientRegister(accounts).pageClient(at: now()),
                        keyring: keyring,
                        settings: settings
                    )
                }
            authenticator = Authenticator(accounts, tokens: tokens, browsers: browsers, now: now)
            disk = DiskReserve(folder: parts.folder, reserve: settings.reservedSpace)
            admission = AdmissionControl(
                disk: disk,
                queue: queue,
                requests: ConcurrencyLimiter(limit: settings.requestsPerClient),
                feeds: ConcurrencyLimiter(limit: LiveIndex.Options().channelLimit),
                uploads: ConcurrencyLimiter(limit: 4 * settings.requestsPerClient, userLimit: 4)
            )
            quota = QuotaMeter(accounts, isShared: parts.isShared, node: parts.node)
        }
    }
}
