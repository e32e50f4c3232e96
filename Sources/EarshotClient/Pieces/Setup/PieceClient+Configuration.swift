public import EarshotCore
public import Foundation

extension PieceClient {
    /// The configuration of a ``PieceClient``. An application identifier and an API key from the operator of the
    /// service, and the address of the service, are required.
    public struct Configuration: Sendable {
        /// The application identifier, which is part of the URL scheme of the app's addresses. Required.
        public var applicationIdentifier: String?
        /// The client identifier with its secret tag, from the operator. Required.
        public var apiKey: String?
        /// The address of the service, with `http:` or `https:`.
        public var service: URL
        /// Receives the pieces that a user opens in the app; `nil` if the app opens none.
        public var receiver: (any PieceReceiver)?
        /// An identifier for links that the app's users share; `nil` for none. The client only stores it and does not
        /// send it.
        public var sharingIdentifier: String?
        /// Lets a user log in; if `nil`, only a user whose account is stored can drop pieces.
        public var login: (any LoginPresenter)?
        /// The store of the logged-in user's account. Default: in memory.
        public var tokenStore: any PieceTokenStore = MemoryTokenStore()
        /// The manifest of the app. Default: the system's.
        public var manifest: any AppManifest = Self.systemManifest
        /// The time limits and retries of requests, and the clock that measures them.
        public var options = HTTPRecognitionService.Options()
        /// The longest time in which the app's provider must return one part of a piece. Default: 120 s.
        public var providerLimit = MediaTime(value: 120, timescale: 1)
        /// The largest number of bytes of a part that one upload request contains. Default: 512 KiB.
        public var uploadSize = 1 << 19
        /// The largest audio or attachment that is downloaded into memory, in bytes. Default: 512 MiB. Downloads into a
        /// file are not limited.
        public var memoryLimit = 1 << 29
        /// Called with one line for each problem that does not stop an operation.
        public var log: (@Sendable (String) -> Void)?

        /// Creates a configuration. Missing values are reported by ``PieceClient/init(_:)``.
        ///
        /// - Parameters:
        ///   - applicationIdentifier: The application identifier.
        ///   - apiKey: The client identifier with its secret tag.
        ///   - service: The address of the service.
        ///   - receiver: Receives the pieces that a user opens in the app.
        ///   - sharingIdentifier: An identifier for links that the app's users share.
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
