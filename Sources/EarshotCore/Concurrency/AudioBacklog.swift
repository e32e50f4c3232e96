/// Audio with a duration, which an ``AudioBacklog`` can hold.
package protocol TimedAudio: Sendable {
    /// The duration of the audio.
    var duration: MediaTime { get }
}

extension AudioBuffer: TimedAudio {}

extension AudioBlock: TimedAudio {
    /// The duration of the buffer.
    public var duration: MediaTime { buffer.duration }
}

/// A queue of audio between a producer and a consumer, limited in duration. An empty queue accepts one element of any
/// duration.
package struct AudioBacklog<Element: TimedAudio>: Sendable {
    /// The longest total duration of the elements.
    package let capacity: MediaTime
    /// The fraction of the capacity, from 0 to 1, that is dropped at once if there is no room.
    package let droppedShare: Double
    /// The total duration of all elements.
    package private(set) var duration: MediaTime = .zero
    private var elements: [Element] = []
    private var first = 0

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - capacity: The longest total duration of the elements.
    ///   - droppedShare: The fraction of the capacity that is dropped at once if there is no room: 0 drops as little as
    ///     needed, 1 drops all. A larger fraction makes a slow consumer lose one interval instead of a bit of every
    ///     second.
    package init(capacity: MediaTime, droppedShare: Double = 0) {
        self.capacity = capacity
        self.droppedShare = min(max(droppedShare, 0), 1)
    }

    /// `true` if the queue has no elements.
    package var isEmpty: Bool { first == elements.count }

    /// Returns `true` if appending an element would exceed the capacity. An empty queue is never full.
    package func isFull(for element: Element) -> Bool { !isEmpty && duration + element.duration > capacity }

    /// Appends an element, even beyond the capacity.
    package mutating func append(_ element: Element) {
        elements.append(element)
        duration += element.duration
    }

    /// Appends an element, after dropping the oldest ones if there is no room.
    ///
    /// - Returns: The total duration of the dropped elements.
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

    /// Removes and returns the oldest element; `nil` if the queue is empty.
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

    /// Removes and returns all elements, the oldest first.
    package mutating func removeAll() -> [Element] {
        defer { (elements, first, duration) = ([], 0, .zero) }
        return Array(elements[first...])
    }
}
