/// A key of a terminal.
package enum Key: Hashable, Sendable {
    /// A key with a visible ASCII character, or the space bar.
    case character(Character)
    case left, right, up, down
}

/// Decodes the bytes that a terminal sends for keys: a state machine without a terminal. Unknown keys are left out.
package struct KeyDecoder: Hashable, Sendable {
    private enum State {
        case ground
        /// Behind an escape byte.
        case escape
        /// Inside a sequence: its last byte says which key it is.
        case sequence
    }

    private var state = State.ground

    package init() {}

    /// Takes bytes in.
    ///
    /// - Returns: The keys that are complete with them.
    package mutating func append(_ bytes: some Sequence<UInt8>) -> [Key] {
        bytes.compactMap { append($0) }
    }

    private mutating func append(_ byte: UInt8) -> Key? {
        switch (state, byte) {
        case (_, 0x1B): state = .escape
        case (.escape, UInt8(ascii: "[")), (.escape, UInt8(ascii: "O")): state = .sequence
        case (.sequence, 0x20..<0x40): break
        case (.sequence, _):
            state = .ground
            switch byte {
            case UInt8(ascii: "A"): return .up
            case UInt8(ascii: "B"): return .down
            case UInt8(ascii: "C"): return .right
            case UInt8(ascii: "D"): return .left
            default: break
            }
        case (.escape, _): state = .ground
        case (.ground, 0x20..<0x7F): return .character(Character(Unicode.Scalar(byte)))
        case (.ground, _): break
        }
        return nil
    }
}
