public import Foundation

/// A request for a file at an address.
public struct TransportRequest: Hashable, Sendable {
    /// The address, http or https.
    public var url: URL
    /// Header fields by name.
    public var headers: [String: String]

    /// A request.
    public init(url: URL, headers: [String: String] = [:]) {
        self.url = url
        self.headers = headers
    }
}

/// The status and header fields of a response, which come before its bytes.
public struct TransportResponse: Hashable, Sendable {
    /// The status, such as 200.
    public var status: Int
    /// Header fields by name in lower case.
    public var headers: [String: String]

    /// A response.
    public init(status: Int, headers: [String: String]) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { _, last in last }
    }
}

/// Whoever takes a response as it comes. The functions are called in order, never two at once, on a thread that may block.
public protocol TransportReceiver: Sendable {
    /// Takes the status and the header fields, once, before any bytes.
    ///
    /// - Throws: An error to end the transfer with, if nothing more is wanted.
    func begin(_ response: TransportResponse) throws

    /// Takes the next bytes.
    ///
    /// - Throws: An error to end the transfer with, if nothing more is wanted.
    func take(_ bytes: Data) throws
}

/// Fetches files for a ``RemoteCatalog``.
///
/// On Apple systems `URLSessionTransport` is the usual one; elsewhere it is `AsyncHTTPTransport` of EarshotClient. An app
/// gives another to go through a network layer of its own.
public protocol CatalogTransport: Sendable {
    /// Sends a request and hands the response on as it comes.
    ///
    /// A status other than 2xx is no error here. Redirects are followed within the transport, to http and https only.
    ///
    /// - Throws: Errors of the receiver; `CancellationError` when the task is canceled; any error when the server
    ///   cannot be reached, or the connection ends before the response does.
    func fetch(_ request: TransportRequest, to receiver: any TransportReceiver) async throws
}
