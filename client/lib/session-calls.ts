import type { z } from 'zod'
import { answer, api, idempotencyKey } from './api'
import { appCheckHeader } from './app-check'
import { queryClient } from './query-client'
import { session, setSession } from './session'
import { announceSession } from './tabs'
import type {
  changePasswordSchema,
  EmailConfirmed,
  linkSignInSchema,
  OauthStart,
  Provider,
  resetConfirmSchema,
  resetRequestSchema,
  Sent,
  Undeleted,
} from '../../src/shared/account'
import type { tokenBodySchema } from '../../src/shared/links'
import type { PageData, RegisterInput, SignInInput } from '../../src/shared/session'

const once = () => ({ headers: { 'idempotency-key': idempotencyKey() } })
/** For calls that only people may make. */
const asPerson = async () => ({ headers: { ...once().headers, ...(await appCheckHeader()) } })

/** The page data anew: who is signed in, in which workspace, with which token. */
export async function loadSession(workspaceId?: string): Promise<PageData> {
  const named = workspaceId ?? session().workspace?.id
  const headers = named === undefined ? {} : { 'x-workspace': named }
  const data = await answer<PageData>(api.api.session.$get({}, { headers }))
  setSession(data)
  return data
}

/**
 * Reads a new anti-forgery token and nothing else: a screen with an unsaved form stays as it is, also when its session
 * has ended meanwhile. False when somebody else is signed in by now.
 */
export async function renewToken(): Promise<boolean> {
  const data = await answer<PageData>(api.api.session.$get({}))
  if (data.user && data.user.id !== session().user?.id) return false
  setSession({ ...session(), csrfToken: data.csrfToken })
  return true
}

/** Takes over an answer that changed who is signed in; nothing read before it stays. */
function enter(data: PageData): PageData {
  const samePerson = session().user?.id === data.user?.id
  if (!samePerson) queryClient.clear()
  setSession(data)
  announceSession(data.user?.id ?? null)
  return data
}

export const signIn = async (json: SignInInput): Promise<PageData> =>
  enter(await answer<PageData>(api.api.session['sign-in'].$post({ json }, await asPerson())))

/** Where the browser goes to sign in with a provider; the buttons say that a first sign-in accepts the terms. */
export const startSignIn = (provider: Provider, returnTo: string | undefined): Promise<OauthStart> => {
  const json = { provider, acceptTerms: true, ...(returnTo === undefined ? {} : { return: returnTo }) }
  return answer<OauthStart>(api.api.session.oauth.$post({ json }))
}

/** The demo of local mode. */
export const signInToDemo = async (): Promise<PageData> =>
  enter(await answer<PageData>(api.api.session.demo.$post({}, once())))

export const register = async (json: RegisterInput): Promise<PageData> =>
  enter(await answer<PageData>(api.api.account.register.$post({ json }, await asPerson())))

/** Has a link to a new password sent. */
export const requestReset = async (json: z.input<typeof resetRequestSchema>): Promise<Sent> =>
  answer<Sent>(api.api.account.reset.$post({ json }, { headers: await appCheckHeader() }))

/** The new password of a link: signs in here, and out everywhere else. */
export const confirmReset = async (json: z.input<typeof resetConfirmSchema>): Promise<PageData> =>
  enter(await answer<PageData>(api.api.account.reset.confirm.$post({ json })))

/** A changed password: this session goes on as a new one, every other one has ended. */
export const changePassword = async (json: z.input<typeof changePasswordSchema>): Promise<PageData> =>
  enter(await answer<PageData>(api.api.account.password.$put({ json })))

/** Has a link sent that signs in. */
export const requestSignInLink = async (json: z.input<typeof linkSignInSchema>): Promise<Sent> =>
  answer<Sent>(api.api.session.link.$post({ json }, { headers: await appCheckHeader() }))

export const signInByLink = async (json: z.input<typeof tokenBodySchema>): Promise<PageData> =>
  enter(await answer<PageData>(api.api.session.link.confirm.$post({ json })))

/** One side of a changed address; when both have confirmed, the page says the new one. */
export async function confirmEmail(json: z.input<typeof tokenBodySchema>): Promise<EmailConfirmed> {
  const confirmed = await answer<EmailConfirmed>(api.api.account.email.confirm.$post({ json }, once()))
  if (session().user) await loadSession()
  return confirmed
}

/** Takes a deleted account back. */
export const undelete = (json: z.input<typeof tokenBodySchema>): Promise<Undeleted> =>
  answer<Undeleted>(api.api.account.undelete.$post({ json }))

/** Ends the session on the server, then everything of it here. Other tabs follow. */
export async function signOut(): Promise<void> {
  enter(await answer<PageData>(api.api.session['sign-out'].$post({}, once())))
  queryClient.clear()
}
