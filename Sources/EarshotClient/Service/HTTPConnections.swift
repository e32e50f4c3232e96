import AsyncHTTPClient
import EarshotCore
import NIOCore
import NIOHTTPCompression

/// The connections of a service and its copies; closed when the last copy is gone.
final class HTTPConnections: Sendable {
    let client: HTTPClient
    /// For answers that may take any time.
    let lasting: HTTPClient

    init(_ options: HTTPRecognitionService.Options) {
        var configuration = Self.configuration(options)
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        configuration.timeout.read = nil
        // Nothing else notices that the other end is gone.
        configuration.http1_1ConnectionDebugInitializer = { channel in
            channel.setOption(.socketOption(.so_keepalive), value: 1)
        }
        lasting = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// The configuration of connections for answers that have a limit.
    static func configuration(_ options: HTTPRecognitionService.Options) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.timeout.connect = amount(options.connectLimit, atLeast: 0.001)
        // For answers that are read as they come; the others have a limit as a whole.
        configuration.timeout.read = amount(options.requestLimit, atLeast: 1)
        configuration.decompression = .enabled(limit: .size(options.responseLimit))
        // A token is not taken to where somebody else points.
        configuration.redirectConfiguration = .disallow
        // Repeating is the business of the policy.
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }

    /// A limit as the client takes it; a day where it is longer, or endless.
    private static func amount(_ limit: MediaTime, atLeast least: Double) -> TimeAmount {
        guard limit.isNumeric else { return .hours(24) }
        return .milliseconds(Int64(min(max(least, limit.seconds), 86_400) * 1_000))
    }

    deinit {
        client.shutdown { _ in }
        lasting.shutdown { _ in }
    }
}
