public import EarshotCore
public import Foundation

extension PieceClient {
    /// The configuration of a client of pieces. Required are an application identifier and an API key from the operator
    /// of the service, and the address of the service.
    public struct Configuration: Sendable {
        /// The identifier of the app: a part of the scheme of its addresses.
        public var applicationIdentifier: String?
        /// The client identifier with its secret, from the operator.
        public var apiKey: String?
        /// The address of the service, `http:` or `https:`.
        public var service: URL
        /// Takes pieces that a user wants to open in the app; without one nothing is opened.
        public var receiver: (any PieceReceiver)?
        /// An identifier that the app uses when its users share the address of a piece. The client only stores it and
        /// does not send it.
        public var sharingIdentifier: String?
        /// Has a user log in; without one only a user that is kept already can drop pieces.
        public var login: (any LoginPresenter)?
        /// The store of the logged-in user.
        public var tokenStore: any PieceTokenStore = MemoryTokenStore()
        /// The app's manifest.
        public var manifest: any AppManifest = Self.systemManifest
        /// Limits of requests, how often they are repeated, and the clock of all limits.
        public var options = HTTPRecognitionService.Options()
        /// The longest time in which an app must provide one part of a piece. Default: 120 s.
        public var providerLimit = MediaTime(value: 120, timescale: 1)
        /// The largest number of bytes of a part in one request. Default: 512 KiB.
        public var uploadSize = 1 << 19
        /// The largest number of bytes of audio or of an attachment that are fetched into memory. Default: 512 MiB.
        /// Downloads into a file are not limited.
        public var memoryLimit = 1 << 29
        /// Called with one line for each problem that does not stop an operation.
        public var log: (@Sendable (String) -> Void)?

        /// Creates a configuration. Missing values are reported on first use.
        ///
        /// - Parameters:
        ///   - applicationIdentifier: The identifier of the app.
        ///   - apiKey: The client identifier with its secret.
        ///   - service: The address of the service.
        ///   - receiver: Takes pieces that a user wants to open in the app.
        ///   - sharingIdentifier: An identifier that the app uses when its users share the address of a piece.
        public init(
            applicationIdentifier: String?,
            apiKey: String?,
            service: URL,
            receiver: (any PieceReceiver)? = nil,
            sharingIdentifier: String? = nil
        ) {
            self.applicationIdentifier = applicationIdentifier
            self.apiKey = apiKey
            self.service = service
            self.receiver = receiver
            self.sharingIdentifier = sharingIdentifier
        }

        private static var systemManifest: any AppManifest {
            #if os(iOS) || os(visionOS)
                InfoManifest(Bundle.main.infoDictionary ?? [:])
            #elseif canImport(Darwin)
                // Choosing a picture takes no right here.
                InfoManifest(Bundle.main.infoDictionary ?? [:], permissions: [.camera])
            #else
                DesktopManifest()
            #endif
        }
    }
}
