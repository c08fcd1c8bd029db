import type { z } from 'zod'
import { commentStore, type StoredComment } from './store'
import { readReport, type ReportReadContext } from '../service'
import { blocksInSight } from '../visible-content'
import type { StoredReport } from '../store'
import { accessFingerprint, hasFullAccess } from '../../../scope'
import { readPolicy } from '../../../identity/access/access-store'
import type { MemberContext } from '../../../identity/member-context-store'
import { mentionMails, resolveMentions, toMentions } from '../../../identity/mentions'
import { auditEntryFactory, commit, tryCommit, type OutboxEntry } from '../../../db/commit'
import type { RequestContext } from '../../../http/request-context'
import { toIso } from '../../../lib/iso'
import { ProductError } from '../../../shared/errors'
import { roleMay } from '../../../shared/permissions'
import { picturePath } from '../../../shared/pictures'
import type { ReportBlock } from '../../../shared/reports/blocks'
import { blocksOf } from '../../../shared/reports/report-items'
import {
  COMMENTS_MAX,
  isCommentable,
  type createCommentSchema,
  type ReportComment,
  type ReportComments,
  type resolveCommentsSchema,
  type updateCommentSchema,
} from '../../../shared/reports/comments'
import type { ReportContent } from '../../../shared/reports/reports'

const auditOf = auditEntryFactory('comment')

/** What is shown of a report; who may edit it talks of its draft until there is a publication. */
const shownOf = ({ published, draft }: StoredReport): ReportContent => published ?? draft

interface OpenReport {
  report: StoredReport
  /** Blocks of which who asks may hear what is said. */
  inSight: Set<string>
}
async function openReport(context: ReportReadContext, id: string): Promise<OpenReport> {
  const report = await readReport(context, id)
  return { report, inSight: await blocksInSight(context, shownOf(report)) }
}

/** @throws ProductError `not_found` for a block that is not there for who asks, or says nothing */
async function openBlock(
  context: ReportReadContext,
  { report: id, block: blockId }: { report: string; block: string },
): Promise<{ report: StoredReport; page: string; block: ReportBlock }> {
  const { report, inSight } = await openReport(context, id)
  const page = shownOf(report).pages.find(({ blocks }) => blocks.some((one) => one.id === blockId))
  const block = page?.blocks.find((one) => one.id === blockId)
  if (!page || !block || !inSight.has(blockId) || !isCommentable(block)) throw new ProductError('not_found')
  return { report, page: page.id, block }
}

/** To tell figures that rules hide is for those who make the rules. */
const mayTell = ({ role }: Pick<RequestContext['membership'], 'role'>, audience: StoredComment['audience']): boolean =>
  audience !== 'everyone' || roleMay(role, 'edit:access')

const toVisible = ({ actor, membership }: RequestContext, comment: StoredComment): ReportComment => {
  const own = comment.authorId === actor.userId
  const mayEdit = own && mayTell(membership, comment.audience)
  return { ...comment, mayEdit, mayDelete: own || roleMay(membership.role, 'delete:comment') }
}

/** What is said of the blocks that who asks sees, the oldest first. */
export async function listComments(context: RequestContext, report: string): Promise<ReportComments> {
  const { deps, scope } = context
  const { report: stored, inSight } = await openReport(context, report)
  const [found, mayRelease] = await Promise.all([commentStore(deps.db, scope).list(report), mayReleaseHere(context)])
  const blocks = blocksOf(shownOf(stored)).flatMap((one) => (inSight.has(one.id) && isCommentable(one) ? [one.id] : []))
  const withheld: Record<string, number> = {}
  for (const block of found.withheld) if (inSight.has(block)) withheld[block] = (withheld[block] ?? 0) + 1
  const items = found.comments.filter(({ block }) => inSight.has(block))
  return { items: items.map((one) => toVisible(context, one)), nextCursor: null, withheld, blocks, mayRelease }
}

/** Where no rule hides anything, everyone sees the same anyway. */
async function mayReleaseHere({ deps, scope, membership }: RequestContext): Promise<boolean> {
  if (!roleMay(membership.role, 'edit:access')) return false
  const { policy } = await readPolicy(deps.db, scope.workspaceId)
  return policy.rules.some(({ active }) => active)
}

/**
 * Says something of a block. Members whom the text names with an @ are told by mail.
 * @throws ProductError `limit_reached`; `forbidden` for `everyone` by who makes no rules; `invalid_input` when anyone
 * named may not read it
 */
export async function createComment(
  context: RequestContext,
  { report: reportId, input }: { report: string; input: z.output<typeof createCommentSchema> },
): Promise<ReportComment> {
  const { deps, scope, actor, membership } = context
  const { audience, body } = input
  if (!mayTell(membership, audience)) throw new ProductError('forbidden', { permission: 'edit:access' })
  const at = { report: reportId, block: input.block }
  const { report, page } = await openBlock(context, at)
  const people = await mentionsOf(context, { ...at, audience, body, mentions: input.mentions })
  const now = deps.clock.now()
  const comment: StoredComment = {
    ...{ id: deps.ids.next('comment'), reportId, block: input.block, body, audience, mentions: toMentions(people) },
    ...{ authorId: actor.userId, authorName: actor.name, authorAvatar: picturePath(actor.avatarKey), version: 1 },
    ...{ createdAt: toIso(now), editedAt: null, resolvedAt: null, resolvedByName: null },
  }
  const store = commentStore(deps.db, scope)
  const made = toVisible(context, comment)
  await commit(deps, {
    change: [store.insert(comment, now)],
    audit: [auditOf(context, { action: 'comment.create', id: comment.id, after: named(comment, report) })],
    outbox: commentMails(context, { comment, report, page, people }),
    reply: context.reply(made),
    expect: { onMissed: async () => insertConflict(await store.count(reportId)) },
  })
  return made
}

const named = (comment: StoredComment, { name }: StoredReport) => ({ ...comment, name })

const insertConflict = (used: number): ProductError =>
  used < COMMENTS_MAX
    ? new ProductError('not_found')
    : new ProductError(
        'limit_reached',
        { limit: 'comments', used: COMMENTS_MAX, max: COMMENTS_MAX },
        `A report holds up to ${COMMENTS_MAX} comments. Delete some that are not needed.`,
      )

/** Only one's own, and what everyone reads only while one makes the rules. @throws ProductError `forbidden`, `version_conflict` with the stored comment as `current` */
export async function updateComment(
  context: RequestContext,
  { id, input }: { id: string; input: z.output<typeof updateCommentSchema> },
): Promise<ReportComment> {
  const { deps, scope } = context
  const before = await requireComment(context, id)
  const at = { report: before.reportId, block: before.block }
  const { report, page } = await openBlock(context, at)
  if (!toVisible(context, before).mayEdit) throw new ProductError('forbidden', { permission: 'create:comment' })
  const { version, ...text } = input
  const people = await mentionsOf(context, { ...at, audience: before.audience, ...text })
  const now = deps.clock.now()
  const next: StoredComment = {
    ...{ ...before, body: text.body, mentions: toMentions(people), version: version + 1, editedAt: toIso(now) },
  }
  const saved = toVisible(context, next)
  await commit(deps, {
    change: [commentStore(deps.db, scope).update(next, { version, now })],
    audit: [
      auditOf(context, { action: 'comment.update', id, before: named(before, report), after: named(next, report) }),
    ],
    outbox: commentMails(context, { comment: next, report, page, people }),
    reply: context.reply(saved),
    expect: { onMissed: () => versionConflict(context, id) },
  })
  return saved
}

/** One's own, and any for administrators. @throws ProductError `forbidden`, `version_conflict` */
export async function deleteComment(
  context: RequestContext,
  { id, version }: { id: string; version: number },
): Promise<ReportComment> {
  const { deps, scope, membership } = context
  const before = toVisible(context, await requireComment(context, id))
  const { report } = await openBlock(context, { report: before.reportId, block: before.block })
  if (!before.mayDelete) throw new ProductError('forbidden', { permission: 'delete:comment' })
  const any = roleMay(membership.role, 'delete:comment')
  await commit(deps, {
    change: [commentStore(deps.db, scope).remove(id, { version, any })],
    audit: [auditOf(context, { action: 'comment.delete', id, before: named(before, report) })],
    reply: context.reply(before),
    expect: { onMissed: () => versionConflict(context, id) },
  })
  return before
}

/** Everything that was said of a block until now is done with, or open again. */
export async function resolveComments(
  context: RequestContext,
  { report: id, input: { block, resolved } }: { report: string; input: z.output<typeof resolveCommentsSchema> },
): Promise<ReportComments> {
  const { deps, scope } = context
  const { report } = await openBlock(context, { report: id, block })
  const after = { id, name: report.name }
  const now = deps.clock.now()
  // Nothing to change: somebody else was first.
  await tryCommit(deps, {
    change: [commentStore(deps.db, scope).setResolved({ report: id, block }, { resolved, now })],
    audit: [auditOf(context, { action: resolved ? 'comment.resolve' : 'comment.reopen', id, after })],
  })
  return listComments(context, id)
}

async function requireComment({ deps, scope }: RequestContext, id: string): Promise<StoredComment> {
  const comment = await commentStore(deps.db, scope).get(id)
  if (!comment) throw new ProductError('not_found')
  return comment
}

const versionConflict = async (context: RequestContext, id: string): Promise<ProductError> =>
  new ProductError('version_conflict', { current: toVisible(context, await requireComment(context, id)) })

interface CommentDraft extends Pick<StoredComment, 'block' | 'audience' | 'body'> {
  report: string
  mentions: readonly string[]
}
/** Whoever the text names: they must see the block, and have the rights under which it is written or all. */
const mentionsOf = (
  { deps, scope, actor }: RequestContext,
  { report, block, audience, body, mentions }: CommentDraft,
): Promise<MemberContext[]> =>
  resolveMentions({ deps, actor, workspaceId: scope.workspaceId, body, mentions }, async (person) => {
    if (!person || !(await seesBlock({ deps, scope: person.scope, membership: person }, { report, block })))
      return `${person?.name ?? 'Someone mentioned'} can’t view this block.`
    const isSame = accessFingerprint(person.scope) === accessFingerprint(scope)
    if (audience === 'everyone' || isSame || hasFullAccess(person.scope)) return null
    return `${person.name} has different data access and can’t read this comment.`
  })

async function seesBlock(context: ReportReadContext, at: { report: string; block: string }): Promise<boolean> {
  if (!roleMay(context.membership.role, 'view:report')) return false
  try {
    await openBlock(context, at)
    return true
  } catch (error) {
    if (error instanceof ProductError && error.code === 'not_found') return false
    throw error
  }
}

interface ToldComment {
  comment: StoredComment
  report: StoredReport
  page: string
  people: readonly MemberContext[]
}
function commentMails(
  { scope, actor, membership }: RequestContext,
  { comment, report, page, people }: ToldComment,
): OutboxEntry[] {
  const about = {
    ...{ workspace: membership.workspaceName, person: actor.name, report: report.name, text: comment.body },
    ...{ path: `/reports/${report.kind}/${report.id}`, page, block: comment.block },
  }
  const of = { actor, workspaceId: scope.workspaceId, textId: comment.id }
  return mentionMails(people, of, (to) => ({ to, template: 'commentMentioned', ...about }))
}
