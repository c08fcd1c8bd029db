import { Hono } from 'hono'
import type { AppEnv } from './context'
import { DAY_MS } from '../shared/dates'
import { ProductError } from '../shared/errors'
import type { Settings } from '../settings'

/** RFC 9116 (2.5.5) asks for less than a year: who reads an old copy is to look again. */
const VALID_DAYS = 180

/**
 * The fields of RFC 9116, one a line. `Expires` is a midnight (UTC), so that the text stays the same for a day.
 * @param now instant in ms
 */
function securityTxt(contact: string, { BASE_URL, SECURITY_POLICY }: Settings, now: number): string {
  const expires = new Date((Math.floor(now / DAY_MS) + VALID_DAYS) * DAY_MS)
  const fields = [
    ['Contact', contact],
    ['Expires', expires.toISOString().replace('.000Z', 'Z')],
    ['Preferred-Languages', 'en, sv'],
    ['Canonical', new URL('/.well-known/security.txt', BASE_URL).href],
    ...(SECURITY_POLICY === undefined ? [] : [['Policy', SECURITY_POLICY]]),
  ]
  return fields.map(([name, value]) => `${name}: ${value}\n`).join('')
}

/** `/.well-known/security.txt`: where a weakness is reported, once the operator says so; without a contact it does not exist. */
export const securityTxtRoutes = new Hono<AppEnv>().get('/', (c) => {
  const { settings, clock } = c.get('deps')
  if (settings.SECURITY_CONTACT === undefined) throw new ProductError('not_found')
  c.header('Cache-Control', 'public, max-age=3600')
  return c.text(securityTxt(settings.SECURITY_CONTACT, settings, clock.now()))
})
