/// The right to do what only one node may do at a time. It ends by itself, so that a node which dies holds nobody up.
///
/// A holder that stops for longer than the lease lasts, and then goes on, does not know that another one holds it. What a holder writes
/// must therefore be harmless when two do it, or be refused by what it changes: by ``fence``, or by comparing what it read.
package struct Lease: Hashable, Sendable {
    /// The work that it permits: `merge/music`.
    package let name: String
    package let holder: NodeID
    /// A number that is greater with each new holder; of a lease that nobody took for a day it begins again.
    package let fence: Int
    /// The time that was left when the lease was given, in seconds.
    package let seconds: Double

    package init(name: String, holder: NodeID, fence: Int, seconds: Double) {
        (self.name, self.holder, self.fence, self.seconds) = (name, holder, fence, seconds)
    }
}
