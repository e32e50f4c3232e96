/// An answer of AcoustID's protocol before it is written in one of its three forms.
enum AcoustIDValue: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    case null
    case string(String)
    case integer(Int)
    case number(Double)
    case boolean(Bool)
    case array([AcoustIDValue])
    case object([String: AcoustIDValue])

    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .integer(value) }
    init(booleanLiteral value: Bool) { self = .boolean(value) }
    init(arrayLiteral elements: AcoustIDValue...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, AcoustIDValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
    }

    /// The member of a name, of an object; nothing takes it away.
    subscript(name: String) -> AcoustIDValue? {
        get {
            guard case .object(let members) = self else { return nil }
            return members[name]
        }
        set {
            guard case .object(var members) = self else { return }
            members[name] = newValue
            self = .object(members)
        }
    }

    /// A number of JSON and XML: with a point, so that readers with types keep it a fraction.
    static func text(_ number: Double) -> String { number.isFinite ? "\(number)" : "0.0" }
}
