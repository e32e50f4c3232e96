import Dispatch

/// Threads that share the work of one search.
enum Lanes {
    /// Calls a body once for each lane, with its number, and returns when all calls have.
    ///
    /// The calling thread works too, so that a search goes on where no other thread is free.
    ///
    /// - Parameter body: Called on several threads at once: it must change nothing that other calls read.
    static func run(_ count: Int, _ body: (Int) -> Void) {
        if count > 1 {
            withoutActuallyEscaping(body) { body in
                // Safe: `concurrentPerform` returns after the last call has ended, so none outlives the body. Each call has a number of its own,
                // and callers write only to places that belong to that number.
                nonisolated(unsafe) let body = body
                DispatchQueue.concurrentPerform(iterations: count) { body($0) }
            }
        } else if count == 1 {
            body(0)
        }
    }

    /// The results of a function of each element, in their order.
    ///
    /// - Parameter transform: Must change nothing that calls for other elements read.
    static func map<Element, Result>(
        _ elements: [Element],
        lanes: Int,
        _ transform: (Element) -> Result
    ) -> [Result] {
        guard lanes > 1, elements.count > 1 else { return elements.map(transform) }
        var results = [Result?](repeating: nil, count: elements.count)
        results.withUnsafeMutableBufferPointer { results in
            // Safe: the strides of two lanes have no index in common, so no place is written twice; the buffer lives until all lanes are over.
            nonisolated(unsafe) let results = results
            run(min(lanes, elements.count)) { lane in
                for index in stride(from: lane, to: elements.count, by: min(lanes, elements.count)) {
                    results[index] = transform(elements[index])
                }
            }
        }
        return results.compactMap { $0 }
    }
}
