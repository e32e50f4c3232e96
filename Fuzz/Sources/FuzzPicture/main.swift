// Pictures of arbitrary bytes: refused, or brought to the square that was asked for.

import EarshotCore
import EarshotMedia
import Foundation
import LibFuzzer

@Sendable func exercise(_ bytes: [UInt8], _ fitting: PictureFitting) async {
    do throws(EarshotError) {
        let header = try PictureHeader(of: bytes)
        precondition(header.width > 0 && header.height > 0)
        // Large ones take long, and are only more of the same.
        guard header.width <= 2_000, header.height <= 2_000 else { return }
        let made = try PictureHeader(of: try await fitting.png(of: bytes))
        precondition(max(made.width, made.height) == fitting.side)
        precondition(!fitting.hasMargins || made.width == made.height)
    } catch {
        precondition(error.code == .assetUnreadable, "\(error)")
    }
}

fuzz { bytes in
    let choice = Int(bytes.first ?? 0)
    let fitting = PictureFitting(side: 1 + choice % 64, hasMargins: choice % 2 == 0)
    let picture = Array(bytes.dropFirst())
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        await exercise(picture, fitting)
        done.signal()
    }
    done.wait()
}
