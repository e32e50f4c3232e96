extension MigrationTable {
    /// All tables of a service. A table comes after those that it refers to.
    package static let all: [MigrationTable] = accounts + pieces + playlog + fingerprints + guide + music

    private static let accounts = [
        MigrationTable(.accounts, "client", "id:t json:t"),
        MigrationTable(.accounts, "client_user", "id:t client:t last_entry:i json:t"),
        MigrationTable(
            .accounts,
            "history",
            "client_user:t id:i date:r kind:t match:t words:t latitude:r longitude:r accuracy:r",
            key: 2
        ), MigrationTable(.accounts, "usage", "day:t subject:t count:i", key: 2),
        MigrationTable(.accounts, "owner", "kind:t id:t client:t", key: 2),
        MigrationTable(.accounts, "value", "name:t bytes:b"),
    ]

    private static let pieces = [
        MigrationTable(
            .pieces,
            "piece",
            """
            pk:i id:t author:t state:t visibility:t begun:r published:r number:i words:t tempo:r length:i parents:t json:t \
            quoting:i findings:b
            """,
            batch: 500
        ), MigrationTable(.pieces, "piece_parent", "piece:i place:i parent:i", key: 2),
        MigrationTable(.pieces, "piece_part", "id:t piece:i place:i json:t"),
        MigrationTable(.pieces, "piece_discarded", "part:t piece:t due:r"),
        MigrationTable(.pieces, "piece_author", "id:t key:t name:t password:b created:r"),
        MigrationTable(.pieces, "piece_author_user", "id:t author:t"),
        MigrationTable(.pieces, "piece_application", "id:t json:t"),
        MigrationTable(
            .pieces,
            "piece_login_code",
            "digest:b client:t author:t user_code:t challenge:t expires:r refused:i"
        ),
    ]

    private static let playlog = [
        MigrationTable(
            .playlog,
            "play_record",
            "id:t channel:t start:i ended:i played:r reference:t kind:t is_open:i json:t"
        ), MigrationTable(.playlog, "play_gap", "id:t channel:t start:i ended:i json:t"),
        MigrationTable(.playlog, "play_change", "sequence:i ended:i event:t is_gap:i json:t"),
        MigrationTable(.playlog, "play_consumer", "name:t position:i"),
        MigrationTable(.playlog, "play_heard", "channel:t start:i ended:i json:t", key: 2),
        MigrationTable(.playlog, "play_figure", "name:t value:i", isFigures: true),
    ]

    private static let fingerprints = [
        MigrationTable(.fingerprints, "fingerprint_track", "pk:i id:t"),
        // A table of its own, after all tracks: a track may be merged into one with a greater key.
        MigrationTable(.fingerprints, "fingerprint_merge", "pk:i merged:i"),
        MigrationTable(
            .fingerprints,
            "fingerprint",
            "number:i track:i text:t duration:i submitter:b created:r submissions:i",
            batch: 500
        ), MigrationTable(.fingerprints, "fingerprint_link", "track:i recording:t disabled:i", key: 2),
        MigrationTable(.fingerprints, "fingerprint_link_source", "track:i recording:t submitter:b", key: 3),
        MigrationTable(.fingerprints, "fingerprint_metadata_source", "track:i json:b submitter:b", key: 3),
        MigrationTable(.fingerprints, "fingerprint_foreign_source", "track:i value:b submitter:b", key: 3),
        MigrationTable(
            .fingerprints,
            "fingerprint_submission",
            "number:i state:i track:i fingerprint:i json:t",
            batch: 500
        ),
        MigrationTable(.fingerprints, "fingerprint_store", "id:t", isFigures: true),
        MigrationTable(.fingerprints, "fingerprint_figure", "name:t value:i", isFigures: true),
    ]

    private static let guide = [
        MigrationTable(.guide, "guide_work", "pk:i id:t name:t json:t"),
        MigrationTable(.guide, "guide_program", "pk:i id:t name:t json:t"),
        MigrationTable(.guide, "guide_channel", "pk:i id:t tag:t json:t"),
        MigrationTable(.guide, "guide_channel_xmltv", "value:t channel:i", key: 2),
        MigrationTable(.guide, "guide_airing", "channel:i start:i finish:i program:i live:i again:i", key: 2),
    ]

    // In this order, because the search keys of an entity contain names of entities that it refers to, resolved by redirects.
    private static let music = [
        MigrationTable(.music, "music_redirect", "kind:i old:t new:t", key: 2),
        MigrationTable(.music, "music_artist", "key:i id:t json:t", batch: 1_000),
        MigrationTable(.music, "music_album", "key:i id:t json:t", batch: 1_000),
        MigrationTable(.music, "music_track", "key:i id:t json:t", batch: 1_000),
        MigrationTable(.music, "music_lyrics", "key:i id:t json:t", batch: 500),
        MigrationTable(.music, "music_picture", "id:t json:t bytes:b", batch: 16),
        MigrationTable(.music, "music_checkpoint", "name:t value:t"),
        MigrationTable(.music, "music_figure", "name:t value:i", isFigures: true),
    ]
}
