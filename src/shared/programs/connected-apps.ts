import { z } from 'zod'
import { tokenScopesSchema, type TokenScope, type TokenState } from './access-tokens'
import { passwordSchema } from '../session'

/** Apps of a person in one workspace. */
export const CONNECTED_APPS_MAX = 20
/** Where an app sends a person to be asked; a page of ours. */
export const AUTHORIZE_PATH = '/oauth/authorize'

const paramSchema = (max: number) => z.string().max(max)
/** What an app asks for in the address of the consent page (RFC 6749, RFC 7636, RFC 8707). */
export const authorizationRequestSchema = z.strictObject({
  clientId: paramSchema(200),
  redirectUri: paramSchema(2000),
  responseType: paramSchema(40).default(''),
  codeChallenge: paramSchema(200).default(''),
  codeChallengeMethod: paramSchema(20).default(''),
  scope: paramSchema(200).default(''),
  state: paramSchema(1000).default(''),
  resource: paramSchema(500).default(''),
})
export type AuthorizationRequest = z.output<typeof authorizationRequestSchema>

/** `POST /api/connected-apps/check`: what the consent page says. It changes nothing. */
export interface ConsentQuestion {
  /** As the app calls itself: nobody has proven it. */
  name: string
  /** Where the answer goes. */
  host: string
  /** On the person's own machine. */
  local: boolean
  scopes: TokenScope[]
  /** Where a refusal takes the person. */
  denyUrl: string
}

/** `POST /api/connected-apps`: the person agrees, for the workspace that the call names. */
export const connectAppSchema = z.strictObject({
  request: authorizationRequestSchema,
  scopes: tokenScopesSchema,
  password: passwordSchema.optional(),
})
/** Where the browser goes on: back to the app, with its code. */
export interface ConnectedAppCode {
  redirectTo: string
}

export interface ConnectedApp {
  id: string
  name: string
  workspaceId: string
  workspaceName: string
  scopes: TokenScope[]
  state: TokenState
  createdAt: string
  lastUsedAt: string | null
}
