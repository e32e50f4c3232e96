import Dispatch

/// Threads that share the work of one search.
enum Lanes {
    /// Calls a body once for each lane, with its number, and returns after all calls.
    ///
    /// The calling thread works too, so that a search continues even if no other thread is free.
    ///
    /// - Parameter body: Called on several threads at once. A call must not change what other calls read.
    static func run(_ count: Int, _ body: (Int) -> Void) {
        if count > 1 {
            withoutActuallyEscaping(body) { body in
                // Safe: `concurrentPerform` returns after the last call has ended, so no call outlives the body. Each
                // call has its own number, and callers write only to places that belong to that number.
                nonisolated(unsafe) let body = body
                DispatchQueue.concurrentPerform(iterations: count) { body($0) }
            }
        } else if count == 1 {
            body(0)
        }
    }

    /// Returns the results of a function for each element, in order of the elements.
    ///
    /// - Parameter transform: A call must not change what calls for other elements read.
    static func map<Element, Result>(
        _ elements: [Element],
        lanes: Int,
        _ transform: (Element) -> Result
    ) -> [Result] {
        guard lanes > 1, elements.count > 1 else { return elements.map(transform) }
        var results = [Result?](repeating: nil, count: elements.count)
        results.withUnsafeMutableBufferPointer { results in
            // Safe: the strides of two lanes have no index in common, so no place is written twice. The buffer lives
            // until all lanes have ended.
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
