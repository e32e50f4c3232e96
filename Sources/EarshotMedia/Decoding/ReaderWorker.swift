import Dispatch
import EarshotCore
import Synchronization

/// A source that gives one element after the other, on the caller's thread.
protocol BlockingReader: SendableMetatype {
    associatedtype Element: Sendable

    /// The next element; `nil` at the end, and after an error.
    func next() throws(EarshotError) -> Element?
}

/// Runs a reader on a thread of its own: its calls block, and Swift's few shared threads must not.
///
/// Unchecked, because the compiler cannot see that `reader` is touched on `queue` only.
final class ReaderWorker<Reader: BlockingReader>: @unchecked Sendable {
    private let queue = DispatchQueue(label: "earshot.media.reader", qos: .userInitiated)
    private let cancellation = Cancellation()
    private let machine = Mutex(ReadingState.Machine())
    private var reader: Reader?

    /// The state of the reader.
    var state: ReadingState { machine.withLock { $0.state } }
    /// The error of the reader.
    var error: EarshotError? { machine.withLock { $0.error } }

    func cancel() {
        cancellation.cancel()
        machine.withLock { $0.cancelled() }
    }

    /// Opens what is read, and says what is known of it then.
    func open<Facts: Sendable>(
        _ make: @escaping @Sendable (Cancellation) throws(EarshotError) -> (Reader, Facts)
    ) async throws(EarshotError) -> Facts {
        let result = await BlockingWork.run(on: queue, cancelling: cancellation) { [self] () throws(EarshotError) in
            let (reader, facts) = try make(cancellation)
            self.reader = reader
            return facts
        }
        return try result.get()
    }

    func next() async throws(EarshotError) -> Reader.Element? {
        machine.withLock { $0.asked() }
        let result = await BlockingWork.run(on: queue, cancelling: cancellation) { [self] () throws(EarshotError) in
            try reader?.next()
        }
        machine.withLock { machine in
            switch result {
            case .success(let element): machine.answered(hasElement: element != nil)
            case .failure(let error): machine.broke(error)
            }
        }
        return try result.get()
    }
}
