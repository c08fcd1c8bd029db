import { readPolicy } from './access-store'
import { accessFingerprint, type Scope } from '../../scope'
import { readMemberContext } from '../member-context-store'
import type { Database } from '../../db/database'
import { ProductError } from '../../shared/errors'
import type { Clock } from '../../shared/ids'

/**
 * For what is read in several pages: asked before each further one, throws once the reader may see other things than when
 * it was begun. What was written by then breaks off, and does not look complete.
 */
export type RightsWatch = () => Promise<void>

export async function watchRights(deps: { db: Database; clock: Clock }, scope: Scope): Promise<RightsWatch> {
  const { workspaceId, actorId: userId } = scope
  // Of somebody else's view all that decides is known by the epoch of the rules.
  const epochOf = async (): Promise<number | null> =>
    scope.isView ? (await readPolicy(deps.db, workspaceId)).epoch : null
  const begun = await epochOf()
  return async () => {
    const [member, epoch] = await Promise.all([readMemberContext(deps, { workspaceId, userId }), epochOf()])
    const isSame =
      member !== null &&
      epoch === begun &&
      member.scope.wire().epoch === scope.wire().epoch &&
      (scope.isView || accessFingerprint(member.scope) === accessFingerprint(scope))
    if (!isSame)
      throw new ProductError(
        'forbidden',
        { reason: 'dataAccess' },
        'Your data access changed. Download the file again.',
      )
  }
}
