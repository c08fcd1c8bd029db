import type { z } from 'zod'
import { readJson, api, withIdempotencyKey } from './api'
import { appCheckHeader } from './app-check'
import { forgetDrafts, keepOnlyDraftsOf } from './writes/kept-draft'
import { queryClient, readAgain } from './queries/query-client'
import { session, setSession } from './session'
import { forgetWrites } from './writes/single-flight'
import type {
  answerEarlierUseSchema,
  changePasswordSchema,
  EmailConfirmation,
  emailLinkSignInSchema,
  OauthStart,
  IdentityProvider,
  resetConfirmSchema,
  resetRequestSchema,
  MailSent,
  RestoredAccount,
  tokenBodySchema,
} from '../../src/shared/account'
import type { PageData, RegisterInput, SignInInput } from '../../src/shared/session'

/** For calls that only people may make. */
const withAppCheck = async () => ({ headers: { ...withIdempotencyKey().headers, ...(await appCheckHeader()) } })

/** Tried again as any read: mostly a write came before that did not fail. */
function readSession(workspaceId = session().workspace?.id): Promise<PageData> {
  const headers = workspaceId === undefined ? {} : { 'x-workspace': workspaceId }
  return readAgain(() => readJson<PageData>(api.api.session.$get({}, { headers })))
}

/** The page data anew: who is signed in, in which workspace, with which token. */
export async function loadSession(workspaceId?: string): Promise<PageData> {
  const data = await readSession(workspaceId)
  setSession(data)
  return data
}

/**
 * The same where the tab is in another workspace from then on, or in none: what was read before is forgotten, and only once
 * there is something to show instead.
 */
export async function loadOtherSession(workspaceId?: string): Promise<PageData> {
  const data = await readSession(workspaceId)
  queryClient.clear()
  setSession(data)
  return data
}

let tokenUnderWay: Promise<boolean> | null = null
/**
 * Reads a new anti-forgery token and nothing else: a screen with an unsaved form stays as it is, also when its session
 * has ended meanwhile. All calls that need one share a reading, as each would be a visitor of its own. False when
 * somebody else is signed in by now.
 */
export function refreshCsrfToken(): Promise<boolean> {
  tokenUnderWay ??= readCsrfToken().finally(() => (tokenUnderWay = null))
  return tokenUnderWay
}

async function readCsrfToken(): Promise<boolean> {
  const { csrfToken } = session()
  const data = await readJson<PageData>(api.api.session.$get({}))
  // Somebody signed in while it was read: theirs is newer, and this one belongs to no session.
  if (session().csrfToken !== csrfToken) return true
  if (data.user && data.user.id !== session().user?.id) return false
  setSession({ ...session(), csrfToken: data.csrfToken })
  return true
}

/** Takes over an answer that changed who is signed in; nothing read before it stays. */
function applySession(data: PageData): PageData {
  const samePerson = session().user?.id === data.user?.id
  if (!samePerson) queryClient.clear()
  if (!samePerson) forgetWrites()
  if (!samePerson && data.user) keepOnlyDraftsOf(data.user.id)
  setSession(data)
  announceSession(data.user?.id ?? null)
  return data
}

export const signIn = async (json: SignInInput): Promise<PageData> =>
  applySession(await readJson<PageData>(api.api.session['sign-in'].$post({ json }, await withAppCheck())))

/** Where the browser goes to sign in with a provider; the buttons say that a first sign-in accepts the terms. */
export const startOauthSignIn = (
  identityProvider: IdentityProvider,
  returnTo: string | undefined,
): Promise<OauthStart> => {
  const json = {
    provider: identityProvider,
    acceptTerms: true,
    ...(returnTo === undefined ? {} : { return: returnTo }),
  }
  return readJson<OauthStart>(api.api.session.oauth.$post({ json }))
}

/** The demo of local mode. */
export const signInToDemo = async (): Promise<PageData> =>
  applySession(await readJson<PageData>(api.api.session.demo.$post({}, withIdempotencyKey())))

export const register = async (json: RegisterInput): Promise<PageData> =>
  applySession(await readJson<PageData>(api.api.account.register.$post({ json }, await withAppCheck())))

/** Has a link to a new password sent. */
export const requestReset = async (json: z.input<typeof resetRequestSchema>): Promise<MailSent> =>
  readJson<MailSent>(api.api.account.reset.$post({ json }, { headers: await appCheckHeader() }))

/** The new password of a link: signs in here, and out everywhere else. */
export const confirmReset = async (json: z.input<typeof resetConfirmSchema>): Promise<PageData> =>
  applySession(await readJson<PageData>(api.api.account.reset.confirm.$post({ json })))

/** A changed password: this session goes on as a new one, every other one has ended. */
export const changePassword = async (json: z.input<typeof changePasswordSchema>): Promise<PageData> =>
  applySession(await readJson<PageData>(api.api.account.password.$put({ json })))

/** Has a link sent that signs in. */
export const requestSignInLink = async (json: z.input<typeof emailLinkSignInSchema>): Promise<MailSent> =>
  readJson<MailSent>(api.api.session.link.$post({ json }, { headers: await appCheckHeader() }))

export const signInByLink = async (json: z.input<typeof tokenBodySchema>): Promise<PageData> =>
  applySession(await readJson<PageData>(api.api.session.link.confirm.$post({ json })))

/** One side of a changed address; when both have confirmed, the page says the new one. */
export async function confirmEmail(json: z.input<typeof tokenBodySchema>): Promise<EmailConfirmation> {
  const confirmed = await readJson<EmailConfirmation>(
    api.api.account.email.confirm.$post({ json }, withIdempotencyKey()),
  )
  if (session().user) await loadSession()
  return confirmed
}

/** Has the mail sent again whose link confirms the address. */
export const resendEmailProof = (): Promise<MailSent> =>
  readJson<MailSent>(api.api.account.email.proof.$post({}, withIdempotencyKey()))

/** Confirms the address of who is signed in. */
export const confirmEmailProof = async (json: z.input<typeof tokenBodySchema>): Promise<PageData> =>
  applySession(await readJson<PageData>(api.api.account.email.proof.confirm.$post({ json })))

/**
 * Says what stays of an account that was used before its address was proven. Workspaces may be gone then. The password may
 * stand in it, so nothing of it is kept for a repetition.
 */
export async function answerEarlierUse(json: z.input<typeof answerEarlierUseSchema>): Promise<void> {
  await readJson<unknown>(api.api.account['earlier-use'].$post({ json }))
  await loadOtherSession()
}

/** Takes a deleted account back. */
export const restoreAccount = (json: z.input<typeof tokenBodySchema>): Promise<RestoredAccount> =>
  readJson<RestoredAccount>(api.api.account.undelete.$post({ json }))

/** Ends the session on the server, then everything of it here. Other tabs follow. */
export async function signOut(): Promise<void> {
  applySession(await readJson<PageData>(api.api.session['sign-out'].$post({}, withIdempotencyKey())))
  queryClient.clear()
  forgetDrafts()
}

/**
 * Brings the tab into the workspace its address names. What was read in another workspace is forgotten first.
 * A workspace the person does not belong to leaves the tab where it is.
 */
export async function enterWorkspace(id: string | undefined): Promise<void> {
  const { user, workspace, workspaces } = session()
  if (id === undefined || !user || workspace?.id === id) return
  if (!workspaces.some((known) => known.id === id)) return
  await loadOtherSession(id)
}

interface SessionMessage {
  userId: string | null
}

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('insikt-session')

/** Tells the other tabs that somebody signed in or out here. */
function announceSession(userId: string | null): void {
  channel?.postMessage({ userId } satisfies SessionMessage)
}

/** Calls back when another tab changed who is signed in. */
export function onSessionChange(listener: (userId: string | null) => void): () => void {
  const handle = (event: MessageEvent<SessionMessage>) => listener(event.data.userId)
  channel?.addEventListener('message', handle)
  return () => channel?.removeEventListener('message', handle)
}
