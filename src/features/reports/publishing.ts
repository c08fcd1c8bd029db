import type { z } from 'zod'
import { shownContent } from './links/shown'
import { reportLinkStore } from './links/store'
import { scheduleStore } from './schedules/store'
import { publicationStore } from './publication-store'
import {
  auditedReport,
  auditOf,
  editableReport,
  readReport,
  reportsOf,
  saveDraft,
  toReport,
  versionConflict,
  type ReportReadContext,
} from './service'
import type { StoredReport } from './store'
import { commit } from '../../db/commit'
import type { ReadContext } from '../../deps'
import type { RequestContext } from '../../http/request-context'
import { toIso } from '../../lib/iso'
import { ProductError } from '../../shared/errors'
import type { ReportBlock } from '../../shared/reports/blocks'
import { blockItems, blocksOf, blockTokens, tokenMetrics } from '../../shared/reports/report-items'
import type {
  PublishProblem,
  publishReportSchema,
  Report,
  ReportContent,
  ReportPublication,
} from '../../shared/reports/reports'

/** What of a draft is not there, or cannot be read: readers would see a hole. Empty: it can be published. */
export async function publishProblems({ deps, scope }: ReadContext, content: ReportContent): Promise<PublishProblem[]> {
  const blocks = blocksOf(content)
  const known = await reportsOf({ deps, scope }).known({
    ids: [...new Set(blocks.flatMap(blockItems))],
    names: tokenMetrics(blocks),
  })
  return blocks.flatMap((block) => [
    ...(blockItems(block).every((id) => known.ids.has(id)) ? [] : [{ block: block.id, message: goneText(block) }]),
    ...blockTokens(block).flatMap((token): PublishProblem[] => {
      if (token.kind === 'unknown') return [{ block: block.id, message: `Unknown token: ${token.raw}` }]
      if (token.kind === 'date' || known.names.has(token.metric)) return []
      return [{ block: block.id, message: `Metric not found: ${token.raw}` }]
    }),
  ])
}

const GONE_TEXTS: Partial<Record<ReportBlock['kind'], string>> = {
  kpis: 'A key figure is no longer available. Remove it or choose another.',
  insight: 'Insight not found. Remove the block or choose another.',
  metric: 'Metric not found. Remove the block or choose another.',
  forecast: 'Forecast not found. Remove the block or choose another.',
  statement: 'Data source not found. Remove the block or choose another.',
  observation: 'The observed figure is no longer available. Choose another.',
}
const goneText = ({ kind }: ReportBlock): string => GONE_TEXTS[kind] ?? 'Not found.'

/**
 * Readers see the draft from now on.
 * @throws ProductError `invalid_input` with `problems` for what it names and is not there; `version_conflict`
 */
export async function publishReport(
  context: RequestContext,
  { id, input: { version, note } }: { id: string; input: z.output<typeof publishReportSchema> },
): Promise<Report> {
  const { deps, scope } = context
  const before = await editableReport(context, id)
  if (before.version !== version) throw await versionConflict(context, id)
  const problems = await publishProblems(context, before.draft)
  const [first] = problems
  if (first) throw new ProductError('invalid_input', { fields: { content: first.message }, problems })
  const now = deps.clock.now()
  const next: StoredReport = {
    ...{ ...before, published: before.draft, changed: false, publication: before.publication + 1 },
    ...{ status: before.status === 'archived' ? 'archived' : 'published', version: version + 1 },
    ...{ publishedAt: toIso(now), updatedAt: toIso(now) },
  }
  const publications = publicationStore(deps.db, scope)
  const report = await toReport(context, next)
  const shown = await shownContent(context, before.draft)
  await commit(deps, {
    change: [
      publications.publish(id, { version, now }),
      ...publications.record(id, { note, now }),
      ...reportsOf(context).saveItems(id, [before.draft]),
      // Who publishes says what their own links show, and their schedules.
      reportLinkStore(deps.db, scope).confirmOwn(id, shown),
      scheduleStore(deps.db, scope).confirmOwn({ report: id, owner: scope.actorId }, shown),
    ],
    audit: [
      auditOf(context, { action: 'report.publish', id, before: auditedReport(before), after: auditedReport(next) }),
    ],
    reply: context.reply(report),
    expect: { onMissed: () => versionConflict(context, id) },
  })
  return report
}

/** What was published of a report, the newest first. */
export async function listPublications(context: ReportReadContext, id: string): Promise<ReportPublication[]> {
  await readReport(context, id)
  return publicationStore(context.deps.db, context.scope).list(id)
}

/**
 * Makes a publication the draft again; readers see nothing of it until it is published.
 * @throws ProductError `not_found` for one that is not kept
 */
export async function restorePublication(
  context: RequestContext,
  { id, n, version }: { id: string; n: number; version: number },
): Promise<Report> {
  const before = await editableReport(context, id)
  if (before.version !== version) throw await versionConflict(context, id)
  const content = await publicationStore(context.deps.db, context.scope).content(id, n)
  if (!content) throw new ProductError('not_found')
  return saveDraft(context, before, { name: before.name, description: before.description, content })
}
