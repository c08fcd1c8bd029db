import { jsonQuery } from '../../lib/queries/query-options'
import { queryOptions } from '@tanstack/react-query'
import { readJson, api, withIdempotencyKey } from '../../lib/api'
import { userKey } from '../../lib/session'
import type {
  AccountDeletionPreview,
  EarlierUse,
  EmailChange,
  OauthStart,
  IdentityProvider,
  SessionItem,
  SignInMethods,
} from '../../../src/shared/account'

export const emailQuery = () =>
  jsonQuery<EmailChange>(userKey('email'), (options) => api.api.account.email.$get({}, options))

export const earlierUseQuery = () =>
  jsonQuery<EarlierUse>(userKey('earlier-use'), (options) => api.api.account['earlier-use'].$get({}, options))

/** Starts a change of address. The password stands in it, so nothing of it is kept for a repetition. */
export const changeEmail = (json: { email: string; password?: string }) =>
  readJson<EmailChange>(api.api.account.email.$put({ json }))

export const cancelEmailChange = () => readJson<EmailChange>(api.api.account.email.$delete({}, withIdempotencyKey()))

export const signInsQuery = () =>
  jsonQuery<SignInMethods>(userKey('sign-ins'), (options) => api.api.account['sign-ins'].$get({}, options))

/** Takes away a way in. The password stands in it, so nothing of it is kept for a repetition. */
export const removeSignIn = ({ id, password }: { id: string; password?: string }) =>
  readJson<SignInMethods>(
    api.api.account['sign-ins'][':id'].remove.$post({
      param: { id },
      json: password === undefined ? {} : { password },
    }),
  )

const AUTHENTICATION_PATH = '/settings/profile/authentication'
/** Connects a provider with the account; answers where the browser goes for it. */
export const connectProvider = (json: { provider: IdentityProvider; password?: string }) =>
  readJson<OauthStart>(api.api.session.oauth.$post({ json: { ...json, connect: true, return: AUTHENTICATION_PATH } }))

/** Signs the person in anew with their provider, which proves who they are for some minutes. */
export const reauthenticateWithProvider = (identityProvider: IdentityProvider) =>
  readJson<OauthStart>(
    api.api.session.oauth.$post({
      json: { provider: identityProvider, acceptTerms: true, return: AUTHENTICATION_PATH },
    }),
  )

export const sessionsQuery = () =>
  jsonQuery<SessionItem[]>(userKey('sessions'), (options) => api.api.account.sessions.$get({}, options))

export const revokeSession = (id: string) =>
  readJson<{ id: string; current: boolean }>(
    api.api.account.sessions[':id'].$delete({ param: { id } }, withIdempotencyKey()),
  )

export const revokeOtherSessions = () =>
  readJson<{ ended: number }>(api.api.account.sessions.$delete({}, withIdempotencyKey()))

export const deletionQuery = () =>
  queryOptions({
    ...jsonQuery<AccountDeletionPreview>(userKey('account-deletion'), (options) =>
      api.api.account.deletion.$get({}, options),
    ),
    // What stands in the way changes with what others do.
    staleTime: 0,
  })

/** Deletes the signed-in person's account; they are signed out everywhere. */
export const deleteAccount = (json: { confirm: string; password?: string }) =>
  readJson<unknown>(api.api.account.delete.$post({ json }))
