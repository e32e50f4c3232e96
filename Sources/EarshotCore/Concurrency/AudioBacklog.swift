/// Audio with a duration: what an ``AudioBacklog`` holds.
package protocol TimedAudio: Sendable {
    /// The duration of the audio.
    var duration: MediaTime { get }
}

extension AudioBuffer: TimedAudio {}

extension AudioBlock: TimedAudio {
    /// The duration of the buffer.
    public var duration: MediaTime { buffer.duration }
}

/// Audio between a producer and a consumer, in order and up to a duration. It takes one element of any length when it is
/// empty.
package struct AudioBacklog<Element: TimedAudio>: Sendable {
    /// The longest duration.
    package let capacity: MediaTime
    /// The share of the capacity, from 0 to 1, that is dropped at once when there is no room.
    package let droppedShare: Double
    /// The duration of all elements.
    package private(set) var duration: MediaTime = .zero
    private var elements: [Element] = []
    private var first = 0

    /// Creates an empty backlog.
    ///
    /// - Parameters:
    ///   - capacity: The longest duration.
    ///   - droppedShare: The share of the capacity that is dropped at once if there is no room: 0 drops as little as
    ///     needed, 1 drops all. A larger share makes a slow consumer lose one interval instead of a bit of every
    ///     second.
    package init(capacity: MediaTime, droppedShare: Double = 0) {
        self.capacity = capacity
        self.droppedShare = min(max(droppedShare, 0), 1)
    }

    /// `true` if there is no element.
    package var isEmpty: Bool { first == elements.count }

    /// Returns `true` if there is no room for an element.
    package func isFull(for element: Element) -> Bool { !isEmpty && duration + element.duration > capacity }

    /// Adds an element, whether there is room or not.
    package mutating func append(_ element: Element) {
        elements.append(element)
        duration += element.duration
    }

    /// Adds an element and drops the oldest ones when there is no room.
    ///
    /// - Returns: The duration dropped.
    package mutating func appendDroppingOldest(_ element: Element) -> MediaTime {
        var lost = MediaTime.zero
        if isFull(for: element) {
            let dropped = capacity.converted(toTimescale: 1_000_000).scaled(byFraction: droppedShare)
            let rest = droppedShare > 0 ? capacity - dropped : capacity
            while !isEmpty, duration + element.duration > rest, let oldest = popFirst() { lost += oldest.duration }
        }
        append(element)
        return lost
    }

    /// Removes and returns the oldest element; `nil` if there is none.
    package mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[first]
        first += 1
        duration = isEmpty ? .zero : duration - element.duration
        // The front is cleared in one go now and then: removing the first of an array moves all others.
        if first > 64 || isEmpty {
            elements.removeFirst(first)
            first = 0
        }
        return element
    }

    /// Removes and returns all elements.
    package mutating func removeAll() -> [Element] {
        defer { (elements, first, duration) = ([], 0, .zero) }
        return Array(elements[first...])
    }
}
