import EarshotCore
import EarshotPieces
import Foundation

/// Covers of pictures in any size.
enum CoverPicture {
    static func cover(_ url: URL) async throws -> CoverImage {
        try CoverImage(Data(contentsOf: url))
    }
}
