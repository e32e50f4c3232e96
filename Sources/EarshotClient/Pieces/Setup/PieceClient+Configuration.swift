public import EarshotCore
public import Foundation

extension PieceClient {
    /// What an app that works with pieces is set up with. An application identifier and an API key, which the operator of the service
    /// gave, and the address of the service are enough.
    public struct Configuration: Sendable {
        /// The identifier of the app: a part of the scheme of its addresses.
        public var applicationIdentifier: String?
        /// What lets the app in: the client identifier with its secret, as the operator gave it.
        public var apiKey: String?
        /// The address of the service, `http:` or `https:`.
        public var service: URL
        /// Takes pieces that a user wants to open in the app; without one nothing is opened.
        public var receiver: (any PieceReceiver)?
        /// What the app tells other places by, where its users share the address of a piece; handed through, and never sent.
        public var sharingIdentifier: String?
        /// Has a user log in; without one only a user that is kept already can drop pieces.
        public var login: (any LoginPresenter)?
        /// Where the user that has logged in is kept.
        public var tokenStore: any PieceTokenStore = MemoryTokenStore()
        /// What the system knows of the app.
        public var manifest: any AppManifest = Self.systemManifest
        /// Limits of requests, how often they are repeated, and the clock of all limits.
        public var options = HTTPRecognitionService.Options()
        /// How long an app may take to give one part of a piece: 120 s where nobody says otherwise.
        public var providerLimit = MediaTime(value: 120, timescale: 1)
        /// How many bytes of a part one request carries at most: 512 KiB where nobody says otherwise.
        public var uploadSize = 1 << 19
        /// How many bytes of sound or of an attachment are fetched into memory at most: 512 MiB where nobody says otherwise. A file takes
        /// any number.
        public var memoryLimit = 1 << 29
        /// Takes a line for each thing that is out of order and does not stop anything.
        public var log: (@Sendable (String) -> Void)?

        /// A configuration. What is missing is told when it is used.
        ///
        /// - Parameters:
        ///   - applicationIdentifier: The identifier of the app.
        ///   - apiKey: The client identifier with its secret.
        ///   - service: The address of the service.
        ///   - receiver: Takes pieces that a user wants to open in the app.
        ///   - sharingIdentifier: What the app tells other places by.
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
