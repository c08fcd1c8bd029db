import type { Database } from './database'
import { auditDetails } from './audit-details'
import { sha256Hex } from '../lib/hash'
import { ProductError } from '../shared/errors'
import type { Clock, Ids } from '../shared/ids'

/** One line of the audit log: who did what to which thing. Hashes are of the JSON before and after. */
export interface AuditEntry {
  workspaceId: string | null
  actorId: string | null
  action: string
  entity: string
  entityId: string
  before?: unknown
  after?: unknown
  /** Id of the other person it is about. */
  otherId?: string
  country?: string | null
}

/** Something that must follow a change exactly once per key: mail, findings, cleaning. */
export interface OutboxEntry {
  workspaceId: string | null
  kind: string
  /** Delivered at least once, acted on once. */
  key: string
  payload: unknown
  /** Epoch ms before which nothing is done about it; absent: at once. */
  dueAt?: number
}

/** The answer to store under an idempotency key, in the same batch as the change. */
export interface StoredReply {
  key: string
  scope: string
  bodyHash: string
  status: number
  body: unknown
}

export interface Commit {
  /** The statements of the change, in order. */
  change: D1PreparedStatement[]
  audit?: AuditEntry[]
  outbox?: OutboxEntry[]
  reply?: StoredReply | null
  /** How many rows the first statement must change; fewer throws `onMissed` and nothing else is written. */
  expect?: { onMissed: () => Promise<ProductError> | ProductError }
}

export interface CommitDeps {
  db: Database
  clock: Clock
  ids: Ids
  /** Told once outbox rows are written. */
  onOutbox?: () => void
  /** Told what was written, in the words of the audit log. */
  onCommit?: (audit: readonly AuditEntry[]) => void
}

/**
 * Writes a change, its audit lines, its outbox rows and its idempotent reply in one atomic batch.
 *
 * With `expect`, the first statement is a conditional write (a limit, a version): when it changed no row, every
 * following statement of the batch is skipped too, because each is guarded by the same condition.
 * @throws ProductError what `expect.onMissed` says.
 */
export async function commit(deps: CommitDeps, write: Commit): Promise<D1Result[]> {
  const { d1 } = deps.db
  const now = deps.clock.now()
  const guard = deps.ids.token(16)
  const conditional = write.expect !== undefined
  const statements: D1PreparedStatement[] = []
  const [first, ...rest] = write.change
  // The reply goes first: of two equal calls at once, the second fails on its key before anything else is tried.
  const leading = write.reply ? [replyStatement(deps, write.reply, now)] : []
  statements.push(...leading)
  if (first) statements.push(first)
  // A conditional first statement that changed nothing makes this insert violate its CHECK: the batch rolls back.
  if (conditional)
    statements.push(d1.prepare('INSERT INTO commit_guard (id, changed) VALUES (?, changes())').bind(guard))
  statements.push(...rest)
  for (const entry of write.audit ?? []) statements.push(await auditStatement(deps, entry, now))
  for (const entry of write.outbox ?? []) {
    statements.push(
      d1
        .prepare(
          `INSERT INTO outbox (id, workspace_id, kind, key, payload, created_at, next_attempt_at) VALUES (?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (key) DO NOTHING`,
        )
        .bind(
          ...[deps.ids.next('outbox'), entry.workspaceId, entry.kind, entry.key, JSON.stringify(entry.payload), now],
          entry.dueAt ?? 0,
        ),
    )
  }
  if (conditional) statements.push(d1.prepare('DELETE FROM commit_guard WHERE id = ?').bind(guard))
  // Nothing to change and no answer to keep: the database takes no empty batch.
  if (statements.length === 0) return []
  try {
    const results = await d1.batch(statements)
    if (write.outbox && write.outbox.length > 0) deps.onOutbox?.()
    if (write.audit && write.audit.length > 0) deps.onCommit?.(write.audit)
    return results.slice(leading.length)
  } catch (error) {
    if (write.reply && isDuplicateKeyError(error))
      throw new DuplicateCallError('The same call was written before.', { cause: error })
    if (write.expect && isGuardFailure(error)) throw await write.expect.onMissed()
    throw error
  }
}

/**
 * As {@link commit}, where the first statement may change no row because somebody else was first.
 * @returns false when it did not: nothing is written then
 */
export async function tryCommit(deps: CommitDeps, write: Omit<Commit, 'expect'>): Promise<boolean> {
  const missed = new ProductError('busy')
  try {
    await commit(deps, { ...write, expect: { onMissed: () => missed } })
    return true
  } catch (error) {
    if (error === missed) return false
    throw error
  }
}

/** The same call (by its idempotency key) was written by another request: its stored answer is the answer. */
export class DuplicateCallError extends Error {}

const isDuplicateKeyError = (error: unknown): boolean =>
  error instanceof Error && /UNIQUE constraint failed: idempotency\./.test(error.message)

function replyStatement(deps: CommitDeps, reply: StoredReply, now: number): D1PreparedStatement {
  const { key, scope, bodyHash, status, body } = reply
  return deps.db.d1
    .prepare('INSERT INTO idempotency (scope, key, body_hash, status, body, created_at) VALUES (?, ?, ?, ?, ?, ?)')
    .bind(scope, key, bodyHash, status, JSON.stringify(body), now)
}

/** What was stored under a key before. */
export const findStoredReply = (
  { d1 }: Database,
  { scope, key }: Pick<StoredReply, 'scope' | 'key'>,
): Promise<{ body_hash: string; status: number; body: string } | null> =>
  d1
    .prepare('SELECT body_hash, status, body FROM idempotency WHERE scope = ? AND key = ?')
    .bind(scope, key)
    .first<{ body_hash: string; status: number; body: string }>()

const isGuardFailure = (error: unknown): boolean =>
  error instanceof Error && /CHECK constraint failed/.test(error.message) && error.message.includes('changed')

/** One line of the audit log as a statement; for reads that must be logged, beside which nothing is written. */
export async function auditStatement(deps: CommitDeps, entry: AuditEntry, now: number): Promise<D1PreparedStatement> {
  return deps.db.d1
    .prepare(
      'INSERT INTO audit (id, workspace_id, actor_id, action, entity, entity_id, before_hash, after_hash, details, country, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    )
    .bind(
      deps.ids.next('audit'),
      entry.workspaceId,
      entry.actorId,
      entry.action,
      entry.entity,
      entry.entityId,
      await jsonHash(entry.before),
      await jsonHash(entry.after),
      details(entry),
      entry.country ?? null,
      now,
    )
}

const details = ({ otherId, ...entry }: AuditEntry): string | null =>
  otherId === undefined ? auditDetails(entry) : JSON.stringify({ otherId })

const jsonHash = async (value: unknown): Promise<string | null> =>
  value === undefined ? null : sha256Hex(JSON.stringify(value))

export interface AuditedChange {
  action: string
  id: string
  before?: unknown
  after?: unknown
}

/** Makes the audit lines of one kind of thing: who wrote is who asks. */
export const auditEntryFactory =
  (entity: string) =>
  (
    { scope: { workspaceId, actorId } }: { scope: { workspaceId: string; actorId: string } },
    { action, id, before, after }: AuditedChange,
  ): AuditEntry => ({ workspaceId, actorId, action, entity, entityId: id, before, after })

/**
 * The outcome of a write, in which a second row of the same name breaks the unique index that begins with `unique`
 * (`table.column`).
 * @throws ProductError `name_taken`
 */
export async function rethrowNameTaken<T>(unique: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error && error.message.includes(`UNIQUE constraint failed: ${unique}`))
      throw new ProductError('name_taken', {}, undefined, { cause: error })
    throw error
  }
}
