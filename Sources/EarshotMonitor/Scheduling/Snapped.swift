/// A whole number that is brought to the nearest bound of its range when it is set outside.
///
/// Setting a value never fails: a value that is not allowed is replaced by the next allowed one, which is what a read
/// returns.
@propertyWrapper
public struct Snapped: Hashable, Sendable {
    /// The values that can be.
    public let range: ClosedRange<Int>
    /// The value that was set last, and the allowed value in its place; `nil` if they are equal.
    public var snap: (given: Int, used: Int)? { given == value ? nil : (given, value) }
    private var value: Int
    private var given: Int

    /// A number in a range.
    public init(wrappedValue: Int, _ range: ClosedRange<Int>) {
        self.range = range
        given = wrappedValue
        value = min(max(wrappedValue, range.lowerBound), range.upperBound)
    }

    /// The value, within its range.
    public var wrappedValue: Int {
        get { value }
        set {
            given = newValue
            value = min(max(newValue, range.lowerBound), range.upperBound)
        }
    }

    /// The wrapper, with the value that was set.
    public var projectedValue: Snapped { self }

    /// Returns `true` if the values are equal, whatever was asked for.
    public static func == (left: Snapped, right: Snapped) -> Bool { left.value == right.value }

    /// Feeds the value to the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
