import Dispatch
import EarshotCore
import EarshotNodes
import EarshotSharedCatalogs
import Synchronization

/// Searches a catalog together with other nodes, each of which holds some of the segments: asks them, and answers them.
final class ClusterSearch: Sendable {
    /// The address at which this node listens for the others.
    let address: NodeAddress
    /// The bytes of segments for which this node has room.
    let cacheBytes: Int
    /// Answers the others.
    let controller: NodeSearchController
    /// Asks the others.
    let search: NodeSearch
    private let bound = Mutex<NodeAddress?>(nil)
    private let (listening, began) = AsyncStream.makeStream(of: Void.self)

    /// - Parameters:
    ///   - catalog: The catalog as this node follows it.
    ///   - node: The identifier of this node.
    ///   - address: The address at which it listens.
    ///   - cacheBytes: The bytes of segments for which this node has room.
    ///   - seal: Proves that requests come from nodes.
    ///   - queue: The queue of other nodes' searches.
    init(
        _ catalog: SharedCatalog,
        node: NodeID,
        address: NodeAddress,
        cacheBytes: Int,
        seal: NodeSeal,
        queue: WorkQueue
    ) {
        (self.address, self.cacheBytes) = (address, cacheBytes)
        let exchange = NodeSearchExchange(seal)
        controller = NodeSearchController(catalog: catalog, exchange: exchange, queue: queue)
        let client = NodeClient(exchange)
        search = NodeSearch(catalog) { asked, request in
            guard asked.id == node else { return await client.ask(asked, request) }
            // Not in the queue of other nodes: the client's request has a turn already.
            do throws(EarshotError) {
                let answer = try await BlockingWork.run(on: .global(qos: .userInitiated)) { () throws(EarshotError) in
                    try catalog.answer(request)
                }
                return .success(answer)
            } catch {
                return .failure(.unreachable)
            }
        }
    }

    /// The address at which other nodes can ask this one; `nil` until it listens there.
    var announced: NodeAddress? { bound.withLock(\.self) }

    /// Records that this node accepts requests of other nodes.
    ///
    /// - Parameter port: The port on which it listens.
    func noteListening(at port: Int) {
        bound.withLock { $0 = NodeAddress(host: address.host, port: port) }
        began.finish()
    }

    /// Waits until this node listens, or the task is canceled.
    func untilListening() async { for await _ in listening {} }
}
