import type { Scope } from '../../scope'
import type { Database } from '../../db/database'
import { toIso } from '../../lib/iso'
import { foldText } from '../../shared/bot/fold-text'
import { TERMS_MAX, VERIFIED_ANSWERS_MAX, type BotTerm, type VerifiedAnswer } from '../../shared/bot/knowledge'
import { nameKey } from '../../shared/field-schemas'

type TermRow = Omit<BotTerm, 'synonyms' | 'measure' | 'filters' | 'updatedAt'> & {
  synonyms: string
  measure: string | null
  filters: string
  updatedAt: number
}
/** Our own writing, read back. */
function toTerm(row: TermRow): BotTerm {
  const parsed: Pick<BotTerm, 'synonyms' | 'measure' | 'filters'> = {
    synonyms: JSON.parse(row.synonyms),
    measure: row.measure === null ? null : JSON.parse(row.measure),
    filters: JSON.parse(row.filters),
  }
  return { ...row, ...parsed, updatedAt: toIso(row.updatedAt) }
}
const SELECT_TERMS = `SELECT t.id, t.term, t.synonyms, t.definition, t.means, t.measure, t.filters, u.name AS updatedByName,
    t.version, t.updated_at AS updatedAt FROM bot_terms t JOIN users u ON u.id = t.updated_by WHERE t.workspace_id = ?1`

/** The words of one workspace, whoever asks: what of them names hidden things is left out above. Writes are statements for `commit`. */
export const termStore = ({ d1 }: Database, { workspaceId, actorId }: Scope) => ({
  async list(): Promise<BotTerm[]> {
    const { results } = await d1.prepare(`${SELECT_TERMS} ORDER BY t.term_key`).bind(workspaceId).all<TermRow>()
    return results.map(toTerm)
  },

  async get(id: string): Promise<BotTerm | null> {
    const row = await d1.prepare(`${SELECT_TERMS} AND t.id = ?2`).bind(workspaceId, id).first<TermRow>()
    return row && toTerm(row)
  },

  /** Inserts no row when there are as many as there may be. */
  insert: (term: BotTerm, now: number): D1PreparedStatement =>
    d1
      .prepare(
        `INSERT INTO bot_terms (id, workspace_id, term, term_key, synonyms, definition, means, measure, filters, updated_by, updated_at)
         SELECT ?2, ?1, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11
         WHERE (SELECT count(*) FROM bot_terms WHERE workspace_id = ?1) < ${TERMS_MAX}`,
      )
      .bind(workspaceId, term.id, ...termValues(term), actorId, now),

  /** Changes no row when another version is stored. */
  update: (term: BotTerm, at: { version: number; now: number }): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE bot_terms SET term = ?3, term_key = ?4, synonyms = ?5, definition = ?6, means = ?7, measure = ?8, filters = ?9,
           updated_by = ?10, updated_at = ?11, version = version + 1
         WHERE workspace_id = ?1 AND id = ?2 AND version = ?12`,
      )
      .bind(workspaceId, term.id, ...termValues(term), actorId, at.now, at.version),

  remove: (id: string, version: number): D1PreparedStatement =>
    d1
      .prepare('DELETE FROM bot_terms WHERE workspace_id = ? AND id = ? AND version = ?')
      .bind(workspaceId, id, version),
})

const termValues = ({ term, synonyms, definition, means, measure, filters }: BotTerm): (string | null)[] => [
  ...[term, nameKey(term), JSON.stringify(synonyms), definition, means],
  ...[measure && JSON.stringify(measure), JSON.stringify(filters)],
]

/** A verified answer as it is kept. */
export type StoredVerified = Omit<VerifiedAnswer, 'stale'> & { hash: string }
type VerifiedRow = Omit<StoredVerified, 'plan' | 'viz' | 'shown' | 'verifiedAt'> & {
  plan: string
  viz: string
  shown: string | null
  verifiedAt: number
}
/** Our own writing, read back. */
function toVerified({ plan, viz, shown, verifiedAt, ...row }: VerifiedRow): StoredVerified {
  const parsed: Pick<StoredVerified, 'plan' | 'viz'> = { plan: JSON.parse(plan), viz: JSON.parse(viz) }
  const only: string[] | undefined = shown === null ? undefined : JSON.parse(shown)
  return { ...row, ...parsed, ...(only ? { shown: only } : {}), verifiedAt: toIso(verifiedAt) }
}
const SELECT_VERIFIED = `SELECT v.id, v.question, v.plan, v.viz, v.shown, v.hash, u.name AS verifiedByName,
    v.verified_at AS verifiedAt, v.version
  FROM bot_verified v JOIN users u ON u.id = v.verified_by WHERE v.workspace_id = ?1`

/** Wordings of one workspace that are bound to plans. Writes are statements for `commit`. */
export const verifiedStore = ({ d1 }: Database, { workspaceId, actorId }: Scope) => ({
  async list(): Promise<StoredVerified[]> {
    const { results } = await d1
      .prepare(`${SELECT_VERIFIED} ORDER BY v.question_key`)
      .bind(workspaceId)
      .all<VerifiedRow>()
    return results.map(toVerified)
  },

  async get(id: string): Promise<StoredVerified | null> {
    const row = await d1.prepare(`${SELECT_VERIFIED} AND v.id = ?2`).bind(workspaceId, id).first<VerifiedRow>()
    return row && toVerified(row)
  },

  /** Inserts no row when there are as many as there may be. A wording is bound once: the second fails on its index. */
  insert: (answer: StoredVerified, now: number): D1PreparedStatement =>
    d1
      .prepare(
        `INSERT INTO bot_verified (id, workspace_id, question, question_key, plan, viz, shown, hash, verified_by, verified_at)
         SELECT ?2, ?1, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10
         WHERE (SELECT count(*) FROM bot_verified WHERE workspace_id = ?1) < ${VERIFIED_ANSWERS_MAX}`,
      )
      .bind(workspaceId, answer.id, ...verifiedValues(answer), actorId, now),

  /** Changes no row when another version is stored. */
  update: (answer: StoredVerified, at: { version: number; now: number }): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE bot_verified SET question = ?3, question_key = ?4, plan = ?5, viz = ?6, shown = ?7, hash = ?8, verified_by = ?9,
           verified_at = ?10, version = version + 1
         WHERE workspace_id = ?1 AND id = ?2 AND version = ?11`,
      )
      .bind(workspaceId, answer.id, ...verifiedValues(answer), actorId, at.now, at.version),

  remove: (id: string, version: number): D1PreparedStatement =>
    d1
      .prepare('DELETE FROM bot_verified WHERE workspace_id = ? AND id = ? AND version = ?')
      .bind(workspaceId, id, version),
})

const verifiedValues = ({ question, plan, viz, shown, hash }: StoredVerified): (string | null)[] => [
  ...[question, foldText(question), JSON.stringify(plan), JSON.stringify(viz)],
  ...[shown ? JSON.stringify(shown) : null, hash],
]
