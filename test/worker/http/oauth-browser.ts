import { env } from 'cloudflare:test'
import { callApp, ORIGIN, visitor, type Caller } from '../factories'
import { depsAt } from '../deps'
import { createApp } from '../../../src/app'
import type { Deps } from '../../../src/deps'
import type { OauthStart, IdentityProvider } from '../../../src/shared/account'

/** The product with the stand-in for Google and Microsoft behind its operator door; one of it where nothing is changed. */
export async function appWithProviders(over?: Partial<Deps>): Promise<ReturnType<typeof createApp>> {
  if (over) return createProviderApp(over)
  unchanged ??= createProviderApp({})
  return unchanged
}
let unchanged: Promise<ReturnType<typeof createApp>> | null = null
async function createProviderApp(over: Partial<Deps>): Promise<ReturnType<typeof createApp>> {
  const answer = await env.OIDC.fetch('http://oidc/settings')
  const settings = { ...depsAt(Date.now()).settings, ...(await answer.json<object>()) }
  return createApp({ settings, operatorFetcher: (request) => env.OIDC.fetch(request), ...over })
}
export type OauthApp = Awaited<ReturnType<typeof appWithProviders>>

/** A browser on its way to a provider and back: cookies are kept as a browser keeps them. */
export class OauthBrowser {
  readonly cookies = new Map<string, string>()
  readonly #who: Caller

  constructor(who: Caller) {
    this.#who = who
    this.#read(who.cookie.split('; '))
  }

  static async visiting(app: OauthApp): Promise<OauthBrowser> {
    return new OauthBrowser(await visitor({ app }))
  }

  #read(pairs: string[]): void {
    for (const pair of pairs) {
      const [name = '', value = ''] = pair.split(';')[0]?.split('=') ?? []
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    const answer = await callApp(this.#who.app, path, { headers: { cookie: this.cookie, ...headers } })
    this.#read(answer.headers.getSetCookie())
    return answer
  }

  /** Asks to be sent off; the whole answer. */
  async ask(json: object): Promise<Response> {
    const answer = await this.#who.fetch('/api/session/oauth', {
      method: 'POST',
      json,
      headers: { cookie: this.cookie },
    })
    this.#read(answer.headers.getSetCookie())
    return answer
  }

  /** Asks to be sent off; where to. */
  async start(identityProvider: IdentityProvider, more: object = {}): Promise<string> {
    const answer = await this.ask({ provider: identityProvider, acceptTerms: true, ...more })
    if (answer.status !== 200) throw new Error(`start: ${answer.status} ${await answer.text()}`)
    return (await answer.json<OauthStart>()).url
  }

  /** Chooses somebody at the provider; the path that the provider sends the browser back to. */
  async choose(url: string, persona: string, more: Record<string, string> = {}): Promise<string> {
    const asked = new URL(url)
    for (const [name, value] of Object.entries({ persona, ...more })) asked.searchParams.set(name, value)
    const answer = await env.OIDC.fetch(asked, { redirect: 'manual' })
    const back = new URL(answer.headers.get('location') ?? '')
    if (back.origin !== ORIGIN) throw new Error(`the provider leads to ${back.origin}`)
    return `${back.pathname}${back.search}`
  }

  /** The whole way; where it ends. */
  async signIn(provider: IdentityProvider, persona: string, more: Record<string, string> = {}, ask: object = {}) {
    const back = await this.choose(await this.start(provider, ask), persona, more)
    return (await this.get(back)).headers.get('location')
  }
}
