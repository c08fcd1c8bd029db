import { withoutParameters } from '../lib/log'

const SECRET_KEY = /pass|secret|token|cookie|authori[sz]ation|csrf|api[-_]?key|credential|session|dsn/i
/**
 * Addresses in two looks: a run of signs that addresses are made of, then whether one is in it. A single expression
 * would try every start in a long run anew, and hold the isolate for minutes.
 */
const ADDRESS_RUN = /[A-Za-z0-9._%+@-]+/g
const ADDRESS = /[A-Za-z0-9._%+-]@[A-Za-z0-9-]+\.[A-Za-z0-9-]/
const LONG_HEX = /\b[0-9a-f]{32,}\b/gi
const BEARER = /\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]+/gi
const MASK = '[removed]'
const DEPTH_MAX = 8

function scrubText(text: string, secrets: readonly string[]): string {
  let clean = withoutParameters(text)
  for (const secret of secrets) if (secret.length >= 8) clean = clean.split(secret).join(MASK)
  return clean
    .replace(ADDRESS_RUN, (run) => (ADDRESS.test(run) ? MASK : run))
    .replace(BEARER, MASK)
    .replace(LONG_HEX, MASK)
}

/**
 * A copy without secrets: values under telling keys, known secrets wherever they stand, values of failed statements, addresses, bearer tokens and
 * long hexadecimal runs (tokens and hashes). Everything past a depth of 8 is cut.
 */
export function scrub(value: unknown, secrets: readonly string[], depth = 0): unknown {
  if (typeof value === 'string') return scrubText(value, secrets)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= DEPTH_MAX) return MASK
  if (Array.isArray(value)) return value.map((item: unknown) => scrub(item, secrets, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, SECRET_KEY.test(key) ? MASK : scrub(item, secrets, depth + 1)]),
  )
}
