import { z } from 'zod'
import { listQuerySchema } from './field-schemas'

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
  /** In words: “renamed a data source”. */
  words: string
  entity: string
  entityId: string
  /** SHA-256 of what it was and became, hex; null where there is none. */
  beforeHash: string | null
  afterHash: string | null
  country: string | null
}

/**
 * What each action of the audit log is called, after the name of who did it: “Anna renamed …”. Every action that the
 * product writes stands here; `test/audit-words.test.ts` holds the code to it.
 */
const AUDIT_ACTION_TEXTS: Readonly<Record<string, string>> = {
  'source.create': 'added a data source',
  'source.extend': 'added tables to a data source',
  'source.update': 'renamed a data source',
  'source.delete': 'deleted a data source',
  'source.restore': 'restored a data source',
  'dataset.update': 'changed the columns of a dataset',
  'dataset.compute': 'saved a computed column',
  'dataset.uncompute': 'removed a computed column',
  'dataset.load': 'loaded rows into a dataset',
  'load.cancel': 'stopped a load',
  'load.rollback': 'put back the earlier rows of a dataset',
  'relation.create': 'connected two datasets',
  'relation.confirmed': 'confirmed a connection of datasets',
  'relation.proposed': 'reopened a connection of datasets',
  'relation.dismissed': 'dismissed a connection of datasets',
  'relation.remove': 'removed a connection of datasets',
  'insight.create': 'made an insight',
  'insight.update': 'changed an insight',
  'insight.delete': 'deleted an insight',
  'insight.restore': 'restored an insight',
  'insight.verify': 'vouched for an insight',
  'insight.unverify': 'no longer vouches for an insight',
  'insight.follow': 'followed an insight',
  'insight.unfollow': 'stopped following an insight',
  'insight.settings': 'changed the category or the findings of an insight',
  'metric.create': 'made a metric',
  'metric.update': 'changed a metric',
  'metric.delete': 'deleted a metric',
  'metric.verify': 'vouched for a metric',
  'metric.unverify': 'no longer vouches for a metric',
  'note.create': 'wrote a note or comment',
  'note.update': 'changed a note or comment',
  'note.delete': 'deleted a note or comment',
  'category.create': 'made a category of insights',
  'category.update': 'changed a category of insights',
  'category.order': 'changed the order of the categories',
  'category.delete': 'deleted a category of insights',
  'finding.pin': 'pinned a finding',
  'finding.unpin': 'unpinned a finding',
  'finding.hide': 'hid a finding',
  'finding.show': 'brought a hidden finding back',
  'finding.rate': 'rated a finding',
  'finding.refresh': 'had figures looked through',
  'alert.create': 'made an alert',
  'alert.update': 'changed an alert',
  'alert.delete': 'deleted an alert',
  'alert.acknowledge': 'acknowledged an alert',
  'alert.mute': 'muted an alert',
  'alert.unmute': 'let an alert speak again',
  'alert.open': 'opened an alert',
  'alert.resolve': 'closed an alert',
  'forecast.create': 'made a forecast',
  'forecast.update': 'changed a forecast',
  'forecast.scenarios': 'changed the scenarios of a forecast',
  'forecast.delete': 'deleted a forecast',
  'forecast.run': 'had a forecast computed',
  'target.update': 'set targets',
  'digest.update': 'chose how often their digest comes',
  'accounts.update': 'changed what the accounts of ledgers mean',
  'sample.add': 'added the sample company',
  'sample.remove': 'removed the sample company',
  'demo.create': 'made the demo workspace',
  'subscription.keep': 'chose what stays when the plan becomes smaller',
  'subscription.customer': 'opened the account for billing',
  'subscription.checkout': 'went to pay for a plan by card',
  'subscription.order': 'ordered a plan by invoice',
  'subscription.update': 'changed the plan',
  'subscription.cancel': 'cancelled the subscription',
  'subscription.resume': 'took back what waited for the end of the period',
  'subscription.details': 'changed what stands on invoices',
  'subscription.portal': 'opened the portal of billing',
  'subscription.contact': 'asked for a plan of their own',
  'subscription.changed': 'took over what billing says of the subscription',
  'workspace.create': 'created the workspace',
  'workspace.update': 'changed the settings of the workspace',
  'workspace.export': 'exported the whole workspace',
  'workspace.delete': 'deleted the workspace',
  'workspace.restore': 'brought the workspace back',
  'workspace.purge': 'removed the workspace for good',
  'logo.update': 'changed the logo',
  'logo.remove': 'removed the logo',
  'member.join': 'joined the workspace',
  'member.update': 'changed the role or status of a member',
  'member.remove': 'removed a member',
  'member.leave': 'left the workspace',
  'invite.create': 'invited somebody',
  'invite.renew': 'renewed an invitation',
  'invite.revoke': 'took an invitation back',
  'invite.accept': 'accepted an invitation',
  'invite.report': 'reported an invitation: they don’t know its sender',
  'ownership.offer': 'offered the ownership',
  'ownership.accept': 'took the ownership over',
  'ownership.decline': 'declined the ownership',
  'ownership.withdraw': 'took the offer of ownership back',
  'grouping.create': 'made a grouping of values',
  'grouping.update': 'changed a grouping of values',
  'grouping.members': 'moved values between groups',
  'grouping.import': 'read groups of values from a file',
  'grouping.delete': 'deleted a grouping of values',
  'grouping.restore': 'restored a grouping of values',
  'rate.settings': 'changed how currencies are converted',
  'rate.create': 'set an exchange rate',
  'rate.update': 'changed an exchange rate',
  'rate.remove': 'removed an exchange rate',
  'group.create': 'made a user group',
  'group.update': 'changed a user group',
  'group.members': 'changed who is in a user group',
  'group.delete': 'deleted a user group',
  'group.restore': 'restored a user group',
  'audit.export': 'exported the audit log',
  'avatar.update': 'changed their picture',
  'avatar.remove': 'removed their picture',
  'account.register': 'created an account',
  'account.password': 'changed their password',
  'account.reset': 'asked for a new password',
  'account.resetConfirm': 'chose a new password by a link',
  'account.emailProof': 'asked for another mail to confirm their address',
  'account.emailProven': 'confirmed their address',
  'account.earlierUse': 'said what of the account from before was theirs',
  'account.email': 'asked for another address',
  'account.emailConfirm': 'confirmed another address from one side',
  'account.emailChange': 'changed their address',
  'account.emailCancel': 'kept their address',
  'account.delete': 'deleted their account',
  'account.undelete': 'brought their account back',
  'account.forget': 'made a deleted account nameless',
  'signIn.connect': 'connected a way to sign in',
  'signIn.remove': 'removed a way to sign in',
  'session.link': 'asked for a link to sign in',
  'session.signIn': 'signed in',
  'session.signInByLink': 'signed in by a link',
  'session.signOut': 'signed out',
  'session.demo': 'opened the demo',
  'session.end': 'ended a session',
  'session.endOthers': 'ended all other sessions',
  'profile.update': 'changed their profile',
  'onboarding.update': 'went on with the first steps',
  'admin.workspaces.list': 'looked at the list of workspaces',
  'admin.terms.look': 'looked at the terms of a workspace',
  'admin.terms.set': 'set the terms of a workspace',
  'subscription.terms': 'set the terms of the subscription',
}

/** Kinds of action to choose from, by what the actions begin with. */
export const AUDIT_FILTERS = [
  { prefix: 'source.', label: 'Data sources' },
  { prefix: 'dataset.', label: 'Datasets' },
  { prefix: 'load.', label: 'Loads' },
  { prefix: 'relation.', label: 'Connections of datasets' },
  { prefix: 'insight.', label: 'Insights' },
  { prefix: 'note.', label: 'Notes and comments' },
  { prefix: 'category.', label: 'Categories' },
  { prefix: 'alert.', label: 'Alerts' },
  { prefix: 'forecast.', label: 'Forecasts' },
  { prefix: 'target.', label: 'Targets' },
  { prefix: 'grouping.', label: 'Groupings of values' },
  { prefix: 'member.', label: 'Members' },
  { prefix: 'invite.', label: 'Invitations' },
  { prefix: 'ownership.', label: 'Ownership' },
  { prefix: 'rate.', label: 'Exchange rates' },
  { prefix: 'group.', label: 'User groups' },
  { prefix: 'workspace.', label: 'Workspace' },
  { prefix: 'subscription.', label: 'Subscription' },
  { prefix: 'logo.', label: 'Logo' },
  { prefix: 'sample.', label: 'Sample company' },
  { prefix: 'audit.', label: 'Audit log' },
] as const

/** Actions in the table: for the test that holds the code to it. */
export const AUDIT_ACTIONS: readonly string[] = Object.keys(AUDIT_ACTION_TEXTS)

/** An action in words; one that an earlier release wrote and nobody knows now keeps its own name. */
export const describeAuditAction = (action: string): string =>
  Object.hasOwn(AUDIT_ACTION_TEXTS, action) ? (AUDIT_ACTION_TEXTS[action] ?? action) : `did “${action}”`
