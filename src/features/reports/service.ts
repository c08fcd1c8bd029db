import type { z } from 'zod'
import { publicationStore } from './publication-store'
import { purgeLinks } from './links/store'
import { editionKey } from './editions/edition-files'
import { purgeableReports, purgeReports, reportStore, type StoredReport } from './store'
import { hasHiddenParts, visibleContent } from './visible-content'
import { auditEntryFactory, commit, rethrowNameTaken } from '../../db/commit'
import type { Deps, ReadContext } from '../../deps'
import { hasFullAccess, type Membership } from '../../scope'
import { decodeCursor } from '../../http/pagination'
import type { RequestContext } from '../../http/request-context'
import { toIso } from '../../lib/iso'
import { ProductError } from '../../shared/errors'
import { copyName, freeName, type ListPage } from '../../shared/field-schemas'
import { DELETED_RETENTION_MS } from '../../shared/limits'
import { blocksOf, blockTokens, tokenMetrics } from '../../shared/reports/report-items'
import { roleMay } from '../../shared/permissions'
import type { ReportKind } from '../../shared/reports/report-kinds'
import {
  REPORTS_MAX,
  type archiveReportSchema,
  type ListReportsQuery,
  type Report,
  type ReportContent,
  type ReportSummary,
  type updateReportSchema,
} from '../../shared/reports/reports'

/** What reading reports takes: also whether drafts are for who asks. */
export type ReportReadContext = ReadContext & { membership: Pick<Membership, 'role'> }

export const reportsOf = ({ deps, scope }: ReadContext) => reportStore(deps.db, scope)
const mayEdit = ({ membership }: ReportReadContext): boolean => roleMay(membership.role, 'edit:report')
export const auditOf = auditEntryFactory('report')

/** What the audit log is told of a report: its content is long, and nobody's business there. */
export const auditedReport = ({ id, kind, name, publication }: StoredReport) => ({ id, kind, name, publication })

export async function listReports(
  context: ReportReadContext,
  { cursor, archived, kind, q = '', showing = '', limit }: ListReportsQuery,
): Promise<ListPage<ReportSummary>> {
  const drafts = mayEdit(context)
  const page = await reportsOf(context).list({
    ...{ q, showing, limit, drafts, kind: kind ?? null, archived: archived === '1' },
    after: decodeCursor(cursor, 'report'),
  })
  return { ...page, items: page.items.map((item) => ({ ...item, changed: item.changed && drafts })) }
}

/** @throws ProductError `not_found` also for a deleted one, and for a draft that nobody but its editors knows of */
export async function readReport(context: ReportReadContext, id: string): Promise<StoredReport> {
  const report = await reportsOf(context).get(id)
  if (!report || report.deletedAt !== null) throw new ProductError('not_found')
  if (report.publication === 0 && !mayEdit(context)) throw new ProductError('not_found')
  return report
}

/** @throws ProductError `not_found`; `forbidden` when it shows something that does not exist for who asks */
export async function editableReport(context: ReportReadContext, id: string): Promise<StoredReport> {
  const report = await readReport(context, id)
  if (await hasHiddenParts(context, report.draft)) throw hiddenPartsError()
  return report
}
const hiddenPartsError = (): ProductError =>
  new ProductError('forbidden', { reason: 'hidden_data' }, 'This report uses data that you don’t have access to.')

/** A report as who asks sees it. */
export async function toReport(context: ReportReadContext, stored: StoredReport): Promise<Report> {
  const { deletedAt: _gone, savedAt: _saved, draft, published, changed, ...rest } = stored
  const isEditor = mayEdit(context) && !(await hasHiddenParts(context, draft))
  return {
    ...rest,
    changed: changed && isEditor,
    draft: isEditor ? draft : null,
    published: published && (await visibleContent(context, published)),
  }
}

export const getReport = async (context: ReportReadContext, id: string): Promise<Report> =>
  toReport(context, await readReport(context, id))

/**
 * What a report shows to who asks.
 * @throws ProductError `not_found`; `forbidden` for the draft of one that they may not edit
 */
export async function contentOf(
  context: ReportReadContext,
  { id, of }: { id: string; of: 'draft' | 'published' },
): Promise<ReportContent> {
  if (of === 'draft') {
    if (!mayEdit(context)) throw new ProductError('forbidden', { permission: 'edit:report' })
    return (await editableReport(context, id)).draft
  }
  const { published } = await readReport(context, id)
  if (!published) throw new ProductError('not_found')
  return visibleContent(context, published)
}

interface NewReport {
  kind: ReportKind
  name: string
  description?: string
  content: ReportContent
  /** The report whose pictures it has, too. */
  copyOf?: string
}
/** @throws ProductError `name_taken`; `limit_reached` when the workspace holds as many as it may */
export async function createReport(
  context: RequestContext,
  { kind, name, description = '', content, copyOf }: NewReport,
): Promise<Report> {
  const { deps, actor } = context
  const now = deps.clock.now()
  const id = deps.ids.next('report')
  const at = toIso(now)
  const made: StoredReport = {
    ...{ id, kind, name, description, ownerId: actor.userId, ownerName: actor.name, status: 'draft', changed: true },
    ...{ version: 1, createdAt: at, updatedAt: at, publishedAt: null, draft: content, published: null, publication: 0 },
    ...{ deletedAt: null, savedAt: now },
  }
  const store = reportsOf(context)
  const pictures =
    copyOf === undefined ? [] : [publicationStore(deps.db, context.scope).copyPictures(copyOf, { to: id, now })]
  const report = await toReport(context, made)
  await rethrowNameTaken(
    'reports.workspace_id',
    commit(deps, {
      change: [store.insert(made), ...store.saveItems(id, [content]), ...pictures],
      audit: [auditOf(context, { action: 'report.create', id, after: auditedReport(made) })],
      reply: context.reply(report),
      expect: { onMissed: () => limitReached(context) },
    }),
  )
  return report
}

async function limitReached(context: RequestContext): Promise<ProductError> {
  const used = await reportsOf(context).count()
  const message = `A workspace has up to ${REPORTS_MAX} reports. Delete one that is not needed.`
  return new ProductError('limit_reached', { limit: 'reports', used, max: REPORTS_MAX }, message)
}

/** A draft is saved again and again while somebody writes: the log has one line for so long. */
const AUDIT_PAUSE_MS = 10 * 60 * 1000

/**
 * Saves the draft; readers see what was published before.
 * @throws ProductError `version_conflict` with the stored report as `current`, `name_taken`, `forbidden`, `invalid_input`
 */
export async function updateReport(
  context: RequestContext,
  { id, input }: { id: string; input: z.output<typeof updateReportSchema> },
): Promise<Report> {
  const before = await editableReport(context, id)
  if (before.version !== input.version) throw await versionConflict(context, id)
  const { name, description, content } = input
  await assertKnownNames(context, content)
  return saveDraft(context, before, { name, description, content })
}

/** For who does not see everything: that a name in a text is of a hidden metric is not told, nor that it is of none. */
async function assertKnownNames(context: ReportReadContext, content: ReportContent): Promise<void> {
  if (hasFullAccess(context.scope)) return
  const blocks = blocksOf(content)
  const { names } = await reportsOf(context).known({ ids: [], names: tokenMetrics(blocks) })
  const unknown = blocks.flatMap(blockTokens).find((token) => token.kind === 'figure' && !names.has(token.metric))
  if (unknown) throw new ProductError('invalid_input', { fields: { content: `Metric not found: ${unknown.raw}` } })
}

export async function saveDraft(
  context: RequestContext,
  before: StoredReport,
  { name, description, content }: Pick<z.output<typeof updateReportSchema>, 'name' | 'description' | 'content'>,
): Promise<Report> {
  const { deps } = context
  const { id, version } = before
  if (await hasHiddenParts(context, content)) throw hiddenPartsError()
  const now = deps.clock.now()
  const next: StoredReport = {
    ...{ ...before, name, description, draft: content, version: version + 1, updatedAt: toIso(now) },
    changed: JSON.stringify(content) !== JSON.stringify(before.published),
  }
  const isTold = name !== before.name || now - before.savedAt >= AUDIT_PAUSE_MS || version === 1
  const told = auditOf(context, {
    ...{ action: 'report.update', id, before: auditedReport(before), after: auditedReport(next) },
  })
  const store = reportsOf(context)
  const report = await toReport(context, next)
  await rethrowNameTaken(
    'reports.workspace_id',
    commit(deps, {
      change: [
        store.saveDraft(id, { name, description, content }, { version, now }),
        ...store.saveItems(id, [content, before.published]),
      ],
      audit: isTold ? [told] : [],
      reply: context.reply(report),
      expect: { onMissed: () => versionConflict(context, id) },
    }),
  )
  return report
}

export const versionConflict = async (context: ReportReadContext, id: string): Promise<ProductError> =>
  new ProductError('version_conflict', { current: await getReport(context, id) })

/** Goes to "Recently deleted" for 30 days; its name is free again at once. */
export async function deleteReport(
  context: RequestContext,
  { id, version }: { id: string; version: number },
): Promise<Report> {
  const before = await readReport(context, id)
  if (before.version !== version) throw await versionConflict(context, id)
  const now = context.deps.clock.now()
  const gone = await toReport(context, { ...before, version: version + 1 })
  await commit(context.deps, {
    change: [reportsOf(context).remove(id, { version, now })],
    audit: [auditOf(context, { action: 'report.delete', id, before: auditedReport(before) })],
    reply: context.reply(gone),
    expect: { onMissed: () => versionConflict(context, id) },
  })
  return gone
}

/** @throws ProductError `not_found` after 30 days, `name_taken` when the name has been given away, `limit_reached` */
export async function restoreReport(context: RequestContext, id: string): Promise<Report> {
  const { deps } = context
  const since = deps.clock.now() - DELETED_RETENTION_MS
  const before = await reportsOf(context).get(id)
  if (!before) throw new ProductError('not_found')
  if (before.deletedAt === null) return toReport(context, before)
  if (before.deletedAt <= since) throw new ProductError('not_found')
  const back: StoredReport = { ...before, version: before.version + 1, deletedAt: null }
  const report = await toReport(context, back)
  await rethrowNameTaken(
    'reports.workspace_id',
    commit(deps, {
      change: [reportsOf(context).restore(id, { since })],
      audit: [auditOf(context, { action: 'report.restore', id, after: auditedReport(back) })],
      reply: context.reply(report),
      expect: { onMissed: () => limitReached(context) },
    }),
  )
  return report
}

/** Puts a report away, or takes it out again. Whoever has its address can still read it. */
export async function archiveReport(
  context: RequestContext,
  { id, input: { version, archived } }: { id: string; input: z.output<typeof archiveReportSchema> },
): Promise<Report> {
  const { deps } = context
  const before = await readReport(context, id)
  if (before.version !== version) throw await versionConflict(context, id)
  const status = archived ? 'archived' : before.publication > 0 ? 'published' : 'draft'
  const next: StoredReport = { ...before, status, version: version + 1 }
  const report = await toReport(context, next)
  await commit(deps, {
    change: [reportsOf(context).setArchived(id, archived, { version, now: deps.clock.now() })],
    audit: [
      auditOf(context, { action: archived ? 'report.archive' : 'report.unarchive', id, after: auditedReport(next) }),
    ],
    reply: context.reply(report),
    expect: { onMissed: () => versionConflict(context, id) },
  })
  return report
}

/** The same draft under another name, as a report of the person's own. */
export async function duplicateReport(context: RequestContext, id: string): Promise<Report> {
  const { kind, name, description, draft } = await editableReport(context, id)
  const copy = copyName(name, await reportsOf(context).takenNames())
  return createReport(context, { kind, name: copy, description, content: draft, copyOf: id })
}

const KIND_TAILS: Record<ReportKind, string> = { interactive: ' interactive', legacy: ' legacy' }
/** A copy of the other kind. */
export async function convertReport(context: RequestContext, id: string): Promise<Report> {
  const { kind: from, name, description, draft } = await editableReport(context, id)
  const kind = from === 'interactive' ? 'legacy' : 'interactive'
  const copy = freeName(name, KIND_TAILS[kind], await reportsOf(context).takenNames())
  return createReport(context, { kind, name: copy, description, content: draft, copyOf: id })
}

const PURGE_BATCH_MAX = 500
/** How long a link that expired is told of. */
const LINKS_KEPT_MS = 90 * 24 * 60 * 60 * 1000
/** Of the store of files: keys that one call removes. */
const FILES_AT_ONCE = 1000
/** Removes reports that were deleted 30 days ago: nobody can restore them any more. */
export async function sweepReports({ db, clock, files }: Pick<Deps, 'db' | 'clock' | 'files'>): Promise<void> {
  await purgeLinks(db, { before: clock.now() - LINKS_KEPT_MS, max: PURGE_BATCH_MAX })
  const { ids, editions } = await purgeableReports(db, {
    before: clock.now() - DELETED_RETENTION_MS,
    max: PURGE_BATCH_MAX,
  })
  if (ids.length === 0) return
  // The files first: a row without its file is tried again, a file without a row would stay for ever.
  for (let at = 0; at < editions.length; at += FILES_AT_ONCE)
    await files.delete(editions.slice(at, at + FILES_AT_ONCE).map(({ id, workspaceId }) => editionKey(workspaceId, id)))
  await purgeReports(db, ids)
}
