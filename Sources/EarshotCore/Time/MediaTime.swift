/// A point in time or a duration, as an integer number of units with a given number of units in a second.
///
/// At a timescale of 44,100 one unit is one sample of CD audio; at 600 one frame of film, PAL or 30 Hz video is 25, 24
/// or 20 units. Arithmetic and comparison are exact, without floating point. A result that 64 bits cannot hold exactly
/// is rounded and flagged; one that is too large becomes an infinity. Nothing wraps.
public struct MediaTime: Sendable {
    /// The state of a time: a number, infinite, indefinite or invalid.
    @usableFromInline enum State: UInt8, Sendable {
        case numeric, indefinite, positiveInfinity, negativeInfinity, invalid
    }

    /// The number of units; meaningful only if ``isNumeric``.
    public let value: Int64

    /// The number of units in a second; at least 1 if ``isNumeric``.
    public let timescale: Int32

    /// `true` if ``value`` was rounded by arithmetic or a conversion.
    public let hasBeenRounded: Bool

    let state: State

    init(state: State, value: Int64 = 0, timescale: Int32 = 1, hasBeenRounded: Bool = false) {
        self.state = state
        self.value = value
        self.timescale = timescale
        self.hasBeenRounded = hasBeenRounded
    }

    /// Creates a time of `value / timescale` seconds.
    ///
    /// - Parameters:
    ///   - value: The number of units.
    ///   - timescale: The number of units in a second. A timescale below 1 gives ``invalid``.
    public init(value: Int64, timescale: Int32) {
        self = timescale >= 1 ? MediaTime(state: .numeric, value: value, timescale: timescale) : .invalid
    }

    /// Creates the time of an audio frame: `frames / sampleRate` seconds.
    public init(frames: Int64, sampleRate: Int) {
        self.init(value: frames, timescale: Int32(clamping: sampleRate))
    }

    /// Creates the nearest time to a number of seconds at a timescale; half units are rounded away from zero.
    ///
    /// Meant only for input and output, such as JSON and the command line. Not-a-number gives ``invalid``; a value that
    /// does not fit, an infinity.
    public init(seconds: Double, preferredTimescale timescale: Int32 = 90_000) {
        guard !seconds.isNaN, timescale >= 1 else {
            self = .invalid
            return
        }
        let scaled = (seconds * Double(timescale)).rounded(.toNearestOrAwayFromZero)
        // 2^63 is exact as a Double, so this comparison admits just the representable values.
        guard scaled >= -0x1p63, scaled < 0x1p63 else {
            self = seconds < 0 ? .negativeInfinity : .positiveInfinity
            return
        }
        self.init(
            state: .numeric,
            value: Int64(scaled),
            timescale: timescale,
            hasBeenRounded: scaled != seconds * Double(timescale)
        )
    }

    /// Zero seconds.
    public static let zero = MediaTime(value: 0, timescale: 1)
    /// An invalid time: the result of undefined arithmetic.
    public static let invalid = MediaTime(state: .invalid)
    /// A time that is not known, such as the duration of a live stream.
    public static let indefinite = MediaTime(state: .indefinite)
    /// A time later than every numeric time.
    public static let positiveInfinity = MediaTime(state: .positiveInfinity)
    /// A time earlier than every numeric time.
    public static let negativeInfinity = MediaTime(state: .negativeInfinity)

    /// `true` if the time is a finite number.
    public var isNumeric: Bool { state == .numeric }
    /// `true` if the time is not ``invalid``.
    public var isValid: Bool { state != .invalid }
    /// `true` if the time is ``indefinite``.
    public var isIndefinite: Bool { state == .indefinite }

    /// The time in seconds, infinite for an infinity, not-a-number if invalid or indefinite. For display and
    /// interchange, not for arithmetic.
    public var seconds: Double {
        switch state {
        case .numeric: Double(value) / Double(timescale)
        case .positiveInfinity: .infinity
        case .negativeInfinity: -.infinity
        case .indefinite, .invalid: .nan
        }
    }
}
