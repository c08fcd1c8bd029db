import { editionDifferences } from './differences'
import { editionKey, putEditionFile } from './edition-files'
import { editionStore } from './store'
import { readReport, type ReportReadContext } from '../service'
import { auditEntryFactory, commit } from '../../../db/commit'
import type { RequestContext } from '../../../http/request-context'
import { sha256HexSync } from '../../../lib/hash'
import { toIso } from '../../../lib/iso'
import { ProductError } from '../../../shared/errors'
import {
  EDITIONS_MAX,
  type Edition,
  type EditionAudience,
  type EditionDifference,
  type ReportDocument,
} from '../../../shared/reports/editions'

const auditOf = auditEntryFactory('edition')

export async function listEditions(context: ReportReadContext, report: string): Promise<Edition[]> {
  await readReport(context, report)
  return editionStore(context.deps.db, context.scope).list(report)
}

/** @throws ProductError `not_found` also for one whose figures are not for who asks */
async function readEdition(
  context: ReportReadContext,
  at: { report: string; n: number },
): Promise<{ edition: Edition; reportName: string }> {
  const { name } = await readReport(context, at.report)
  const edition = await editionStore(context.deps.db, context.scope).get(at.report, at.n)
  if (!edition) throw new ProductError('not_found')
  return { edition, reportName: name }
}

const audited = ({ id, n, hash, period, audience }: Edition, reportName: string) => ({
  ...{ id, n, hash, period, audience },
  name: `${reportName} (${n})`,
})

/**
 * An edition with its figures, as they were published.
 * @throws Error when the stored document is not the one that was published
 */
export async function openEdition(
  context: ReportReadContext,
  at: { report: string; n: number },
): Promise<{ edition: Edition; document: ReportDocument }> {
  const { edition } = await readEdition(context, at)
  const stored = await context.deps.files.get(editionKey(context.scope.workspaceId, edition.id))
  const text = await stored?.text()
  if (text === undefined || sha256HexSync(text) !== edition.hash)
    throw new Error(`edition ${edition.id} is not as it was published`)
  const document: ReportDocument = JSON.parse(text)
  return { edition, document }
}

/** Every figure that is another in an edition than in the one before it, or in another one. */
export async function compareEditions(
  context: ReportReadContext,
  { report, n, with: other = n - 1 }: { report: string; n: number; with?: number | undefined },
): Promise<EditionDifference[]> {
  const after = await openEdition(context, { report, n })
  if (other === 0) return []
  const before = await openEdition(context, { report, n: other })
  return editionDifferences(before.document, after.document)
}

interface NewEdition {
  report: string
  publication: number
  audience: EditionAudience
  note: string
  /** The report with its figures; its number is not known yet. */
  document: Omit<ReportDocument, 'n'>
}

/**
 * Keeps a report with its figures for good. A second edition of a period is a correction and says what it corrects.
 * @throws ProductError `invalid_input` for a correction without a note; `version_conflict` when the report was published
 * again meanwhile, or somebody else published an edition; `limit_reached`
 */
export async function keepEdition(context: RequestContext, given: NewEdition): Promise<Edition> {
  const { deps, scope, actor } = context
  const store = editionStore(deps.db, scope)
  const { n: last, samePeriod } = await store.last(given.report, given.document.period)
  if (samePeriod && given.note === '')
    throw new ProductError('invalid_input', { fields: { note: 'Enter a note: what does this correction change?' } })
  const document: ReportDocument = { ...given.document, n: last + 1 }
  const text = JSON.stringify(document)
  const edition: Edition & { publication: number } = {
    ...{ id: deps.ids.next('edition'), reportId: given.report, n: last + 1, publication: given.publication },
    ...{ period: document.period, note: given.note, audience: given.audience, hash: sha256HexSync(text) },
    ...{ publishedBy: actor.userId, publishedByName: actor.name, publishedAt: toIso(deps.clock.now()) },
    ...{ dataAsOf: document.dataAsOf, signatures: [] },
  }
  await putEditionFile(deps, { workspaceId: scope.workspaceId, id: edition.id, text })
  const { publication: _made, ...shown } = edition
  try {
    await commit(deps, {
      change: [store.insert(edition)],
      audit: [
        auditOf(context, {
          action: 'edition.publish',
          id: edition.id,
          after: { ...shown, name: document.report.name },
        }),
      ],
      reply: context.reply(shown),
      expect: { onMissed: () => insertConflict(context, given) },
    })
  } catch (error) {
    // Refused: nobody has it. After any other failure it may have been kept: that is looked at a day later.
    if (error instanceof ProductError) await deps.files.delete(editionKey(scope.workspaceId, edition.id))
    throw error
  }
  return shown
}

async function insertConflict(context: RequestContext, { report, publication }: NewEdition): Promise<ProductError> {
  const current = await readReport(context, report)
  const editions = await editionStore(context.deps.db, context.scope).list(report)
  return current.publication === publication && editions.length >= EDITIONS_MAX
    ? new ProductError('limit_reached', { limit: 'editions', used: EDITIONS_MAX, max: EDITIONS_MAX })
    : new ProductError('version_conflict', {}, 'The report was published again. Look at it, then publish the edition.')
}

/** Puts one's name under an edition; once. */
export async function signEdition(context: RequestContext, at: { report: string; n: number }): Promise<Edition> {
  const { deps, scope, actor } = context
  const { edition, reportName } = await readEdition(context, at)
  if (edition.signatures.some(({ userId }) => userId === actor.userId)) return edition
  const now = deps.clock.now()
  const signatures = [...edition.signatures, { userId: actor.userId, name: actor.name, at: toIso(now) }]
  const signed = { ...edition, signatures }
  await commit(deps, {
    change: [editionStore(deps.db, scope).sign(edition.id, now)],
    audit: [auditOf(context, { action: 'edition.sign', id: edition.id, after: audited(edition, reportName) })],
    reply: context.reply(signed),
  })
  return signed
}
