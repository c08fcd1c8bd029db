import { hiddenThings, isVisibleSql } from '../identity/access/hidden-things-store'
import type { Database } from '../db/database'
import type { Scope } from '../scope'

interface SourceName {
  /** Of a dataset. */
  id: string
  /** Of its source. */
  name: string
}

/** Asks what the source of each dataset of a workspace is called; `hidden`: what does not exist for who asks. */
export const sourceNameStatement = (
  { d1 }: Pick<Database, 'd1'>,
  { workspaceId }: Scope,
  hidden: Awaited<ReturnType<typeof hiddenThings>>,
): D1PreparedStatement =>
  d1
    .prepare(
      `SELECT d.id, s.name FROM datasets d JOIN data_sources s ON s.id = d.source_id
       WHERE d.workspace_id = ?1 AND s.deleted_at IS NULL AND ${isVisibleSql('s.id', '?2')}`,
    )
    .bind(workspaceId, hidden)

/** The name of each dataset's source, as far as it exists for who asks. */
export async function readSourceNames(db: Database, scope: Scope): Promise<ReadonlyMap<string, string>> {
  const { results } = await sourceNameStatement(db, scope, await hiddenThings(db, scope)).all<SourceName>()
  return new Map(results.map(({ id, name }) => [id, name]))
}
