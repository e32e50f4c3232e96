import EarshotCore
import Foundation
import Synchronization

/// Takes a catalog's bytes into its partial file.
final class PartialReceiver: TransportReceiver {
    /// The result of a request.
    enum Outcome: Sendable {
        /// The whole file is there.
        case complete(DownloadRecord.Validator)
        /// The file on the server is the one that is had already.
        case unchanged
        /// The server cannot go on where the part ends.
        case rangeRefused
    }

    private struct State {
        var response: TransportResponse?
        var received: Int64 = 0
        /// The size of the whole file, where the server says it.
        var total: Int64?
    }

    let file: PartialFile
    let offset: Int64
    let limit: Int64
    let label: String
    let willWrite: @Sendable (DownloadRecord.Validator) throws(EarshotError) -> Void
    let progress: (@Sendable (Int64, Int64?) -> Void)?
    private let state = Mutex(State())

    /// - Parameters:
    ///   - file: The partial file that takes the bytes.
    ///   - offset: From where on they were asked for.
    ///   - limit: The largest whole file.
    ///   - label: The address for messages.
    ///   - willWrite: Called before bytes of another state of the file come.
    ///   - progress: Told the bytes there are, and of how many.
    init(
        _ file: PartialFile,
        offset: Int64,
        limit: Int64,
        label: String,
        willWrite: @escaping @Sendable (DownloadRecord.Validator) throws(EarshotError) -> Void,
        progress: (@Sendable (Int64, Int64?) -> Void)?
    ) {
        self.file = file
        self.offset = offset
        self.limit = limit
        self.label = label
        self.willWrite = willWrite
        self.progress = progress
    }

    func begin(_ response: TransportResponse) throws {
        state.withLock { $0.response = response }
        let length = response.headers["content-length"].flatMap { Int64($0) }
        switch response.status {
        case 200:
            try check(length ?? 0)
            try file.truncate(to: 0)
            try willWrite(DownloadRecord.Validator(response))
            state.withLock { state in
                state.received = 0
                state.total = length
            }
        case 206:
            // `bytes 500-999/1000`
            let range = response.headers["content-range"]?.split { !$0.isNumber && $0 != "*" } ?? []
            guard offset > 0, range.count >= 2, Int64(range[0]) == offset, file.size == offset else {
                throw EarshotError(
                    .downloadFailed,
                    "\(label) sent another part than was asked for: try again later.",
                    cause: DownloadFault.answer
                )
            }
            let total = range.count > 2 ? Int64(range[2]) : length.map { $0 + offset }
            try check(total ?? 0)
            state.withLock { state in
                state.received = offset
                state.total = total
            }
        default: break
        }
    }

    func take(_ bytes: Data) throws {
        let (isContent, received, total) = state.withLock { state in
            let isContent = state.response?.status == 200 || state.response?.status == 206
            if isContent { state.received += Int64(bytes.count) }
            return (isContent, state.received, state.total)
        }
        // The text of an error page is of no use.
        guard isContent else { return }
        try check(received)
        try file.append(bytes)
        progress?(received, total)
    }

    private func check(_ size: Int64) throws(EarshotError) {
        guard size <= limit else {
            throw EarshotError(
                .downloadFailed,
                "\(label) is larger than the \(limit) bytes that are allowed: allow more, or fetch a smaller catalog.",
                cause: DownloadFault.size
            )
        }
    }

    /// Returns the result of the request once the transfer is over.
    func outcome() throws(EarshotError) -> Outcome {
        let state = state.withLock { $0 }
        guard let response = state.response else { throw Self.refused(label, status: 0) }
        switch response.status {
        case 200, 206:
            guard state.total == nil || state.total == state.received else {
                throw EarshotError(
                    .downloadFailed,
                    "\(label) ended after \(state.received) bytes of \(state.total ?? 0): try again, and it goes on there.",
                    cause: DownloadFault.answer
                )
            }
            return .complete(DownloadRecord.Validator(response))
        case 304: return .unchanged
        case 416 where offset > 0: return .rangeRefused
        default: throw Self.refused(label, status: response.status)
        }
    }

    static func refused(_ label: String, status: Int) -> EarshotError {
        let remedy = (400..<500).contains(status) ? "check the address." : "try again later."
        return EarshotError(
            .downloadFailed,
            status == 404 || status == 410
                ? "There is nothing at \(label) (status \(status)): check the address."
                : "\(label) was answered with status \(status): \(remedy)",
            cause: DownloadFault.status(status)
        )
    }
}

/// Takes a small text into memory.
final class TextReceiver: TransportReceiver {
    private let limit: Int
    private let state = Mutex((status: 0, data: Data()))

    /// - Parameter limit: The most bytes.
    init(limit: Int = 65_536) { self.limit = limit }

    func begin(_ response: TransportResponse) throws { state.withLock { $0.status = response.status } }

    func take(_ bytes: Data) throws {
        try state.withLock { state in
            guard state.data.count + bytes.count <= limit else { throw DownloadFault.size }
            state.data += bytes
        }
    }

    var status: Int { state.withLock { $0.status } }
    var bytes: Data { state.withLock { $0.data } }
    var text: String { state.withLock { String(decoding: $0.data, as: UTF8.self) } }
}
