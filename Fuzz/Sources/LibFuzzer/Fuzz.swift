internal import CLibFuzzer
internal import Foundation

/// Set once, before libFuzzer starts, and only read after; libFuzzer calls from one thread.
nonisolated(unsafe) private var currentBody: ([UInt8]) -> Void = { _ in }

/// Runs a fuzz target: libFuzzer calls the body with inputs it makes up, until the time given on the command line is over.
///
/// A trap, an error of memory or a body that takes longer than the limit is a failure; libFuzzer then keeps the input.
public func fuzz(_ body: @escaping ([UInt8]) -> Void) -> Never {
    currentBody = body
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(
        LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
            currentBody(Array(UnsafeBufferPointer(start: bytes, count: count)))
            return 0
        }
    )
}
