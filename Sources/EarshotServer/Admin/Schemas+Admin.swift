import EarshotAPI
import EarshotCore

extension Schemas {
    /// The schemas of references, published catalogs and jobs.
    static var admin: [String: JSONValue] {
        [
            "ReferenceRecord": object([
                ("id", text), ("duration", described(number, "In seconds.")), ("title?", text), ("artist?", text),
                ("trackID?", text),
            ]),
            "ReferencePage": object([
                ("references", list("ReferenceRecord")), ("offset", integer), ("total", integer),
            ]),
            "CatalogVersion": object([
                ("name", text), ("version", integer), ("size", integer), ("references", integer), ("sha256", text),
            ]),
            "JobRequest": object([
                ("kind", choice(JobRequest.Kind.allCases.map(\.rawValue))), ("url?", text), ("id?", text),
                ("item?", ["type": "object", "additionalProperties": text]),
            ]),
            "JobRecord": object([
                ("id", text), ("kind", text), ("state", choice(JobRecord.State.allCases.map(\.rawValue))),
                ("progress", number), ("result?", text),
                ("error?", object([("code", text), ("message", text), ("requestID?", text)])), ("created", time),
                ("finished?", time),
            ]),
        ]
    }
}
