import type { Scope } from '../scope'
import type { Database } from '../db/database'
import { accountRangesSchema, BAS_RANGES, type AccountClasses } from '../shared/account-classes'

/** What the accounts of the workspace's ledgers mean: the BAS chart, or what the workspace made of it. */
export async function readAccountClasses({ d1 }: Database, { workspaceId }: Scope): Promise<AccountClasses> {
  const row = await d1
    .prepare('SELECT ranges, version FROM account_classes WHERE workspace_id = ?')
    .bind(workspaceId)
    .first<{ ranges: string | null; version: number }>()
  const adjusted = row !== null && row.ranges !== null
  return {
    ranges: adjusted ? accountRangesSchema.parse(JSON.parse(row.ranges ?? '[]')) : [...BAS_RANGES],
    adjusted,
    version: row?.version ?? 0,
  }
}
