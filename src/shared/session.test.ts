import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalEmail, registerSchema, safeReturnPath } from './session'

const LANDING = '/data-sources'

describe('the path after sign-in (AUTH-11)', () => {
  it.each([
    '//evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/\\evil.example',
    '\\/evil.example',
    '/%2fevil.example',
    '%2f%2fevil.example',
    '/%5cevil.example',
    '/%09/evil.example',
    '/\t/evil.example',
    ' /ok',
    '/%',
    'ok',
    '',
    null,
    undefined,
    `/${'a'.repeat(2000)}`,
  ])('is the landing page instead of %j', (path) => {
    expect(safeReturnPath(path)).toBe(LANDING)
  })

  it.each(['/ok', '/insights/ins_1?w=ws_1#top', '/insights?q=%C3%A5', '/'])('may be %s', (path) => {
    expect(safeReturnPath(path)).toBe(path)
  })

  it('never leaves our origin, whatever is asked', () => {
    const nasty = fc.array(
      fc.constantFrom('/', '\\', '%2f', '%5c', '%09', '\t', '\n', ':', '@', '.', 'evil.example', 'a', '?', '#'),
      {
        maxLength: 8,
      },
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          nasty.map((parts) => parts.join('')),
        ),
        (text) => {
          const path = safeReturnPath(text)
          const url = new URL(path, 'https://insikt.example')
          expect(url.origin).toBe('https://insikt.example')
          expect(path.startsWith('/')).toBe(true)
          expect(decodeURIComponent(path)).not.toMatch(/^\/[/\\]/)
        },
      ),
      { numRuns: 2000 },
    )
  })
})

describe('the canonical form of an address (AUTH-4)', () => {
  const anyCodePoint = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code))
  it('does not change when it is taken again, and is never longer or other than lower-case ASCII', () => {
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), fc.string({ unit: anyCodePoint }), fc.string()), (text) => {
        const email = canonicalEmail(text)
        if (email === null) return
        expect(canonicalEmail(email)).toBe(email)
        expect(canonicalEmail(email.toUpperCase())).toBe(email)
        expect(email).toMatch(/^[\x21-\x7e]{3,254}$/)
        expect(email).toBe(email.toLowerCase())
        expect(email.split('@')).toHaveLength(2)
      }),
      { numRuns: 2000 },
    )
  })
})

it('asks a person for a name in words that fit a person', () => {
  const refused = registerSchema.safeParse({
    name: '  ',
    email: 'a@example.com',
    password: 'x'.repeat(12),
    acceptTerms: true,
  })
  expect(refused.error?.issues.map(({ message }) => message)).toEqual(['Enter your name.'])
  const given = registerSchema.parse({
    name: ' Ek ',
    email: 'a@example.com',
    password: 'x'.repeat(12),
    acceptTerms: true,
  })
  expect(given.name).toBe('Ek')
})
