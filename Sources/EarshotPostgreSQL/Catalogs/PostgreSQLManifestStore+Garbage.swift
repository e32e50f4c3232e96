package import EarshotCore

extension PostgreSQLManifestStore {
    package func garbage(of catalog: String, after seconds: Double) async throws(EarshotError) -> [String] {
        try await pool.write { connection in
            // Commits wait for this lock, so an object cannot become needed while it is marked for removal.
            _ = try Self.lock(catalog, connection)
            try connection.change(
                """
                DELETE FROM catalog_segment
                WHERE catalog = $1 AND dropped <= clock_timestamp() - make_interval(secs => $2)
                """,
                catalog,
                seconds
            )
            return try connection.rows(
                """
                UPDATE catalog_object AS unused SET is_being_removed = true
                WHERE catalog = $1 AND (is_being_removed
                    OR put <= clock_timestamp() - make_interval(secs => $2) AND NOT EXISTS (
                        SELECT FROM catalog_segment AS needed
                        WHERE needed.catalog = unused.catalog AND needed.object = unused.object
                    ))
                RETURNING object
                """,
                catalog,
                seconds
            ).map { try $0.required("object", $0.text) }.sorted()
        }
    }

    package func unknown(_ objects: [String], to catalog: String) async throws(EarshotError) -> [String] {
        try await pool.read { connection in
            try connection.rows(
                """
                SELECT listed.object FROM unnest($2::text[]) WITH ORDINALITY AS listed (object, place)
                WHERE NOT EXISTS (
                    SELECT FROM catalog_object AS known
                    WHERE known.catalog = $1 AND known.object = listed.object COLLATE "C"
                ) AND NOT EXISTS (
                    SELECT FROM catalog_segment AS known
                    WHERE known.catalog = $1 AND known.object = listed.object COLLATE "C"
                )
                ORDER BY listed.place
                """,
                catalog,
                PostgreSQLValue.texts(objects)
            ).map { try $0.required("object", $0.text) }
        }
    }

    package func forget(_ objects: [String], of catalog: String) async throws(EarshotError) {
        _ = try await pool.write { connection in
            try connection.change(
                "DELETE FROM catalog_object WHERE catalog = $1 AND object = ANY($2) AND is_being_removed",
                catalog,
                PostgreSQLValue.texts(objects)
            )
        }
    }
}
