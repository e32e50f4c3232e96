package import ArgumentParser

/// The subcommands of the recognizer, by the groups in which the help shows them.
package enum RecognitionCommands {
    package static var recognition: [any ParsableCommand.Type] {
        [
            IdentifyCommand.self, TracklistCommand.self, CatalogCommand.self, SignatureCommand.self, PlotCommand.self,
            EvaluateCommand.self,
        ]
    }

    package static var live: [any ParsableCommand.Type] {
        [ListenCommand.self, SyncCommand.self, TimedCommand.self, DevicesCommand.self]
    }

    package static var files: [any ParsableCommand.Type] {
        [ProbeCommand.self, ConvertCommand.self, WaveformCommand.self, AnalyzeCommand.self, TimeCommand.self]
    }
}
