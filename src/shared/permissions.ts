/** Roles of a workspace, strongest first. `client` sees the portal only. */
export const ROLES = ['owner', 'admin', 'analyst', 'viewer', 'client'] as const
export type Role = (typeof ROLES)[number]

const VIEW_PERMISSIONS = [
  'view:workspace',
  'view:member',
  'view:source',
  'view:data',
  'view:insight',
  'view:report',
  'create:comment',
  'export:data',
] as const
const ANALYST_PERMISSIONS = [
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
  'edit:report',
  'share:report',
  'revoke:link',
] as const
const ADMIN_PERMISSIONS = [
  'edit:workspace',
  'edit:member',
  'invite:member',
  'edit:group',
  'edit:rates',
  'view:access',
  'edit:access',
  'verify:insight',
  'delete:comment',
  'view:audit',
  'view:subscription',
  'edit:subscription',
  'export:workspace',
] as const
const OWNER_PERMISSIONS = ['transfer:workspace', 'delete:workspace'] as const

export type Permission =
  | (typeof VIEW_PERMISSIONS)[number]
  | (typeof ANALYST_PERMISSIONS)[number]
  | (typeof ADMIN_PERMISSIONS)[number]
  | (typeof OWNER_PERMISSIONS)[number]

/** What each role may do. Server guards, client gates and the navigation all read this table. */
export const PERMISSIONS: Record<Role, readonly Permission[]> = {
  owner: [...VIEW_PERMISSIONS, ...ANALYST_PERMISSIONS, ...ADMIN_PERMISSIONS, ...OWNER_PERMISSIONS],
  admin: [...VIEW_PERMISSIONS, ...ANALYST_PERMISSIONS, ...ADMIN_PERMISSIONS],
  analyst: [...VIEW_PERMISSIONS, ...ANALYST_PERMISSIONS],
  viewer: [...VIEW_PERMISSIONS],
  client: [],
}

export const roleMay = (role: Role, permission: Permission): boolean => PERMISSIONS[role].includes(permission)

/** Who in a workspace holds a permission: "an owner, admin or analyst". */
export function describeRolesWith(permission: string): string {
  const roles: string[] = ROLES.filter((role) => PERMISSIONS[role].some((held: Permission) => held === permission))
  const last = roles.pop()
  if (last === undefined) return 'an owner'
  return `an ${roles.length === 0 ? last : `${roles.join(', ')} or ${last}`}`
}
