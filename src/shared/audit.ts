import { z } from 'zod'
import { PLANS } from './billing/plans'
import { listQuerySchema } from './field-schemas'
import { TERMS } from './terms'

const isoDate = z.iso.date()
const auditFilters = {
  /** A member's id. */
  actor: z.string().max(40).optional(),
  /** Begins with: `source`, `insight.update` … */
  action: z.string().max(60).optional(),
  entityId: z.string().max(60).optional(),
  /** Days of the workspace's zone, both included. */
  from: isoDate.optional(),
  to: isoDate.optional(),
}
/** GET /api/audit, the newest first. */
export const listAuditSchema = listQuerySchema.extend(auditFilters)
/** GET /files/audit: the same as CSV. */
export const exportAuditSchema = z.strictObject(auditFilters)

export interface AuditItem {
  id: string
  at: string
  /** Null: done by the product itself. */
  actor: { userId: string; name: string } | null
  action: string
  /** A sentence after the name: “renamed data source “Sales” → “Orders””. */
  words: string
  entity: string
  entityId: string
  /** SHA-256 of what it was and became, hex; null where there is none. */
  beforeHash: string | null
  afterHash: string | null
  country: string | null
}

/**
 * What each action of the audit log is called, after the name of who did it: “Anna renamed …”. `{data source}` is the
 * thing with its name, `{"…}` the name alone, `{@someone}` the person or address it is about or a name that needs no
 * quotes, `{>…}` the other person; each falls back to its own words. Every action that the product writes stands here; `test/audit-words.test.ts` holds the code to it.
 */
const AUDIT_ACTION_TEXTS: Readonly<Record<string, string>> = {
  'source.create': 'added {data source}',
  'source.extend': 'added tables to {data source}',
  'source.update': 'renamed {data source}',
  'source.delete': 'deleted {data source}',
  'source.restore': 'restored {data source}',
  'source.connect': 'connected {data source}',
  'source.credentials': 'changed credentials of {data source}',
  'source.schedule': 'changed schedule of {data source}',
  'source.sync': 'synced {data source}',
  'source.pause': 'paused {data source}',
  'source.resume': 'resumed {data source}',
  'source.token': 'renewed the push token of {data source}',
  'dataset.update': 'changed columns of {dataset}',
  'dataset.clean': 'changed cleaning steps of {dataset}',
  'dataset.reopen': 'reopened the file of {dataset}',
  'dataset.compute': 'saved a calculated column in {dataset}',
  'dataset.uncompute': 'removed a calculated column from {dataset}',
  'dataset.load': 'imported rows into {dataset}',
  'load.upload': 'started an import into {dataset}',
  'load.retry': 'retried an import into {dataset}',
  'load.cancel': 'cancelled an import into {dataset}',
  'load.rollback': 'restored an earlier version of {dataset}',
  'relation.create': 'linked {@two tables}',
  'relation.confirmed': 'confirmed {relationship}',
  'relation.proposed': 'reopened {relationship}',
  'relation.dismissed': 'dismissed {relationship}',
  'relation.remove': 'removed {relationship}',
  'insight.create': 'created {insight}',
  'insight.update': 'changed {insight}',
  'insight.delete': 'deleted {insight}',
  'insight.restore': 'restored {insight}',
  'insight.verify': 'verified {insight}',
  'insight.unverify': 'unverified {insight}',
  'insight.follow': 'followed {insight}',
  'insight.unfollow': 'unfollowed {insight}',
  'insight.settings': 'changed settings of {insight}',
  'metric.create': 'created {metric}',
  'metric.update': 'changed {metric}',
  'metric.delete': 'deleted {metric}',
  'metric.verify': 'verified {metric}',
  'metric.unverify': 'unverified {metric}',
  'note.create': 'added a note or comment to {insight}',
  'note.update': 'changed a note or comment on {insight}',
  'note.delete': 'deleted a note or comment on {insight}',
  'category.create': 'created {category}',
  'category.update': 'changed {category}',
  'category.order': 'reordered categories',
  'category.delete': 'deleted {category}',
  'pilot.enrol': 'turned on early access to {"a feature}',
  'pilot.leave': 'changed early access to {"a feature}',
  'pilot.feedback': 'gave feedback on {"a feature}',
  'briefing.mark': 'marked a briefing item',
  'finding.pin': 'pinned a finding',
  'finding.unpin': 'unpinned a finding',
  'finding.hide': 'hid a finding',
  'finding.show': 'unhid a finding',
  'finding.rate': 'rated a finding',
  'finding.refresh': 'refreshed findings',
  'alert.create': 'created {alert}',
  'alert.update': 'changed {alert}',
  'alert.delete': 'deleted {alert}',
  'alert.acknowledge': 'acknowledged {alert}',
  'alert.mute': 'muted {alert}',
  'alert.unmute': 'unmuted {alert}',
  'alert.open': 'triggered {alert}',
  'alert.resolve': 'resolved {alert}',
  'forecast.create': 'created {forecast}',
  'forecast.update': 'changed {forecast}',
  'forecast.scenarios': 'changed scenarios of {forecast}',
  'forecast.delete': 'deleted {forecast}',
  'forecast.run': 'ran {forecast}',
  'report.create': 'created {report}',
  'report.update': 'changed {report}',
  'report.publish': 'published {report}',
  'report.archive': 'archived {report}',
  'report.unarchive': 'unarchived {report}',
  'report.delete': 'deleted {report}',
  'report.restore': 'restored {report}',
  'comment.create': 'commented on {report}',
  'comment.update': 'changed a comment on {report}',
  'comment.delete': 'deleted a comment on {report}',
  'comment.resolve': 'resolved comments on {report}',
  'comment.reopen': 'reopened comments on {report}',
  'blockSubscription.save': 'subscribed to a block of {report}',
  'blockSubscription.remove': 'unsubscribed from a block of {report}',
  'schedule.create': 'scheduled {report}',
  'schedule.update': 'changed a schedule of {report}',
  'schedule.delete': 'deleted a schedule of {report}',
  'schedule.retry': 'sent a scheduled {report} again',
  'edition.publish': 'published {edition}',
  'edition.sign': 'signed {edition}',
  'reportLink.create': 'shared {report} by a link',
  'reportLink.revoke': 'revoked a link to {report}',
  'reportLink.confirm': 'confirmed what a link to {report} shows',
  'botConversation.create': 'started a conversation with the bot',
  'botConversation.update': 'renamed or archived a conversation with the bot',
  'botConversation.delete': 'deleted a conversation with the bot',
  'botConversation.share': 'shared a conversation with the bot',
  'botConversation.unshare': 'stopped sharing a conversation with the bot',
  'botMessage.feedback': 'reported a wrong answer of the bot',
  'botTerm.create': 'added a term for the bot',
  'botTerm.update': 'changed a term for the bot',
  'botTerm.delete': 'deleted a term for the bot',
  'verifiedAnswer.create': 'verified an answer of the bot',
  'verifiedAnswer.update': 'changed a verified answer of the bot',
  'verifiedAnswer.delete': 'deleted a verified answer of the bot',
  'botSettings.update': 'changed settings of the bot',
  'target.update': 'set targets of {"a measure}',
  'digest.update': 'changed their digest frequency',
  'accounts.update': 'changed account classes',
  'access.update': 'changed data access rules',
  'access.values': 'changed values of a user attribute',
  'access.viewAs': 'viewed data as {@someone}',
  'access.viewOwn': 'stopped viewing data as someone else',
  'sample.add': 'added demo data',
  'sample.remove': 'removed demo data',
  'demo.create': 'created the demo workspace',
  'subscription.keep': 'chose what to keep on a smaller plan',
  'subscription.customer': 'opened a billing account',
  'subscription.checkout': 'started a card checkout',
  'subscription.order': 'ordered a plan by invoice',
  'subscription.update': 'changed the plan',
  'subscription.cancel': 'cancelled the subscription',
  'subscription.resume': 'withdrew a scheduled change',
  'subscription.details': 'changed billing details',
  'subscription.portal': 'opened the billing portal',
  'subscription.contact': 'asked for a custom plan',
  'subscription.changed': 'updated the subscription from billing',
  'workspace.create': 'created the workspace',
  'workspace.update': 'changed workspace settings',
  'workspace.export': 'exported the whole workspace',
  'workspace.delete': 'deleted the workspace',
  'workspace.restore': 'restored the workspace',
  'workspace.purge': 'permanently deleted the workspace',
  'logo.update': 'changed the logo',
  'logo.remove': 'removed the logo',
  'member.join': 'joined the workspace',
  'member.update': 'changed {@a member}',
  'member.restore': 'restored their account and awaits reactivation',
  'member.remove': 'removed {@a member}',
  'member.leave': 'left the workspace',
  'invite.create': 'invited {@someone}',
  'invite.renew': 'resent the invitation to {@someone}',
  'invite.revoke': 'revoked the invitation to {@someone}',
  'invite.accept': 'accepted an invitation',
  'invite.report': 'reported an invitation',
  'ownership.offer': 'offered ownership to {>another member}',
  'ownership.accept': 'accepted ownership from {>another member}',
  'ownership.decline': 'declined ownership from {>another member}',
  'ownership.withdraw': 'withdrew the ownership offer to {>another member}',
  'grouping.create': 'created {grouping}',
  'grouping.update': 'changed {grouping}',
  'grouping.members': 'moved values in {grouping}',
  'grouping.import': 'imported groups into {grouping}',
  'grouping.delete': 'deleted {grouping}',
  'grouping.restore': 'restored {grouping}',
  'rate.settings': 'changed currency settings',
  'rate.create': 'added {exchange rate}',
  'rate.update': 'changed {exchange rate}',
  'rate.remove': 'removed {exchange rate}',
  'group.create': 'created {user group}',
  'group.update': 'changed {user group}',
  'group.members': 'changed members of {user group}',
  'group.delete': 'deleted {user group}',
  'group.restore': 'restored {user group}',
  'accessToken.create': 'created {access token}',
  'accessToken.revoke': 'revoked {access token}',
  'connectedApp.create': 'connected the app {"an app}',
  'connectedApp.revoke': 'disconnected the app {"an app}',
  'model.update': 'changed language model settings',
  'mcp.call': 'used {"a tool} through an app or access token',
  'audit.export': 'exported the audit log',
  'avatar.update': 'changed their picture',
  'avatar.remove': 'removed their picture',
  'account.register': 'created an account',
  'account.password': 'changed their password',
  'account.reset': 'requested a password reset',
  'account.resetConfirm': 'reset their password',
  'account.emailProof': 'requested another confirmation email',
  'account.emailProven': 'confirmed their email',
  'account.earlierUse': 'reviewed earlier use of their account',
  'account.email': 'requested an email change',
  'account.emailConfirm': 'confirmed one side of an email change',
  'account.emailChange': 'changed their email',
  'account.emailCancel': 'cancelled an email change',
  'account.delete': 'deleted their account',
  'account.undelete': 'restored their account',
  'account.forget': 'anonymised a deleted account',
  'signIn.connect': 'connected a sign-in method',
  'signIn.remove': 'removed a sign-in method',
  'session.link': 'requested a sign-in link',
  'session.signIn': 'signed in',
  'session.signInByLink': 'signed in with a link',
  'session.signOut': 'signed out',
  'session.demo': 'opened the demo',
  'session.end': 'ended a session',
  'session.endOthers': 'ended all other sessions',
  'profile.update': 'changed their profile',
  'onboarding.update': 'continued onboarding',
  'admin.workspaces.list': 'viewed the list of workspaces',
  'admin.terms.look': 'viewed the terms of a workspace',
  'admin.terms.set': 'set the terms of a workspace',
  'admin.pilot.stop': 'stopped an early-access feature',
  'admin.pilot.resume': 'resumed an early-access feature',
  'subscription.terms': 'set the terms of the subscription',
}

/** Kinds of action to choose from, by what the actions begin with. */
export const AUDIT_FILTERS = [
  { prefix: 'source.', label: 'Data sources' },
  { prefix: 'dataset.', label: 'Datasets' },
  { prefix: 'load.', label: TERMS.imports },
  { prefix: 'relation.', label: TERMS.relationships },
  { prefix: 'insight.', label: 'Insights' },
  { prefix: 'note.', label: 'Notes and comments' },
  { prefix: 'category.', label: 'Categories' },
  { prefix: 'alert.', label: 'Alerts' },
  { prefix: 'forecast.', label: 'Forecasts' },
  { prefix: 'report.', label: 'Reports' },
  { prefix: 'edition.', label: 'Editions' },
  { prefix: 'reportLink.', label: 'Share links' },
  { prefix: 'comment.', label: 'Comments on reports' },
  { prefix: 'target.', label: 'Targets' },
  { prefix: 'grouping.', label: 'Groupings' },
  { prefix: 'member.', label: 'Members' },
  { prefix: 'invite.', label: 'Invitations' },
  { prefix: 'ownership.', label: 'Ownership' },
  { prefix: 'rate.', label: 'Exchange rates' },
  { prefix: 'group.', label: 'User groups' },
  { prefix: 'workspace.', label: 'Workspace' },
  { prefix: 'subscription.', label: 'Subscription' },
  { prefix: 'logo.', label: 'Logo' },
  { prefix: 'accessToken.', label: 'Access tokens' },
  { prefix: 'connectedApp.', label: 'Connected apps' },
  { prefix: 'mcp.', label: 'Apps and access tokens in use' },
  { prefix: 'sample.', label: 'Demo data' },
  { prefix: 'audit.', label: 'Audit log' },
] as const

/** Actions in the table: for the test that holds the code to it. */
export const AUDIT_ACTIONS: readonly string[] = Object.keys(AUDIT_ACTION_TEXTS)

/** One thing that changed. `from` null: it was not there before. */
export interface AuditChange {
  field: AuditedField
  from: string | null
  to: string
}
/** What a line says beside its action. */
export interface AuditDetails {
  /** Of the thing, or of the person or address it is about. */
  name?: string | null
  /** Of the other person. */
  person?: string | null
  changes?: readonly AuditChange[]
}

/** What is said of a change: fields whose values are words for people. `value`: the thing itself. */
export const AUDITED_FIELDS = {
  name: 'name',
  role: 'role',
  status: 'status',
  cadence: 'frequency',
  value: '',
  currency: 'currency',
  country: 'country',
  numberLocale: 'number format',
  timeZone: 'time zone',
  fiscalYearStart: 'fiscal year start',
  weekStart: 'week start',
  planId: 'plan',
} as const
export type AuditedField = keyof typeof AUDITED_FIELDS

const quoted = (name: string): string => `“${name}”`
const withArticle = (noun: string): string => `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`
/** Codes and numbers by what people call them; what has no such name is told as it is. */
const VALUE_NAMES: Partial<Record<AuditedField, (value: string) => string | undefined>> = {
  name: quoted,
  planId: (id) => PLANS.find((plan) => plan.id === id)?.name,
  country: (code) => (/^[A-Z]{2}$/.test(code) ? new Intl.DisplayNames('en', { type: 'region' }).of(code) : undefined),
  fiscalYearStart: (month) =>
    new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, Number(month) - 1, 1)),
}
const shown = ({ field }: AuditChange, value: string): string => VALUE_NAMES[field]?.(value) ?? value

/** “role viewer → analyst”; of a name that changed, the new one alone. */
function describeChange(change: AuditChange, isNameSaid: boolean): string {
  const { field, from, to } = change
  if (field === 'name' && isNameSaid) return `→ ${quoted(to)}`
  const label = AUDITED_FIELDS[field] === '' ? '' : `${AUDITED_FIELDS[field]} `
  return from === null ? `${label}${shown(change, to)}` : `${label}${shown(change, from)} → ${shown(change, to)}`
}

const PLACEHOLDER = /\{([@>"]?)([^}]+)\}/

/**
 * A line in words, after the name of who did it. An action that an earlier release wrote and nobody knows now keeps its
 * own name.
 */
export function describeAudit(action: string, { name = null, person = null, changes = [] }: AuditDetails = {}): string {
  const text = Object.hasOwn(AUDIT_ACTION_TEXTS, action) ? (AUDIT_ACTION_TEXTS[action] ?? action) : `did “${action}”`
  const renamed = changes.find(({ field }) => field === 'name')
  // A thing that was renamed is named as it was: what it is called now follows.
  const before = renamed?.from ?? name
  const isNameSaid = before !== null && PLACEHOLDER.exec(text)?.[1] === ''
  const words = text.replace(PLACEHOLDER, (_whole, kind: string, noun: string) => {
    if (kind === '@') return name ?? noun
    if (kind === '>') return person ?? noun
    if (kind === '"') return before === null ? noun : quoted(before)
    return before === null ? withArticle(noun) : `${noun} ${quoted(before)}`
  })
  const said = changes.map((change) => describeChange(change, isNameSaid))
  const rename = said.filter((part) => part.startsWith('→'))
  const rest = said.filter((part) => !part.startsWith('→'))
  return [words, ...rename].join(' ') + (rest.length === 0 ? '' : `: ${rest.join(', ')}`)
}

/** An action in words, of no thing in particular. */
export const describeAuditAction = (action: string): string => describeAudit(action)
