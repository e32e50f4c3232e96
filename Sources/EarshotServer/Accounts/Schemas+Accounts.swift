import EarshotAPI
import EarshotBroadcast
import EarshotCore
import EarshotRecognition

extension Schemas {
    private static let entitlements: JSONValue = [
        "type": "array", "items": choice(Entitlement.allCases.map(\.rawValue)),
    ]

    private static let rights: JSONValue = described(
        ["type": "array", "items": choice(ClientRight.allCases.map(\.rawValue))],
        "What it may do beyond asking."
    )
    static let searchOrder: JSONValue = described(
        ["type": "array", "items": choice(BroadcastAnswer.Source.allCases.map(\.rawValue))],
        "Where is looked for what is on, in this order."
    )
    private static let password: JSONValue = described(
        [
            "type": "string", "minLength": .integer(PasswordDigest.lengths.lowerBound),
            "maxLength": .integer(PasswordDigest.lengths.upperBound), "writeOnly": true,
        ],
        "What the author logs in with from now on; without one what there is stays."
    )
    /// The schema of the challenge of a proof key (PKCE).
    static let codeChallenge: JSONValue = [
        "type": "string", "minLength": .integer(ProofKey.challengeLength),
        "maxLength": .integer(ProofKey.challengeLength), "pattern": "^[A-Za-z0-9_-]*$",
    ]
    private static let codeVerifier: JSONValue = described(
        [
            "type": "string", "minLength": .integer(ProofKey.verifierLengths.lowerBound),
            "maxLength": .integer(ProofKey.verifierLengths.upperBound), "pattern": "^[A-Za-z0-9._~-]*$",
        ],
        "What code_challenge was made of, by RFC 7636; left out where the page was told none."
    )

    private static let former: JSONValue = described(
        ["type": "string", "maxLength": 400],
        "The serialised form of the user that the app had before: it goes on with its history under a new secret."
    )

    /// The schemas of tokens, users, clients and logins.
    static var accounts: [String: JSONValue] {
        let limit: JSONValue = ["type": "integer", "minimum": 0, "maximum": 1_000_000_000]
        return [
            "TokenRequest": object([
                (
                    "client",
                    described(text, "The client identifier: ID-TAG; where a user is named, the ID alone is enough.")
                ), ("user?", described(text, "The serialised form of a user.")),
            ]),
            "TokenAnswer": object([
                ("token", text), ("type", text), ("expiresIn", described(integer, "In seconds.")), ("client", text),
                ("entitlements", entitlements),
            ]),
            "Quota": object([("limit?", integer), ("used", integer), ("resets", time)]),
            "UserRecord": object([
                ("id", text), ("serialised?", text), ("created", time), ("quota", reference("Quota")),
                ("author?", described(text, "The name of the author who has logged in; told to the operator only.")),
            ]),
            "UsageReport": object([
                ("days", described(texts, "By UTC, as 2026-01-31, the oldest first.")),
                (
                    "clients",
                    [
                        "type": "array",
                        "items": object([
                            ("id", text), ("name?", described(text, "Left out for a client that was removed.")),
                            ("counts", ["type": "array", "items": integer]),
                        ]),
                    ]
                ),
            ]),
            "ClientRecord": object([
                ("id", text), ("identifier?", text), ("name", text), ("entitlements", entitlements),
                ("quota?", integer),
                ("userQuota?", integer), ("userLimit?", described(integer, "The most users that it may register.")),
                ("modules", modules), ("searchOrder", searchOrder), ("rights", rights),
                ("mayChangeReferences", described(truth, "Whether it has all rights.")),
                ("isEnabled", truth),
                ("created", time),
            ]),
            "ClientChange": object([
                ("name?", ["type": "string", "maxLength": 200]), ("entitlements?", entitlements), ("quota?", limit),
                ("userQuota?", limit), ("userLimit?", limit), ("modules?", modules), ("searchOrder?", searchOrder),
                ("rights?", rights),
                (
                    "mayChangeReferences?",
                    described(truth, "Gives all rights, or takes them; of no effect beside rights.")
                ), ("isEnabled?", truth),
            ]),
            "RegistrationRequest": object([
                ("client", described(text, "The client identifier: ID-TAG.")),
                ("appVersion", ["type": "string", "minLength": 1, "maxLength": 400]), ("modules?", modules),
            ]),
            "RegistrationRecord": object([
                ("id", text), ("serialised?", described(text, "A secret of the user, told once.")), ("client", text),
                ("modules", modules), ("appVersion?", text), ("created", time),
                ("registrations", object([("limit?", integer), ("used", integer), ("remaining?", integer)])),
            ]),
            "AuthorRecord": object([("name", described(text, "2 to 40 code points."))]),
            "AuthorChange": object([
                ("name", described(text, "2 to 40 code points.")),
                ("password?", password),
                (
                    "currentPassword?",
                    described(["type": "string", "writeOnly": true], "Needed where the author has one.")
                ),
            ]),
            "AuthorizationRequest": object([
                ("code", text), ("codeVerifier?", codeVerifier), ("user?", former),
            ]),
            "AuthorizationAnswer": object([
                ("user", described(text, "The serialised form of the user: a secret.")), ("author", text),
            ]),
            "DeviceAuthorization": object([
                ("deviceCode", text), ("userCode", text), ("address", text),
                ("interval", described(integer, "In seconds.")), ("expiresIn", described(integer, "In seconds.")),
            ]),
            "DeviceQuestion": object([("deviceCode", text), ("user?", former)]),
            "LoginRecord": object([
                ("id", text), ("client", text), ("name", described(text, "What the client is called.")),
                ("began", time),
                ("isCurrent", described(truth, "Whether the request came from it.")),
            ]),
            "SessionRecord": object([
                ("id", text), ("began", time), ("used", described(time, "To a few minutes.")),
                ("agent", described(text, "The browser, as it names itself.")),
                ("address?", described(text, "The IP address that the person signed in from.")),
                ("isOperator", truth),
                ("isCurrent", described(truth, "Whether the request came from it.")),
            ]),
            "ApplicationRecord": object([
                ("identifier", text), ("name", text), ("site?", text),
                ("client?", described(text, "The client that it asks as; told to the operator only.")),
            ]),
        ]
    }
}
