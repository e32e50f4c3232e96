/// A part of a record whose type the record need not know: data that only some builds have.
package struct JSONPart: Encodable, Sendable {
    private let value: any Encodable & Sendable
    /// The part in words for a person; `nil` if there are none.
    package let text: String?

    package init(_ value: any Encodable & Sendable, text: String? = nil) { (self.value, self.text) = (value, text) }

    package func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
