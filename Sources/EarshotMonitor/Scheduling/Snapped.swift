/// A whole number that is brought to the nearest bound of its range when it is set outside.
///
/// Nothing fails: whoever sets a value that cannot be gets the next one that can, and reads that back.
@propertyWrapper
public struct Snapped: Hashable, Sendable {
    /// The values that can be.
    public let range: ClosedRange<Int>
    /// The value that was asked for last, and the one that is used in its place; `nil` if they are the same.
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

    /// The number with what was asked for.
    public var projectedValue: Snapped { self }

    /// Returns `true` if the values are equal, whatever was asked for.
    public static func == (left: Snapped, right: Snapped) -> Bool { left.value == right.value }

    /// Feeds the value to the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
