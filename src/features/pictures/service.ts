import type { Actor } from '../../scope'
import { avatarUpdate } from './store'
import { userAuditEntry } from '../../db/audit'
import { commit, type StoredReply } from '../../db/commit'
import type { Deps } from '../../deps'
import { deleteUnreferencedPictures, storePicture } from '../../http/picture-upload'
import { AVATAR_MAX_BYTES } from '../../shared/account'
import { picturePath } from '../../shared/pictures'

type AvatarOwner = Pick<Actor, 'userId' | 'avatarKey'>
/** What a person's picture is after a change; `avatar` is its path. */
export interface AvatarChanged {
  avatar: string | null
}

/** Stores the picture in a request's body as the person's own, in place of the one before. */
export async function putAvatar(deps: Deps, avatarOwner: AvatarOwner, request: Request): Promise<AvatarChanged> {
  const key = await storePicture(deps, request, AVATAR_MAX_BYTES)
  return setAvatar(deps, avatarOwner, { key })
}

/** Back to initials. */
export const removeAvatar = (deps: Deps, avatarOwner: AvatarOwner, reply: StoredReply | null): Promise<AvatarChanged> =>
  setAvatar(deps, avatarOwner, { key: null, reply })

async function setAvatar(
  deps: Deps,
  { userId, avatarKey }: AvatarOwner,
  next: { key: string | null; reply?: StoredReply | null },
): Promise<AvatarChanged> {
  const { key, reply = null } = next
  await commit(deps, {
    change: [avatarUpdate(deps.db, userId, key)],
    audit: [
      userAuditEntry(userId, key === null ? 'avatar.remove' : 'avatar.update', {
        before: { avatar: avatarKey },
        after: { avatar: key },
      }),
    ],
    reply,
  })
  await deleteUnreferencedPictures(deps)
  return { avatar: picturePath(key) }
}
