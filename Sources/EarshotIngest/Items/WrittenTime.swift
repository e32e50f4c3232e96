package import EarshotCore
import Foundation

/// A time as people write it: seconds (`75.5`), `m:ss` or `h:mm:ss`, with a fraction if wanted.
package struct WrittenTime {
    package let time: MediaTime
    /// The same in seconds, as it was written.
    package let seconds: Double

    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count) else { return nil }
        var total = 0.0
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            guard let number = Double(part), number >= 0, number.isFinite, isLast || number == number.rounded(),
                index == 0 || number < 60
            else { return nil }
            total = total * 60 + number
        }
        time = MediaTime(seconds: total, preferredTimescale: 90_000)
        seconds = total
        // Later than all that can be counted.
        guard time.isNumeric else { return nil }
    }
}
