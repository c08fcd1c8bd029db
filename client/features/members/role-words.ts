import type { Role } from '../../../src/shared/permissions'

/** What each role is called, and what it may do in a sentence. */
export const ROLE_WORDS: Record<Role, { name: string; sentence: string }> = {
  owner: {
    name: 'Owner',
    sentence: 'Everything, also handing the workspace over and deleting it.',
  },
  admin: {
    name: 'Admin',
    sentence: 'Loads data, makes insights, invites people and changes settings. Takes an analyst seat.',
  },
  analyst: {
    name: 'Analyst',
    sentence: 'Connects sources, loads data and makes insights. Takes an analyst seat.',
  },
  viewer: {
    name: 'Viewer',
    sentence: 'Opens insights and data and exports them, changes nothing.',
  },
  client: {
    name: 'Client',
    sentence: 'Sees only what is shared with clients.',
  },
}

/** The roles that are given here. Ownership is handed over; clients are invited where things are shared with them. */
export const GIVEN_ROLES = ['admin', 'analyst', 'viewer'] as const satisfies readonly Role[]
export type GivenRole = (typeof GIVEN_ROLES)[number]

export const isGivenRole = (text: string): text is GivenRole => GIVEN_ROLES.some((role) => role === text)

const ANALYSTS: readonly Role[] = ['owner', 'admin', 'analyst']
/** Whether the role takes one of the plan's analyst seats. */
export const isAnalyst = (role: Role): boolean => ANALYSTS.includes(role)

/** "an admin", "a viewer": the role inside a sentence. */
export function asRole(role: Role): string {
  const name = ROLE_WORDS[role].name.toLowerCase()
  return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`
}
