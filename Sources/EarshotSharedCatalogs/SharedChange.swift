package import EarshotCore
package import EarshotNodes

/// A change of a catalog that nodes share: references that go, and a segment with those that come.
package struct SharedChange: Sendable {
    /// A segment whose file is in the bucket.
    package struct Addition: Sendable {
        package var object: String
        package var size: Int
        package var frameCount: Int
        package var postingCount: Int
        /// The names of its references, by numbers.
        package var names: [ReferenceID]

        package init(object: String, size: Int, frameCount: Int, postingCount: Int, names: [ReferenceID]) {
            (self.object, self.size, self.names) = (object, size, names)
            (self.frameCount, self.postingCount) = (frameCount, postingCount)
        }
    }

    package var removed: [ReferenceID]
    package var addition: Addition?
    /// The generation on which the change is based. A removed reference must not be newer, or a reference that another node added would be lost.
    package var base: Int
    /// The node that made the references of files which it holds in an ``IngestStore``: the files end with the change. If it does not hold
    /// all of them, the change is refused. `nil` for references of other origin.
    package var holder: NodeID?

    package init(
        removed: [ReferenceID] = [],
        addition: Addition? = nil,
        base: Int = .max,
        holder: NodeID? = nil
    ) {
        (self.removed, self.addition, self.base, self.holder) = (removed, addition, base, holder)
    }
}

/// Segments that become one. The references stay the same.
package struct SharedMerge: Sendable {
    /// A segment, with the numbers that did not count when its references were copied.
    package struct Source: Sendable {
        package var number: Int
        package var object: String
        package var referenceCount: Int
        package var removed: Set<Int>

        package init(_ segment: SharedSegment) {
            (number, object) = (segment.number, segment.object)
            (referenceCount, removed) = (segment.referenceCount, segment.removed)
        }
    }

    /// The segments that become one: neighbors in the manifest, in its order.
    package var sources: [Source]
    /// The merged segment; `nil` if nothing was left.
    package var merged: SharedChange.Addition?

    package init(sources: [Source], merged: SharedChange.Addition?) { (self.sources, self.merged) = (sources, merged) }

    /// Returns the numbers, in the merged segment, of references that were removed while it was written.
    ///
    /// - Parameter removed: For the number of each source, the numbers of its references that are removed by now.
    package func carried(_ removed: [Int: Set<Int>]) -> Set<Int> {
        var carried: Set<Int> = []
        var next = 0
        for source in sources {
            let late = (removed[source.number] ?? []).subtracting(source.removed)
            for number in 0..<source.referenceCount where !source.removed.contains(number) {
                if late.contains(number) { carried.insert(next) }
                next += 1
            }
        }
        return carried
    }
}
