package import EarshotCore
package import Foundation

/// A request of a node and the answer to it, as HTTP has them: who carries the bytes decides nothing.
package struct NodeSearchExchange: Sendable {
    /// The path of requests.
    package static let path = "/v1/cluster/searches"

    /// An answer as HTTP has it.
    package struct Response: Sendable {
        package var status: Int
        package var body: [UInt8]
        /// The value of ``NodeSeal/header``; `nil` where the request is not known to come from a node.
        package var seal: String?

        package init(status: Int, body: [UInt8] = [], seal: String? = nil) {
            (self.status, self.body, self.seal) = (status, body, seal)
        }
    }

    private let seal: NodeSeal
    private let now: @Sendable () -> Date

    package init(_ seal: NodeSeal, now: @escaping @Sendable () -> Date = { Date() }) {
        (self.seal, self.now) = (seal, now)
    }

    // MARK: - The node that is asked

    /// Answers a request.
    ///
    /// - Parameters:
    ///   - header: The value of ``NodeSeal/header``.
    ///   - body: The body, of at most ``NodeSearchRequest/largest`` bytes.
    ///   - catalog: The catalog of the node.
    ///   - work: Does what blocks, where there is room for it. It throws `serviceBusy` if there is none.
    package func respond(
        _ header: String?,
        _ body: [UInt8],
        _ catalog: SharedCatalog,
        _ work: (@escaping @Sendable () throws(EarshotError) -> [UInt8]) async throws(EarshotError) -> [UInt8]
    ) async -> Response {
        guard let header, seal.isValid(header, request: body, at: now()) else { return Response(status: 401) }
        func response(_ status: Int, _ body: [UInt8] = []) -> Response {
            Response(
                status: status,
                body: body,
                seal: seal.seal(answer: [UInt8]("\(status)\n".utf8) + body, to: header)
            )
        }
        let request: NodeSearchRequest
        do throws(NodeSearchFault) { request = try NodeSearchRequest(bytes: body) } catch {
            return response(error == .version ? 409 : 400)
        }
        // A node that follows another catalog has none of the segments.
        guard request.catalog == catalog.name else { return response(404) }
        do throws(EarshotError) {
            return response(200, try await work { () throws(EarshotError) in try catalog.answer(request).bytes() })
        } catch {
            return response(error.code == .requestInvalid ? 400 : error.code == .internalError ? 500 : 503)
        }
    }

    // MARK: - The node that asks

    /// Returns a request with its seal.
    package func sealed(_ request: NodeSearchRequest) throws(EarshotError) -> (body: [UInt8], seal: String) {
        let body = try request.bytes()
        return (body, seal.seal(request: body, at: now()))
    }

    /// Reads the answer to a request.
    ///
    /// - Parameter seal: The seal of the request.
    package func answer(
        _ response: Response,
        to request: NodeSearchRequest,
        seal header: String
    ) -> Result<NodeSearchAnswer, Gather.Failure> {
        // Without a seal, anybody on the network could make a node look busy or outdated, so that others stop asking it.
        guard let told = response.seal,
            seal.isValid(told, answer: [UInt8]("\(response.status)\n".utf8) + response.body, to: header)
        else { return .failure(.unreachable) }
        switch response.status {
        case 200:
            do throws(NodeSearchFault) {
                return .success(try NodeSearchAnswer(bytes: response.body, to: request))
            } catch {
                return .failure(error == .version ? .version : .unreachable)
            }
        case 409: return .failure(.version)
        case 503: return .failure(.busy)
        default: return .failure(.unreachable)
        }
    }
}
