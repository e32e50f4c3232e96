package import Instrumentation
package import Logging
import ServiceContextModule

/// The position of a request in a caller's trace, by the W3C recommendation Trace Context: the header `traceparent`.
package struct TraceContext: Hashable, Sendable, CustomStringConvertible {
    /// The id of the caller's trace: 32 hexadecimal digits.
    package let traceID: String
    /// The id of the caller's span: 16 hexadecimal digits.
    package let parentID: String
    /// `true` if the caller records the trace.
    package let isSampled: Bool

    /// Parses the value of the header; `nil` for a malformed one.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        // Versions later than 00 may have more than four parts.
        guard parts.count >= 4, parts[0].utf8.count == 2, parts[0] != "ff", parts[0] != "00" || parts.count == 4,
            parts[1].utf8.count == 32, parts[2].utf8.count == 16, parts[3].utf8.count == 2,
            parts.prefix(4).allSatisfy({ $0.utf8.allSatisfy(Self.isDigit) }),
            parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" }),
            let flags = UInt8(parts[3], radix: 16)
        else { return nil }
        traceID = String(parts[1])
        parentID = String(parts[2])
        isSampled = flags & 1 != 0
    }

    /// The value of the header `traceparent`.
    package var description: String { "00-\(traceID)-\(parentID)-\(isSampled ? "01" : "00")" }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }
}

extension ServiceContext {
    private enum TraceKey: ServiceContextKey {
        typealias Value = TraceContext
        static let nameOverride: String? = "trace-context"
    }

    /// The trace of the caller; `nil` if the request names none.
    package var trace: TraceContext? {
        get { self[TraceKey.self] }
        set { self[TraceKey.self] = newValue }
    }
}

/// An instrument that passes the caller's trace from the headers of a request on to log lines and to requests to
/// others, for programs that bootstrap swift-distributed-tracing without a full tracer.
package struct TraceContextInstrument: Instrument {
    /// Creates the instrument.
    package init() {}

    /// Reads the trace from the headers of a request.
    package func extract<Carrier, Extract>(
        _ carrier: Carrier,
        into context: inout ServiceContext,
        using extractor: Extract
    ) where Extract: Extractor, Extract.Carrier == Carrier {
        if let text = extractor.extract(key: "traceparent", from: carrier) { context.trace = TraceContext(text) }
    }

    /// Writes the trace into the headers of a request.
    package func inject<Carrier, Inject>(
        _ context: ServiceContext,
        into carrier: inout Carrier,
        using injector: Inject
    ) where Inject: Injector, Inject.Carrier == Carrier {
        if let trace = context.trace { injector.inject(trace.description, forKey: "traceparent", into: &carrier) }
    }

    /// Log metadata that adds the trace id to every line about a request.
    package static var metadataProvider: Logger.MetadataProvider {
        Logger.MetadataProvider {
            guard let trace = ServiceContext.current?.trace else { return [:] }
            return ["trace": "\(trace.traceID)"]
        }
    }
}
