import { passcodeInput } from './passcode'
import { reportLinkStore, toReportLink, type ListedLink } from './store'
import { isChanged, shownContent } from './shown'
import { readReport, type ReportReadContext } from '../service'
import { visibleContent } from '../visible-content'
import { editionStore } from '../editions/store'
import { readPolicy } from '../../../identity/access/access-store'
import { auditEntryFactory, commit } from '../../../db/commit'
import type { RequestContext } from '../../../http/request-context'
import { canonicalJson, sha256Hex } from '../../../lib/hash'
import { toIso } from '../../../lib/iso'
import { ProductError } from '../../../shared/errors'
import { roleMay } from '../../../shared/permissions'
import {
  LINKS_PER_REPORT_MAX,
  LINK_TOKEN_BYTES,
  type CreatedLink,
  type createLinkSchema,
  type LinkFilter,
  type LinkState,
  type LinkTerms,
  type ReportLink,
} from '../../../shared/reports/links'
import type { ReportContent } from '../../../shared/reports/reports'
import type { z } from 'zod'
import { liveSharers } from './live-sharers'

type CreateLink = z.output<typeof createLinkSchema>
const DAY_MS = 24 * 60 * 60 * 1000
const auditOf = auditEntryFactory('reportLink')
const audited = ({ id, reportId, reportName, name, expiresAt, passcode, download, origins, edition }: ReportLink) => ({
  ...{ id, reportId, name: name === '' ? reportName : `${reportName} (${name})` },
  ...{ expiresAt, passcode, download, origins, edition },
})

/** Links to a report, or to all of the workspace. */
export async function listLinks(context: ReportReadContext, report: string | null): Promise<ReportLink[]> {
  const stored = report === null ? null : await readReport(context, report)
  const links = await reportLinkStore(context.deps.db, context.scope).list(report)
  const [stateOf, changed] = await Promise.all([
    states(context, links),
    changedLinks(context, links, stored?.published),
  ])
  return links.map((link) => toReportLink(link, { state: stateOf(link), changed: changed.has(link.id) }))
}

/** Links of one report behind which something else is now than their makers shared. */
async function changedLinks(
  context: ReportReadContext,
  links: readonly ListedLink[],
  published: ReportContent | null | undefined,
): Promise<Set<string>> {
  const { db, clock } = context.deps
  const isOpen = ({ endedAt, expiresAt, terms }: ListedLink): boolean =>
    endedAt === null && expiresAt > clock.now() && terms.edition === null
  const open = links.filter(isOpen)
  if (!published || open.length === 0) return new Set()
  if ((await readPolicy(db, context.scope.workspaceId)).epoch === 0) return new Set()
  const now = await shownContent(context, published)
  return new Set(open.flatMap(({ id, content }) => (isChanged(published, content, now) ? [id] : [])))
}

async function states(
  { deps, scope }: ReportReadContext,
  links: readonly ListedLink[],
): Promise<(link: ListedLink) => LinkState> {
  const now = deps.clock.now()
  const open = links.filter(({ endedAt, expiresAt }) => endedAt === null && expiresAt > now)
  const live = await liveSharers(deps, {
    workspaceId: scope.workspaceId,
    users: open.map(({ createdBy }) => createdBy),
  })
  return ({ endedAt, expiresAt, createdBy, isShown }) => {
    if (endedAt !== null) return 'ended'
    if (expiresAt <= now) return 'expired'
    return isShown && live.has(createdBy) ? 'live' : 'paused'
  }
}

/**
 * Makes a link to what readers see of a report, as who asks sees it.
 * @throws ProductError `not_found` for filters that the report does not have and editions that who asks may not open;
 * `invalid_input`, `limit_reached`
 */
export async function createLink(
  context: RequestContext,
  { report: reportId, input }: { report: string; input: CreateLink },
): Promise<CreatedLink> {
  const { deps, scope, actor } = context
  const report = await readReport(context, reportId)
  if (!report.published || report.status !== 'published')
    throw new ProductError('invalid_input', { fields: { '': 'Publish the report to share it.' } })
  const terms = await termsOf(context, input, { ...report, published: report.published })
  const now = deps.clock.now()
  const id = deps.ids.next('shareLink')
  const token = deps.ids.token(LINK_TOKEN_BYTES)
  const { passcode } = input
  const passcodeHash = passcode === null ? null : await deps.passwords.hash(passcodeInput(id, passcode))
  const { workspaceId: _w, actorId: _a, epoch: _e, client: _c, ...rights } = scope.wire()
  const expiresAt = now + input.days * DAY_MS
  const made: ReportLink = {
    ...{ id, reportId, reportName: report.name, reportKind: report.kind, name: input.name },
    ...{ createdBy: actor.userId, createdByName: actor.name, createdAt: toIso(now), expiresAt: toIso(expiresAt) },
    ...{ endedAt: null, state: 'live', changed: false, views: 0, lastViewedAt: null, passcode: passcode !== null },
    ...{ download: terms.download, origins: terms.origins, edition: terms.edition },
    narrowed: terms.filters.some(({ filter }) => filter !== null),
  }
  const store = reportLinkStore(deps.db, scope)
  // No answer is kept for the same call again: it holds the token.
  await commit(deps, {
    change: [
      store.insert({
        ...{ id, reportId, name: input.name, tokenHash: await sha256Hex(token), passcodeHash, terms, rights, now },
        shown: terms.edition === null ? await shownContent(context, report.published) : null,
        expiresAt,
      }),
    ],
    audit: [auditOf(context, { action: 'reportLink.create', id, after: audited(made) })],
    expect: { onMissed: () => limitReached },
  })
  return { ...made, token }
}
const limitReached = new ProductError(
  'limit_reached',
  { limit: 'reportLinks', used: LINKS_PER_REPORT_MAX, max: LINKS_PER_REPORT_MAX },
  `A report has up to ${LINKS_PER_REPORT_MAX} links. Revoke one that is not needed.`,
)

async function termsOf(
  context: RequestContext,
  { edition, period, periodOpen, filters, download, origins }: CreateLink,
  report: { id: string; kind: string; published: ReportContent },
): Promise<LinkTerms> {
  const rest = { download, origins }
  if (report.kind === 'legacy') {
    if (edition === null) throw new ProductError('invalid_input', { fields: { edition: 'Choose an edition.' } })
    if (!(await editionStore(context.deps.db, context.scope).get(report.id, edition)))
      throw new ProductError('not_found')
    // Its figures are frozen, with their period and filters.
    if (period !== null || periodOpen || filters.length > 0) throw new ProductError('not_found')
    return { edition, period: null, periodOpen: false, filters: [], ...rest }
  }
  if (edition !== null) throw new ProductError('not_found')
  const content = await visibleContent(context, report.published)
  assertOfReport(filters, content)
  return { edition, period, periodOpen, filters, ...rest }
}

/** @throws ProductError `not_found` for a filter that the report does not have, or by another column than its own */
function assertOfReport(filters: readonly LinkFilter[], content: ReportContent): void {
  if (new Set(filters.map(({ id }) => id)).size !== filters.length) throw new ProductError('not_found')
  for (const { id, filter } of filters) {
    const known = content.filters.find((one) => one.id === id)
    const isOwn = known && (filter === null || canonicalJson(filter.field) === canonicalJson(known.field))
    if (!isOwn) throw new ProductError('not_found')
  }
}

/**
 * Ends a link at once. Who made it may, and who makes the rules of access.
 * @throws ProductError `not_found`, `forbidden`
 */
export async function revokeLink(
  context: RequestContext,
  { report, id }: { report: string; id: string },
): Promise<ReportLink> {
  const { deps, scope, actor, membership } = context
  const store = reportLinkStore(deps.db, scope)
  const before = await store.get(id)
  if (!before || before.reportId !== report) throw new ProductError('not_found')
  if (before.createdBy !== actor.userId && !roleMay(membership.role, 'edit:access'))
    throw new ProductError('forbidden', { permission: 'edit:access' })
  if (before.endedAt !== null) return toReportLink(before, { state: 'ended' })
  const now = deps.clock.now()
  const ended = toReportLink({ ...before, endedAt: now }, { state: 'ended' })
  await commit(deps, {
    change: [store.end(id, now)],
    audit: [auditOf(context, { action: 'reportLink.revoke', id, before: audited(ended) })],
    reply: context.reply(ended),
  })
  return ended
}

/**
 * Shows what is there now: who made a link confirms what changed since they shared it. Its rights stay those of then.
 * @throws ProductError `not_found` also for links that have ended; `forbidden` for those of others
 */
export async function confirmLink(
  context: RequestContext,
  { report, id }: { report: string; id: string },
): Promise<ReportLink> {
  const { deps, scope, actor } = context
  const { published } = await readReport(context, report)
  const store = reportLinkStore(deps.db, scope)
  const before = await store.get(id)
  if (!published || before?.reportId !== report || before.endedAt !== null || before.expiresAt <= deps.clock.now())
    throw new ProductError('not_found')
  if (before.createdBy !== actor.userId) throw new ProductError('forbidden', { permission: 'share:report' })
  const stateOf = await states(context, [before])
  const confirmed = toReportLink(before, { state: stateOf(before) })
  if (before.terms.edition !== null) return confirmed
  await commit(deps, {
    change: [store.confirm(id, await shownContent(context, published))],
    audit: [auditOf(context, { action: 'reportLink.confirm', id, after: audited(confirmed) })],
    reply: context.reply(confirmed),
  })
  return confirmed
}
