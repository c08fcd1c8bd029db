import { queryOptions } from '@tanstack/react-query'
import { api, readJson, withIdempotencyKey } from '../../../lib/api'
import { itemsQuery } from '../../../lib/queries/query-options'
import { userKey } from '../../../lib/session'
import type { AccessToken, CreatedAccessToken, TokenScope } from '../../../../src/shared/programs/access-tokens'
import type {
  AuthorizationRequest,
  ConnectedApp,
  ConnectedAppCode,
  ConsentQuestion,
} from '../../../../src/shared/programs/connected-apps'

export const accessTokensQuery = () =>
  itemsQuery<AccessToken>(userKey('access-tokens'), (options) => api.api['access-tokens'].$get({}, options))

export interface NewAccessToken {
  name: string
  scopes: TokenScope[]
  days: number
  password?: string
}
/** The answer is the only one that has the token: nothing of it is kept for a repetition. */
export const createAccessToken = (json: NewAccessToken) =>
  readJson<CreatedAccessToken>(api.api['access-tokens'].$post({ json }))

export const revokeAccessToken = (id: string) =>
  readJson<AccessToken>(api.api['access-tokens'][':id'].$delete({ param: { id } }, withIdempotencyKey()))

export const connectedAppsQuery = () =>
  itemsQuery<ConnectedApp>(userKey('connected-apps'), (options) => api.api['connected-apps'].$get({}, options))

export const revokeConnectedApp = (id: string) =>
  readJson<ConnectedApp>(api.api['connected-apps'][':id'].$delete({ param: { id } }, withIdempotencyKey()))

/** What an app asks for, checked before anything is shown of it. */
export const consentQuery = (request: AuthorizationRequest) =>
  queryOptions({
    queryKey: [...userKey('connected-apps'), 'check', request],
    queryFn: () => readJson<ConsentQuestion>(api.api['connected-apps'].check.$post({ json: request })),
    retry: false,
    staleTime: Infinity,
  })

export const connectApp = (json: { request: AuthorizationRequest; scopes: TokenScope[]; password?: string }) =>
  readJson<ConnectedAppCode>(api.api['connected-apps'].$post({ json }))
