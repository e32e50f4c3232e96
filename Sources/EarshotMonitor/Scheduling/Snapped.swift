/// A property wrapper for an integer that limits values to a range.
///
/// Setting a value never fails: a value that is not allowed is replaced by the next allowed one, which is what a read
/// returns.
@propertyWrapper
public struct Snapped: Hashable, Sendable {
    /// The range of allowed values.
    public let range: ClosedRange<Int>
    /// The value that was set last, and the allowed value in its place; `nil` if they are equal.
    public var snap: (given: Int, used: Int)? { given == value ? nil : (given, value) }
    private var value: Int
    private var given: Int

    /// Creates a wrapper with an initial value and a range.
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

    /// The wrapper itself, which has the value that was set.
    public var projectedValue: Snapped { self }

    /// Returns `true` if the limited values are equal, whatever was set.
    public static func == (left: Snapped, right: Snapped) -> Bool { left.value == right.value }

    /// Feeds the value to the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
