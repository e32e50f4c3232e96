import AsyncHTTPClient
import EarshotCore
import NIOCore
import NIOHTTPCompression

/// The connections of a service and its copies; closed when the last copy is gone.
final class HTTPConnections: Sendable {
    let client: HTTPClient

    init(_ options: HTTPRecognitionService.Options) {
        var configuration = HTTPClient.Configuration()
        configuration.timeout.connect = .milliseconds(Int64(max(1, options.connectLimit.seconds * 1000)))
        // For answers that are read as they come; the others have a limit as a whole.
        configuration.timeout.read = .milliseconds(Int64(max(1_000, options.requestLimit.seconds * 1000)))
        configuration.decompression = .enabled(limit: .size(options.responseLimit))
        // A token is not taken to where somebody else points.
        configuration.redirectConfiguration = .disallow
        // Repeating is the business of the policy.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit {
        client.shutdown { _ in }
    }
}
