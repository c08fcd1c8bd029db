import { queryOptions } from '@tanstack/react-query'
import { answer, api, idempotencyKey, send } from '../../lib/api'
import { session } from '../../lib/session'
import type {
  DeletionPreview,
  EmailChange,
  OauthStart,
  Profile,
  ProfileInput,
  Provider,
  SessionItem,
  SignIns,
} from '../../../src/shared/account'

const once = () => ({ headers: { 'idempotency-key': idempotencyKey() } })
/** Everything here is the person's own, in whichever workspace the tab is. */
const key = (noun: string) => [noun, session().user?.id] as const

export const profileQuery = () =>
  queryOptions({
    queryKey: key('profile'),
    queryFn: ({ signal }) => answer<Profile>(api.api.profile.$get({}, { init: { signal } })),
  })

export const saveProfile = (json: ProfileInput) => answer<Profile>(api.api.profile.$put({ json }, once()))

/** The person's picture from now on; answers its path. */
export async function putAvatar(picture: Blob): Promise<{ avatar: string | null }> {
  const headers = { 'content-type': 'application/octet-stream' }
  const changed: { avatar: string | null } = await (
    await send('/files/profile/avatar', { method: 'PUT', body: picture, headers })
  ).json()
  return changed
}

export const removeAvatar = () => answer<{ avatar: string | null }>(api.files.profile.avatar.$delete({}, once()))

export const emailQuery = () =>
  queryOptions({
    queryKey: key('email'),
    queryFn: ({ signal }) => answer<EmailChange>(api.api.account.email.$get({}, { init: { signal } })),
  })

/** Starts a change of address. The password stands in it, so nothing of it is kept for a repetition. */
export const changeEmail = (json: { email: string; password?: string }) =>
  answer<EmailChange>(api.api.account.email.$put({ json }))

export const cancelEmailChange = () => answer<EmailChange>(api.api.account.email.$delete({}, once()))

export const signInsQuery = () =>
  queryOptions({
    queryKey: key('sign-ins'),
    queryFn: ({ signal }) => answer<SignIns>(api.api.account['sign-ins'].$get({}, { init: { signal } })),
  })

export const removeSignIn = (id: string) =>
  answer<SignIns>(api.api.account['sign-ins'][':id'].$delete({ param: { id } }, once()))

const HERE = '/settings/profile/authentication'
/** Connects a provider with the account; answers where the browser goes for it. */
export const connectProvider = (json: { provider: Provider; password?: string }) =>
  answer<OauthStart>(api.api.session.oauth.$post({ json: { ...json, connect: true, return: HERE } }))

/** Signs the person in anew with their provider, which proves who they are for some minutes. */
export const signInAgain = (provider: Provider) =>
  answer<OauthStart>(api.api.session.oauth.$post({ json: { provider, acceptTerms: true, return: HERE } }))

export const sessionsQuery = () =>
  queryOptions({
    queryKey: key('sessions'),
    queryFn: ({ signal }) => answer<SessionItem[]>(api.api.account.sessions.$get({}, { init: { signal } })),
  })

export const endSession = (id: string) =>
  answer<{ id: string; current: boolean }>(api.api.account.sessions[':id'].$delete({ param: { id } }, once()))

export const endOtherSessions = () => answer<{ ended: number }>(api.api.account.sessions.$delete({}, once()))

export const deletionQuery = () =>
  queryOptions({
    queryKey: key('account-deletion'),
    queryFn: ({ signal }) => answer<DeletionPreview>(api.api.account.deletion.$get({}, { init: { signal } })),
    // What stands in the way changes with what others do.
    staleTime: 0,
  })

/** Deletes the signed-in person's account; they are signed out everywhere. */
export const deleteAccount = (json: { confirm: string; password?: string }) =>
  answer<unknown>(api.api.account.delete.$post({ json }))
