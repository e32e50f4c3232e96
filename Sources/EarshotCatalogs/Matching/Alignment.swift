/// How a query lies on a reference: reference time = `offset` + `speed` · query time, and query frequency = reference
/// frequency + `pitch`, all in steps.
struct Alignment: Sendable {
    /// Where in the reference the query's first instant falls, in steps of 2 ms; before zero when it begins earlier.
    var offset: Double
    /// Reference seconds in one second of the query.
    var speed: Double
    /// How far the query lies above the reference, in steps of 1/8 bin.
    var pitch: Double
}
