import ArgumentParser

/// Consent to sending spectrograms, for commands that ask a service about recordings.
package struct SpectrogramOption: ParsableArguments {
    @Flag(
        name: .long,
        help: ArgumentHelp(
            "Send the spectrogram too where the service is in doubt.",
            discussion: "More is found in noise, and speech can be made out of it; audio itself is never sent."
        )
    )
    package var spectrograms = false

    package init() {}
}
