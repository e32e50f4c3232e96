import CKernels

/// A kind of processor that kernels are compiled for.
///
/// All kinds give the same bits; a program asks for the ``best``.
package struct ProcessorKind: Hashable, Sendable {
    /// Those whose code runs on this machine, the slowest first.
    package static let available = (0..<earshot_processor_count()).map(Self.init)
    /// The fastest.
    package static let best = Self(number: earshot_processor_count() - 1)

    /// The number by which kernels know it.
    let number: Int32
}
