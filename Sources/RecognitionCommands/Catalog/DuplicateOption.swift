public import ArgumentParser
public import Earshot

extension DuplicatePolicy: ExpressibleByArgument {}

/// The option for recordings that are already in the catalog.
struct DuplicateOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "What to do with a recording that is there already, also in another encoding.",
            discussion: """
                keep adds it and says so; skip leaves it out; replace removes the one that is there; fail ends the command; \
                ignore does not look, which saves some time.
                """
        )
    )
    var duplicates = DuplicatePolicy.keep
}
