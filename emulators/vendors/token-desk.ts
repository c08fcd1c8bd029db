import type { VendorSimulation } from './simulation.ts'

/** How long what a vendor hands out is good for, and what it asks. */
export interface TokenRules {
  clientId: string
  clientSecret: string
  codeMs: number
  accessMs: number
  /** Null = a refresh token is good until it is revoked. */
  refreshMs: number | null
  /** Each refresh makes the token that it used worthless. */
  rotates: boolean
}

/** Whose data a token opens, and which. */
export interface Grant {
  account: string
  scope: string
}
export interface IssuedTokens {
  access: string
  refresh: string
  expiresInSeconds: number
  scope: string
}

interface IssuedCode extends Grant {
  redirectUri: string
  challenge: string | null
  expires: number
}
interface StoredToken extends Grant {
  expires: number | null
}

/** Codes and tokens of one vendor. Answers null where the vendor says `invalid_grant`. */
export class TokenDesk {
  readonly rules: TokenRules
  readonly #world: VendorSimulation
  readonly #codes = new Map<string, IssuedCode>()
  readonly #access = new Map<string, StoredToken>()
  readonly #refresh = new Map<string, StoredToken>()
  /** Accounts that agreed and have not taken it back. */
  readonly #consents = new Map<string, string>()
  /** How often tokens were handed out by each way. */
  readonly issued = { code: 0, refresh: 0, client: 0 }

  constructor(world: VendorSimulation, rules: TokenRules) {
    this.#world = world
    this.rules = rules
  }

  agree(grant: Grant, asked: { redirectUri: string; challenge: string | null }): string {
    const code = this.#world.id('code-')
    this.#consents.set(grant.account, grant.scope)
    this.#codes.set(code, { ...grant, ...asked, expires: this.#world.now() + this.rules.codeMs })
    return code
  }

  /** A code is good once, for a short time, at the address that it was sent to. */
  async exchange(asked: { code: string; redirectUri: string; verifier: string | null }): Promise<IssuedTokens | null> {
    const known = this.#codes.get(asked.code)
    this.#codes.delete(asked.code)
    if (!known || known.expires < this.#world.now() || known.redirectUri !== asked.redirectUri) return null
    if (known.challenge !== null && known.challenge !== (await challengeOf(asked.verifier ?? ''))) return null
    this.issued.code += 1
    return this.#issue(known)
  }

  refresh(token: string): IssuedTokens | null {
    const known = this.#refresh.get(token)
    if (!known || (known.expires !== null && known.expires < this.#world.now())) return null
    this.issued.refresh += 1
    if (!this.rules.rotates) return { ...this.#issue(known), refresh: token }
    this.#refresh.delete(token)
    return this.#issue(known)
  }

  /** Tokens for an account that agreed, without any of its own. */
  forAccount(account: string): IssuedTokens | null {
    const scope = this.#consents.get(account)
    if (scope === undefined) return null
    this.issued.client += 1
    return this.#issue({ account, scope })
  }

  /** Whose data a token opens; null = none's. */
  grantOf(accessToken: string): Grant | null {
    const known = this.#access.get(accessToken)
    return known && (known.expires === null || known.expires >= this.#world.now()) ? known : null
  }

  /** The account's people take their consent back. */
  revoke(account: string): void {
    this.#consents.delete(account)
    for (const tokens of [this.#access, this.#refresh])
      for (const [token, grant] of tokens) if (grant.account === account) tokens.delete(token)
  }

  #issue({ account, scope }: Grant): IssuedTokens {
    const now = this.#world.now()
    const { accessMs, refreshMs } = this.rules
    const [access, refresh] = [this.#world.id('access-'), this.#world.id('refresh-')]
    this.#access.set(access, { account, scope, expires: now + accessMs })
    this.#refresh.set(refresh, { account, scope, expires: refreshMs === null ? null : now + refreshMs })
    return { access, refresh, expiresInSeconds: accessMs / 1000, scope }
  }
}

/** PKCE, `S256`. */
async function challengeOf(verifier: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)))
  return btoa(String.fromCharCode(...hash))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
