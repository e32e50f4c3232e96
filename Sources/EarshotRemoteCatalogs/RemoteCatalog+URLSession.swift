#if canImport(Darwin)
    public import EarshotCore
    public import Foundation

    extension RemoteCatalog.Options {
        /// Options with ``URLSessionTransport``.
        public init(
            publisherKey: PublisherKey? = nil,
            clock: MediaClock = .system,
            draw: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
        ) {
            self.init(publisherKey: publisherKey, transport: URLSessionTransport(), clock: clock, draw: draw)
        }
    }

    extension RemoteCatalog {
        /// Opens what is on the disk, to be fetched with ``URLSessionTransport``.
        ///
        /// - Parameters:
        ///   - url: The address of a catalog file, http or https.
        ///   - cacheFolder: A folder for this catalog alone, which is made where there is none.
        ///   - bundled: A catalog file or store to begin with while nothing has been fetched.
        /// - Throws: `downloadFailed` when the address is of another kind.
        public convenience init(at url: URL, cacheFolder: URL, bundled: URL? = nil) throws(EarshotError) {
            try self.init(at: url, cacheFolder: cacheFolder, bundled: bundled, options: Options())
        }
    }
#endif
