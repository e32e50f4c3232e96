import EarshotAPI
import EarshotCore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    /// Returns a response of server-sent events, one for each record, with a comment after each interval without one.
    ///
    /// - Parameters:
    ///   - name: The name of the events.
    ///   - records: The records. The response ends with them.
    ///   - confirm: Throws if the sender would not be admitted now, which ends the response. Asked every 15 s.
    ///   - place: A value that is retained while the response is sent, such as a slot.
    static func events<Record: Encodable & Sendable>(
        _ name: String,
        _ records: AsyncStream<Record>,
        confirming confirm: @escaping @Sendable () async throws(EarshotError) -> Void,
        holding place: (any Sendable)? = nil
    ) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                defer { withExtendedLifetime(place) {} }
                // The comments keep proxies from closing the connection as idle.
                for try await text in EventStream.texts(name, records, confirming: confirm) {
                    try await writer.write(ByteBuffer(string: text))
                }
                try await writer.finish(nil)
            }
        )
    }
}

/// The text of server-sent events.
enum EventStream {

    static func texts<Record: Encodable & Sendable>(
        _ name: String,
        _ records: AsyncStream<Record>,
        every interval: Duration = .seconds(15),
        confirming confirm: @escaping @Sendable () async throws(EarshotError) -> Void
    ) -> AsyncThrowingStream<String, any Error> {
        // A reader that is slower than the events gets the newest ones.
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
            let task = Task {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for await record in records {
                            guard let data = try? ServiceAPI.encoder().encode(record) else { continue }
                            continuation.yield("event: \(name)\ndata: \(String(decoding: data, as: UTF8.self))\n\n")
                        }
                    }
                    group.addTask {
                        while (try? await Task.sleep(for: interval)) != nil, (try? await confirm()) != nil {
                            continuation.yield(": waiting\n\n")
                        }
                    }
                    await group.next()
                    group.cancelAll()
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
