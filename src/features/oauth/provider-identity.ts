import { z } from 'zod'
import type { Settings } from '../../settings'
import type { IdentityProvider } from '../../shared/account'
import { personNameSchema } from '../../shared/field-schemas'
import { canonicalEmail } from '../../shared/session'

/** Who a provider says a person is. Issuer and subject name them; nothing else does. */
export interface ProviderIdentity {
  provider: IdentityProvider
  issuer: string
  subject: string
  name: string
  /** In canonical form, proven or not. */
  email: string | null
  /** The provider vouches that the address is the person's. Unproven ones are shown and decide nothing. */
  proven: boolean
}

const optionalText = z.string().optional().catch(undefined)
const claimsSchema = z.object({
  iss: z.string().min(1).max(300),
  sub: z.string().min(1).max(255),
  name: optionalText,
  email: optionalText,
  preferred_username: optionalText,
  email_verified: z.unknown().optional(),
  /** Entra: the owner of the address's domain was verified. Written as a boolean, a number or a text. */
  xms_edov: z.unknown().optional(),
  tid: optionalText,
})
type IdTokenClaims = z.output<typeof claimsSchema>

/**
 * The person of a validated id token, or null when the token does not name one.
 * @param claims as the library validated them: issuer, audience, nonce and times are right
 */
export function parseIdentity(
  identityProvider: IdentityProvider,
  claims: unknown,
  settings: Settings,
): ProviderIdentity | null {
  const parsed = claimsSchema.safeParse(claims)
  if (!parsed.success || !isTrustedIssuer(identityProvider, parsed.data, settings)) return null
  const { iss, sub } = parsed.data
  const email = canonicalEmail(parsed.data.email ?? parsed.data.preferred_username ?? '')
  return {
    provider: identityProvider,
    issuer: iss,
    subject: sub,
    name: displayNameOf(parsed.data, email),
    email,
    proven: email !== null && isEmailVerified(identityProvider, parsed.data),
  }
}

const TENANT = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** What stands in Entra's issuer where people of many tenants may sign in. */
const ANY_TENANT = /\/(common|organizations|consumers)\/v2\.0$/

/** Whether the token's issuer is the configured one; where any tenant may sign in, exactly that of the token's tenant. */
function isTrustedIssuer(provider: IdentityProvider, { iss, tid }: IdTokenClaims, settings: Settings): boolean {
  if (provider === 'google') return iss === settings.GOOGLE_ISSUER
  const configured = settings.MICROSOFT_ISSUER
  if (!ANY_TENANT.test(configured)) return iss === configured
  return tid !== undefined && TENANT.test(tid) && iss === configured.replace(ANY_TENANT, `/${tid}/v2.0`)
}

function isEmailVerified(provider: IdentityProvider, claims: IdTokenClaims): boolean {
  // Entra's `email` can be written by any tenant's administrator; a user name is no address at all.
  if (claims.email === undefined) return false
  const claim = provider === 'google' ? claims.email_verified : claims.xms_edov
  return claim === true || claim === 'true' || (provider === 'microsoft' && (claim === 1 || claim === '1'))
}

function displayNameOf({ name }: IdTokenClaims, email: string | null): string {
  for (const candidate of [name?.slice(0, 80), email?.split('@')[0]]) {
    const parsed = personNameSchema.safeParse(candidate)
    if (parsed.success) return parsed.data
  }
  return 'New member'
}
