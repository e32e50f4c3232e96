package import EarshotCatalogs
package import EarshotCore
package import EarshotNodes
package import EarshotSignatures
import Synchronization

/// Searches a catalog of which no node has all: asks the nodes that hold its segments, and decides by what they answer.
package final class NodeSearch: Sendable {
    /// Asks a node. It does not throw: the reason why there is no answer decides what is done next.
    package typealias Send =
        @Sendable (_ node: NodeRecord, _ request: NodeSearchRequest) async -> Result<NodeSearchAnswer, Gather.Failure>

    /// The outcome of a search.
    package struct Outcome: Sendable {
        /// The references that were found, best first; `nil` if there is none.
        package let match: Match?
        /// The number of references that were searched, and of all.
        package let searched: (count: Int, all: Int)
        /// `true` if all references were searched: what was not found is not in the catalog.
        package let isComplete: Bool
    }

    private enum Event: Sendable {
        case answer(Int, Result<NodeSearchAnswer, Gather.Failure>)
        case time
    }

    /// The time in which a search ends, in seconds.
    package static let patience = 4.0

    private let catalog: SharedCatalog
    private let send: Send
    private let clock: MediaClock
    private let paces = Mutex(NodePaces())

    /// - Parameters:
    ///   - catalog: The catalog as this node follows it.
    ///   - send: Asks a node, this one too.
    package init(_ catalog: SharedCatalog, clock: MediaClock = .system, send: @escaping Send) {
        (self.catalog, self.clock, self.send) = (catalog, clock, send)
    }

    /// Looks for a query in the whole catalog.
    ///
    /// - Throws: As `Catalog.match`; `searchIncomplete` if nothing was found and a part could not be searched; `cancelled`.
    package func search(_ query: Signature) async throws(EarshotError) -> Outcome {
        try catalog.catalog.check(query)
        let manifest = catalog.view.manifest
        let placement = catalog.placement ?? SegmentPlacement([], copies: 1)
        let nodes = Dictionary(placement.nodes.values.map { ($0.id, $0) }) { first, _ in first }
        let segments = manifest.searched
        let orders = segments.map { placement.order(of: $0.segment.object) }
        let deadline = clock.now.seconds + Self.patience
        var search = CatalogSearch(query, totals: manifest.totals)
        while let round = search.round {
            let gather = Gather(
                orders: orders,
                copies: placement.copies,
                round: Int(round.kind.rawValue),
                deadline: deadline
            )
            let answers = await self.answers(gather) { asked -> (NodeRecord, NodeSearchRequest)? in
                guard let node = nodes[asked.node] else { return nil }
                return (
                    node,
                    NodeSearchRequest(
                        catalog: catalog.name,
                        generation: manifest.generation,
                        patience: Int(max(0, deadline - self.clock.now.seconds) * 1_000),
                        parts: asked.segments.map { number in
                            NodeSearchRequest.Part(
                                object: segments[number].segment.object,
                                removedCount: segments[number].segment.removed.count,
                                place: segments[number].place
                            )
                        },
                        round: round,
                        query: query
                    )
                )
            }
            guard !Task.isCancelled else { throw EarshotError(.cancelled, "The search was canceled.") }
            search.take(answers)
        }
        return try outcome(search, query, manifest, segments.map(\.segment))
    }

    private func outcome(
        _ search: CatalogSearch,
        _ query: Signature,
        _ manifest: SharedManifest,
        _ segments: [SharedSegment]
    ) throws(EarshotError) -> Outcome {
        let searched = search.segments.reduce(0) { $0 + segments[$1].count }
        guard search.isComplete || !search.references.isEmpty || search.wantsSpectrogram else {
            throw EarshotError(
                .searchIncomplete,
                "\(manifest.count - searched) of \(manifest.count) references of the catalog cannot be searched at the moment: try again."
            )
        }
        guard !search.wantsSpectrogram else {
            throw EarshotError(
                .moreEvidence,
                "The landmarks of the recording are not conclusive: send the signature again with its spectrogram."
            )
        }
        let identity = CatalogIdentity(id: catalog.name, version: "\(manifest.generation)")
        return Outcome(
            match: search.references.isEmpty
                ? nil : Match(querySignature: query, references: search.references, catalog: identity),
            searched: (searched, manifest.count),
            isComplete: search.isComplete
        )
    }

    /// Runs a round: returns the answers of nodes, each without the segments that an earlier answer covered.
    ///
    /// - Parameters:
    ///   - start: The gather, which decides who is asked.
    ///   - request: Returns the node and the message of a request; `nil` for a node that is not known any longer.
    private func answers(
        _ start: Gather,
        _ request: (Gather.Request) -> (NodeRecord, NodeSearchRequest)?
    ) async -> [RoundAnswer] {
        var gather = start
        var answers: [RoundAnswer] = []
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        var tasks: [Int: Task<Void, Never>] = [:]
        var timer: Task<Void, Never>?
        defer {
            timer?.cancel()
            for task in tasks.values { task.cancel() }
        }
        func take(_ steps: [Gather.Step]) {
            for step in steps {
                switch step {
                case .cancel(let id): tasks.removeValue(forKey: id)?.cancel()
                case .ask(let asked):
                    guard let (node, message) = request(asked) else {
                        continuation.yield(.answer(asked.id, .failure(.unreachable)))
                        continue
                    }
                    let send = send
                    tasks[asked.id] = Task { continuation.yield(.answer(asked.id, await send(node, message))) }
                }
            }
            timer?.cancel()
            let (clock, next) = (clock, MediaTime(seconds: gather.nextTime, preferredTimescale: 1_000_000_000))
            timer = Task { if (try? await clock.sleep(until: next)) != nil { continuation.yield(.time) } }
        }
        take(paces.withLock { gather.start(&$0, at: clock.now.seconds) })
        guard !gather.isFinished else { return answers }
        // The stream ends by itself when the task is canceled.
        for await event in events {
            let now = clock.now.seconds
            switch event {
            case .time: take(paces.withLock { gather.advance(&$0, at: now) })
            case .answer(let id, .failure(let failure)):
                take(paces.withLock { gather.fail(id, failure, &$0, at: now) })
            case .answer(let id, .success(let answer)):
                let numbers = answer.answer.segments
                let (steps, counted) = paces.withLock { gather.answer(id, searched: numbers, &$0, at: now) }
                take(steps)
                if !counted.isEmpty { answers.append(answer.answer.keeping(counted)) }
            }
            if gather.isFinished { break }
        }
        if !gather.isFinished { _ = paces.withLock { gather.giveUp(&$0, at: clock.now.seconds) } }
        return answers
    }
}
