/** Roles of a workspace, strongest first. `client` sees the portal only. */
export const ROLES = ['owner', 'admin', 'analyst', 'viewer', 'client'] as const
export type Role = (typeof ROLES)[number]

const VIEW = [
  'view:workspace',
  'view:member',
  'view:source',
  'view:data',
  'view:insight',
  'create:comment',
  'export:data',
] as const
const ANALYSE = [
  'create:upload',
  'create:source',
  'edit:source',
  'delete:source',
  'create:insight',
  'edit:insight',
  'delete:insight',
  'edit:metric',
  'edit:grouping',
  'edit:target',
  'edit:alert',
  'edit:forecast',
] as const
const ADMINISTER = [
  'edit:workspace',
  'edit:member',
  'invite:member',
  'edit:group',
  'edit:rates',
  'verify:insight',
  'delete:comment',
  'view:audit',
  'view:subscription',
  'edit:subscription',
  'export:workspace',
] as const
const OWN = ['transfer:workspace', 'delete:workspace'] as const

export type Permission =
  (typeof VIEW)[number] | (typeof ANALYSE)[number] | (typeof ADMINISTER)[number] | (typeof OWN)[number]

/** What each role may do. Server guards, client gates and the navigation all read this table. */
export const PERMISSIONS: Record<Role, readonly Permission[]> = {
  owner: [...VIEW, ...ANALYSE, ...ADMINISTER, ...OWN],
  admin: [...VIEW, ...ANALYSE, ...ADMINISTER],
  analyst: [...VIEW, ...ANALYSE],
  viewer: [...VIEW],
  client: [],
}

export const mayRole = (role: Role, permission: Permission): boolean => PERMISSIONS[role].includes(permission)
