import { readJson, api, apiFetch, withIdempotencyKey } from '../../lib/api'
import { loadSession } from '../../lib/session-actions'
import type { PageData } from '../../../src/shared/session'
import type { Profile, ProfileInput } from '../../../src/shared/account'

/** Remembers on the server how far the person has come, so that any device goes on from there. */
export async function saveOnboardingStep(step: 'profile' | 'source' | 'done'): Promise<PageData> {
  await readJson(api.api.onboarding.$put({ json: { step } }, withIdempotencyKey()))
  return loadSession()
}

export const saveProfile = (json: ProfileInput) =>
  readJson<Profile>(api.api.profile.$put({ json }, withIdempotencyKey()))

/** The person's picture from now on; answers its path. */
export async function putAvatar(picture: Blob): Promise<{ avatar: string | null }> {
  const headers = { 'content-type': 'application/octet-stream' }
  const changed: { avatar: string | null } = await (
    await apiFetch('/files/profile/avatar', { method: 'PUT', body: picture, headers })
  ).json()
  return changed
}

export const removeAvatar = () =>
  readJson<{ avatar: string | null }>(api.files.profile.avatar.$delete({}, withIdempotencyKey()))
