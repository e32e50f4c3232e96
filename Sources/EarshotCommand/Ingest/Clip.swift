import Earshot
import Foundation

/// A recording named on the command line.
enum Clip {
    /// The address of an argument: `-` is standard input, what has a scheme is an address, anything else a path.
    static func url(_ argument: String) -> URL {
        if argument == "-" { return URL(string: "pipe:0") ?? URL(fileURLWithPath: "/dev/stdin") }
        if argument.contains("://") || argument.hasPrefix("pipe:"), let url = URL(string: argument) { return url }
        return URL(fileURLWithPath: argument)
    }

    /// The signature of a clip: read if it is one, made if it is audio.
    static func signature(_ argument: String, range: Range<MediaTime>? = nil) async throws -> Signature {
        let url = url(argument)
        if url.pathExtension.lowercased() == "earsig" { return try Signature(contentsOf: url) }
        var options = AssetReader.Options()
        options.range = range
        return try await SignatureGenerator.signature(from: AssetReader(url, options: options))
    }
}
