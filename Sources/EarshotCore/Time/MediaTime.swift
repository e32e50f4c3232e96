/// A point or span of time as a whole number of units, with a stated number of units a second.
///
/// At a timescale of 44,100 one unit is one sample of CD audio; at 600 one frame of film, PAL or 30 Hz video is 25, 24
/// or 20 units. Arithmetic and comparison are exact, without floating point. A result that 64 bits cannot hold exactly
/// is rounded and flagged; one that is too large becomes an infinity. Nothing wraps.
public struct MediaTime: Sendable {
    /// The state of a time: a number, infinite, indefinite or invalid.
    @usableFromInline enum State: UInt8, Sendable {
        case numeric, indefinite, positiveInfinity, negativeInfinity, invalid
    }

    /// The number of units; meaningful only when ``isNumeric``.
    public let value: Int64

    /// Units a second; at least 1 when ``isNumeric``.
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

    /// A time of `value / timescale` seconds.
    ///
    /// - Parameters:
    ///   - value: The number of units.
    ///   - timescale: Units a second. A timescale below 1 gives ``invalid``.
    public init(value: Int64, timescale: Int32) {
        self = timescale >= 1 ? MediaTime(state: .numeric, value: value, timescale: timescale) : .invalid
    }

    /// The time of a sample frame: `frames` at `sampleRate` hertz.
    public init(frames: Int64, sampleRate: Int) {
        self.init(value: frames, timescale: Int32(clamping: sampleRate))
    }

    /// The nearest time to a number of seconds at a timescale; half units go away from zero.
    ///
    /// Meant for the edges only (JSON, command line). Not-a-number gives ``invalid``; what does not fit, an infinity.
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
    /// No time at all: the result of senseless arithmetic.
    public static let invalid = MediaTime(state: .invalid)
    /// A time that is not known, such as the duration of a live stream.
    public static let indefinite = MediaTime(state: .indefinite)
    /// Later than every numeric time.
    public static let positiveInfinity = MediaTime(state: .positiveInfinity)
    /// Earlier than every numeric time.
    public static let negativeInfinity = MediaTime(state: .negativeInfinity)

    /// `true` if this is an ordinary number of units.
    public var isNumeric: Bool { state == .numeric }
    /// `true` if this is anything but ``invalid``.
    public var isValid: Bool { state != .invalid }
    /// `true` if this is ``indefinite``.
    public var isIndefinite: Bool { state == .indefinite }

    /// The time in seconds: not-a-number when invalid or indefinite. For display and interchange, not for arithmetic.
    public var seconds: Double {
        switch state {
        case .numeric: Double(value) / Double(timescale)
        case .positiveInfinity: .infinity
        case .negativeInfinity: -.infinity
        case .indefinite, .invalid: .nan
        }
    }
}
