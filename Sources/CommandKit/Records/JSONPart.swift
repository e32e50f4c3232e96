/// A part of a record whose type the record need not know: data that only some builds have.
package struct JSONPart: Encodable, Sendable {
    /// The part.
    package let value: any Encodable & Sendable

    package init(_ value: any Encodable & Sendable) { self.value = value }

    package func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
