import ArgumentParser
package import EarshotCore
import EarshotIngest

/// A time on the command line: seconds (`75.5`), `m:ss` or `h:mm:ss`, with a fraction if wanted.
package struct TimeArgument: ExpressibleByArgument {
    package let time: MediaTime
    /// The same in seconds, as it was written.
    package let seconds: Double

    package init?(argument: String) {
        guard let written = WrittenTime(argument) else { return nil }
        (time, seconds) = (written.time, written.seconds)
    }
}
