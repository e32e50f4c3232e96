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
            "AuditEntry": object([
                ("number", integer), ("date", time), ("who", text),
                ("what", described(text, "The operation by its name here, or the words of a command.")),
                ("target", ["type": "object", "additionalProperties": text]), ("status?", integer), ("address?", text),
                ("request?", described(text, "The name of the request in the log of the service.")),
            ]),
            "AuditPage": object([
                ("entries", list("AuditEntry")), ("count", described(integer, "How many entries follow each other.")),
                ("digest", described(text, "The SHA-256 digest of the last one, which vouches for all before it.")),
                ("fault?", described(integer, "The line that does not follow; left out for a log that is whole.")),
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
