#if !Library
    package import Earshot
    package import Foundation

    /// The history of a build without one: commands refuse `--history` before they come here.
    package final class HistoryRecorder: Sendable {
        package init(isMicrophone: Bool) {}

        package static func operation(of clip: String) -> String? { clip }
        package static func add(_ play: Play?, of clip: String, at date: Date) async throws {}
        package func take(_ event: SessionEvent, at now: Date) {}
        package func finish() async throws {}
    }
#endif
