public import Foundation

/// Parses the `Retry-After` header of a receiver.
public enum RetryAfter {
    /// Returns the time to wait, in seconds.
    ///
    /// - Parameters:
    ///   - field: The value of the field: a number of seconds, or a date in one of the three forms of HTTP.
    ///   - now: The current time, for a date.
    /// - Returns: Zero for a date in the past; `nil` if the text is neither seconds nor a date.
    public static func seconds(_ field: String, at now: Date) -> Double? {
        let text = field.trimmingCharacters(in: .whitespaces)
        if !text.isEmpty, text.utf8.count <= 15, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return Double(text)
        }
        return date(text, at: now).map { max(0, $0.timeIntervalSince(now)) }
    }

    /// Parses an HTTP date: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37
    /// 1994`. The day of the week is ignored.
    static func date(_ text: String, at now: Date) -> Date? {
        guard text.utf8.count <= 64 else { return nil }
        let words = text.split { $0 == " " || $0 == "," || $0 == "-" }
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let day: Substring
        let month: Substring
        let year: Substring
        let clock: Substring
        if words.count == 6, words[5] == "GMT" {
            (day, month, year, clock) = (words[1], words[2], words[3], words[4])
        } else if words.count == 5 {
            (month, day, clock, year) = (words[1], words[2], words[3], words[4])
        } else {
            return nil
        }
        guard let monthIndex = months.firstIndex(of: String(month)), var number = number(year, [2, 4]),
            let dayNumber = Self.number(day, [1, 2])
        else { return nil }
        if year.utf8.count == 2 {
            // A year of two digits is at most 50 years ahead.
            let present = Int(PlaylogTime.text(now).prefix(4)) ?? 2000
            number += present / 100 * 100
            if number > present + 50 { number -= 100 }
        }
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        return PlaylogTime.date("\(number)-\(padded(monthIndex + 1))-\(padded(dayNumber))T\(clock)Z")
    }

    private static func number(_ text: Substring, _ widths: [Int]) -> Int? {
        guard widths.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}
