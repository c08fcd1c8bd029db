import type { Database } from '../../db/database'
import type { Scope } from '../../scope'
import { ProductError } from '../../shared/errors'

/** A source that is there. @throws ProductError `not_found` */
export async function readSource(
  { d1 }: Database,
  { workspaceId }: Scope,
  id: string,
): Promise<{ id: string; name: string }> {
  const row = await d1
    .prepare('SELECT id, name FROM data_sources WHERE id = ? AND workspace_id = ? AND deleted_at IS NULL')
    .bind(id, workspaceId)
    .first<{ id: string; name: string }>()
  if (!row) throw new ProductError('not_found')
  return row
}
