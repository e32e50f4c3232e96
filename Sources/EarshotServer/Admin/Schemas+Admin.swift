import EarshotAPI
import EarshotCatalogs
import EarshotCore

extension Schemas {
    /// The schemas of references, published catalogs and jobs.
    static var admin: [String: JSONValue] {
        [
            "ReferenceRecord": object([
                ("id", text), ("duration", described(number, "In seconds.")), ("title?", text), ("artist?", text),
                ("album?", text), ("trackID?", text),
                (
                    "asset?",
                    described(
                        text,
                        "The file of a media folder with its audio; left out if none is known, and in lists."
                    )
                ),
            ]),
            "MediaItemList": object([
                (
                    "items",
                    described(
                        ["type": "array", "items": ["type": "object"], "maxItems": 1_000],
                        """
                        Each with a member for each property. A date is {"$date": SECONDS} from 2001 on, data {"$data": "BASE64"}, a real \
                        number without a fraction {"$real": NUMBER}.
                        """
                    )
                )
            ]),
            "DuplicatePair": object([
                ("reference", reference("ReferenceRecord")), ("other", reference("ReferenceRecord")),
                (
                    "relation",
                    described(
                        choice(Duplicate.Relation.allCases.map(\.rawValue)),
                        "The reference is this of the other one."
                    )
                ), ("coverage", described(number, "The share of the reference that fits the other one, from 0 to 1.")),
                ("otherCoverage", described(number, "The share of the other one that it covers, from 0 to 1.")),
                ("speed", described(number, "Seconds of the other one in one second of the reference.")),
                ("offset", described(number, "Where in the other one the reference begins, in seconds.")),
            ]),
            "DuplicatePage": object([
                ("pairs", list("DuplicatePair")), ("offset", integer),
                ("next?", described(integer, "The offset of the next request; left out at the end.")),
                ("total", integer),
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
                ("matching", described(integer, "How many entries fit, on all pages together.")),
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
