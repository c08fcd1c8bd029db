import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseIdentity } from './provider-identity'
import { depsAt } from '../../../test/worker/deps'
import { appWithProviders, OauthBrowser } from '../../../test/worker/http/oauth-browser'
import { readSettings } from '../../settings'
import { personNameSchema } from '../../shared/field-schemas'
import { anyText } from '../../../test/worker/random/any-text'

const { settings } = depsAt(0)
const TENANT = '11111111-aaaa-4aaa-8aaa-000000000001'
const google = (claims: object) =>
  parseIdentity('google', { iss: 'https://accounts.google.com', sub: 's', ...claims }, settings)
const entra = (claims: object, issuer = settings.MICROSOFT_ISSUER) =>
  parseIdentity(
    'microsoft',
    { iss: `https://login.microsoftonline.com/${TENANT}/v2.0`, tid: TENANT, sub: 's', ...claims },
    { ...settings, MICROSOFT_ISSUER: issuer },
  )

describe('whom a token names', () => {
  it('is nobody when the issuer is not the configured one, or not that of the token’s own tenant', () => {
    expect(google({})).toMatchObject({ issuer: 'https://accounts.google.com', subject: 's' })
    expect(google({ iss: 'https://accounts.google.com.evil.example' })).toBeNull()
    expect(google({ sub: '' })).toBeNull()
    expect(entra({})).toMatchObject({ issuer: `https://login.microsoftonline.com/${TENANT}/v2.0` })
    expect(entra({ tid: undefined })).toBeNull()
    expect(entra({ tid: '22222222-aaaa-4aaa-8aaa-000000000001' })).toBeNull()
    expect(entra({ tid: 'common', iss: settings.MICROSOFT_ISSUER })).toBeNull()
    const single = 'https://login.microsoftonline.com/99999999-aaaa-4aaa-8aaa-000000000001/v2.0'
    expect(entra({}, single)).toBeNull()
    expect(entra({ iss: single }, single)).toMatchObject({ issuer: single })
    expect(entra({}, 'https://login.microsoftonline.com/organizations/v2.0')).not.toBeNull()
  })

  it.each([
    ['google', { email_verified: true }, true],
    ['google', { email_verified: 'true' }, true],
    ['google', { email_verified: false }, false],
    ['google', { email_verified: 'false' }, false],
    ['google', { email_verified: 1 }, false],
    ['google', { xms_edov: true }, false],
    ['google', {}, false],
    ['microsoft', { xms_edov: true }, true],
    ['microsoft', { xms_edov: '1' }, true],
    ['microsoft', { xms_edov: 0 }, false],
    ['microsoft', { xms_edov: {} }, false],
    ['microsoft', { email_verified: true }, false],
  ] as const)('%s with %j: the address counts = %s', (provider, claims, proven) => {
    const of = provider === 'google' ? google : entra
    expect(of({ email: 'Anna@Example.com', ...claims })).toMatchObject({ email: 'anna@example.com', proven })
  })

  it('takes a user name for no proof, and an address it cannot write canonically for none', () => {
    expect(entra({ preferred_username: 'a@b.example', xms_edov: true })).toMatchObject({
      email: 'a@b.example',
      proven: false,
    })
    expect(google({ email: '"a"@b.example', email_verified: true })).toMatchObject({ email: null, proven: false })
  })

  it('has a name that the product takes, whatever the provider wrote', () => {
    fc.assert(
      fc.property(fc.anything(), fc.oneof(anyText(), fc.emailAddress()), (name, email) => {
        const parsed = personNameSchema.safeParse(google({ name, email })?.name)
        expect(parsed.success).toBe(true)
      }),
    )
  })
})

describe('the issuers of an installation', () => {
  it('are named by https', () => {
    for (const name of ['GOOGLE_ISSUER', 'MICROSOFT_ISSUER'])
      expect(readSettings({ ...env, [name]: 'http://accounts.google.com' })).toMatchObject({ ok: false })
  })

  it('are called with Google’s own token host and no other, without following redirects', async () => {
    const called: string[] = []
    const app = await appWithProviders({
      settings: { ...settings, GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' },
      operatorFetcher: async (request) => {
        called.push(`${new URL(request.url).origin} ${request.redirect}`)
        return Response.json({
          issuer: 'https://accounts.google.com',
          authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
          token_endpoint: 'https://oauth2.googleapis.com/token',
          userinfo_endpoint: 'https://openidconnect.googleapis.com/v1/userinfo',
        })
      },
    })
    const browser = await OauthBrowser.visiting(app)
    const url = new URL(await browser.start('google'))
    expect(`${url.origin}${url.pathname}`).toBe('https://accounts.google.com/o/oauth2/v2/auth')
    await browser.get(`/api/auth/callback/google?code=c&state=${url.searchParams.get('state')}`)
    expect(called).toEqual([
      'https://accounts.google.com manual',
      'https://accounts.google.com manual',
      'https://oauth2.googleapis.com manual',
    ])
  })
})
