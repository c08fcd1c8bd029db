import { getWorkspace } from './service'
import { workspaceStore } from './store'
import type { Scope } from '../../access/scope'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import type { WriteContext } from '../../http/asking'
import { deleteUnreferencedPictures, storePicture } from '../../http/picture'
import { LOGO_MAX_BYTES } from '../../shared/account'
import { ProductError } from '../../shared/errors'
import { picturePath } from '../../shared/pictures'
import type { Workspace } from '../../shared/workspaces'

/** Stores the picture in a request's body as the workspace's logo, in place of the one before. */
export async function putLogo(deps: Deps, scope: Scope, request: Request): Promise<Workspace> {
  const key = await storePicture(deps, request, LOGO_MAX_BYTES)
  return setLogo(deps, { scope, reply: () => null }, key)
}

/** Back to initials. */
export const removeLogo = (deps: Deps, ask: WriteContext): Promise<Workspace> => setLogo(deps, ask, null)

/** Whoever sends last has the say; the version goes up, so that a form that was open before notices. */
async function setLogo(deps: Deps, { scope, reply }: WriteContext, key: string | null): Promise<Workspace> {
  const before = await getWorkspace(deps, scope)
  const after: Workspace = { ...before, logo: picturePath(key), version: before.version + 1 }
  await commit(deps, {
    change: [workspaceStore(deps.db, scope).setLogo(key)],
    audit: [
      {
        workspaceId: scope.workspaceId,
        actorId: scope.actorId,
        action: key === null ? 'logo.remove' : 'logo.update',
        entity: 'workspace',
        entityId: scope.workspaceId,
        before: { logo: before.logo },
        after: { logo: after.logo },
      },
    ],
    reply: reply(after),
    expect: { onMissed: () => new ProductError('not_found') },
  })
  await deleteUnreferencedPictures(deps)
  return key === null ? after : getWorkspace(deps, scope)
}
