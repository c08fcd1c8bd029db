/**
 * What each action of the audit log is called, after the name of who did it: “Anna renamed …”. Every action that the
 * product writes stands here; `test/audit-words.test.ts` holds the code to it.
 */
const AUDIT_WORDS: Readonly<Record<string, string>> = {
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
  'sample.add': 'added the sample company',
  'sample.remove': 'removed the sample company',
  'demo.create': 'made the demo workspace',
  'workspace.create': 'created the workspace',
  'workspace.update': 'changed the settings of the workspace',
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
  'session.demo': 'opened the demo',
  'session.end': 'ended a session',
  'profile.update': 'changed their profile',
  'onboarding.update': 'went on with the first steps',
  'admin.workspaces.list': 'looked at the list of workspaces',
}

/** Kinds of action to choose from, by what the actions begin with. */
export const AUDIT_KINDS = [
  { prefix: 'source.', label: 'Data sources' },
  { prefix: 'dataset.', label: 'Datasets' },
  { prefix: 'load.', label: 'Loads' },
  { prefix: 'relation.', label: 'Connections of datasets' },
  { prefix: 'insight.', label: 'Insights' },
  { prefix: 'member.', label: 'Members' },
  { prefix: 'invite.', label: 'Invitations' },
  { prefix: 'ownership.', label: 'Ownership' },
  { prefix: 'group.', label: 'User groups' },
  { prefix: 'workspace.', label: 'Workspace' },
  { prefix: 'sample.', label: 'Sample company' },
  { prefix: 'audit.', label: 'Audit log' },
] as const

/** Actions in the table: for the test that holds the code to it. */
export const AUDIT_ACTIONS: readonly string[] = Object.keys(AUDIT_WORDS)

/** An action in words; one that an earlier release wrote and nobody knows now keeps its own name. */
export const wordsOfAction = (action: string): string =>
  Object.hasOwn(AUDIT_WORDS, action) ? (AUDIT_WORDS[action] ?? action) : `did “${action}”`
