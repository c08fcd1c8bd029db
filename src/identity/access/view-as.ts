import { readPolicy } from './access-store'
import { dataRights, type AccessPerson } from './data-rights'
import { readAccessPeople, readHeldValues } from './people-store'
import { sharedRights } from './shared-rights'
import { isFullAccess, type DataRights } from '../../scope'
import type { Database } from '../../db/database'
import type { PlanFeatures } from '../../shared/billing/plans'
import { roleMay, ROLES, type Role } from '../../shared/permissions'
import type { ViewAs } from '../../shared/session'
import type { ViewAsSubject } from '../../shared/data-access/data-access'

/** What a session keeps of it. */
export interface StoredViewAs {
  workspaceId: string
  subject: ViewAsSubject
  name: string
  /** Epoch ms at which it ends. */
  until: number
}

/** Whose view a session has in a workspace now; null: the person's own. */
export function currentViewAs(
  stored: string | null,
  at: { workspaceId: string; role: Role; now: number },
): StoredViewAs | null {
  if (stored === null || !roleMay(at.role, 'view:access')) return null
  const view: StoredViewAs = JSON.parse(stored)
  return view.workspaceId === at.workspaceId && at.now < view.until ? view : null
}

/**
 * What that one may see and do, and who looks may, too. Somebody who is gone sees nothing.
 * @param own of who looks
 */
export async function rightsOfView(
  db: Database,
  { workspaceId, subject, name }: StoredViewAs,
  { features, own }: { features: PlanFeatures; own: { role: Role; rights: DataRights } },
): Promise<{ rights: DataRights; viewAs: ViewAs }> {
  const { policy } = await readPolicy(db, workspaceId)
  const person = await personOfSubject(db, { workspaceId, subject, features })
  const role = weakerRole(own.role, person?.role ?? 'client')
  const viewAs: ViewAs = { kind: subject.kind, name, role, limited: !isFullAccess(own.rights) }
  return { viewAs, rights: sharedRights(own.rights, dataRights(policy, person ?? NOBODY)) }
}
/** Of two roles the one that may less: each may all that those after it may. */
const weakerRole = (one: Role, other: Role): Role => (ROLES.indexOf(one) > ROLES.indexOf(other) ? one : other)
const NOBODY: AccessPerson = { userId: '', role: 'client', email: null, groupIds: [], values: [] }

/** A member as they are; of a group a viewer who is in it alone, of a role somebody in no group. */
export async function personOfSubject(
  db: Database,
  { workspaceId, subject, features }: { workspaceId: string; subject: ViewAsSubject; features: PlanFeatures },
): Promise<AccessPerson | null> {
  if (subject.kind === 'member') {
    const [person] = await readAccessPeople(db, { workspaceId, features, only: subject.id })
    return person ?? null
  }
  const values = await readHeldValues(db, workspaceId)
  if (subject.kind === 'group') return { ...NOBODY, role: 'viewer', groupIds: [subject.id], values }
  return { ...NOBODY, role: subject.role, values }
}
