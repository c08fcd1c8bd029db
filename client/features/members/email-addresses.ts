import { canonicalEmail } from '../../../src/shared/session'

/** One address as it stands in the field. */
export interface ParsedAddress {
  /** Without the name around it, as typed otherwise. */
  text: string
  problem: 'invalid' | 'repeated' | null
}

// A quoted name before an address may hold any sign: `"Berg; Anna" <anna@example.com>`.
const QUOTED_NAME = /"[^"\n]*"\s*(?=<)/g

/** The addresses of a piece without lists of pieces in it: `anna@x.se bo@x.se` are two, `Anna Berg anna@x.se` is one. */
function splitAddresses(piece: string): string[] {
  const text = piece.trim()
  if (text === '') return []
  const addresses = text.split(/\s+/).filter((word) => word.includes('@'))
  return addresses.length === 0 ? [text] : addresses
}

/** One piece between semicolons or lines; commas part addresses, but may stand in a name before `<`. */
function addressesInChunk(chunk: string): string[] {
  const found: string[] = []
  let rest = chunk
  for (;;) {
    const named = /<([^<>]*)>/.exec(rest)
    if (!named) return [...found, ...rest.split(',').flatMap(splitAddresses)]
    const before = rest.slice(0, named.index).split(',')
    // What stands after the last address belongs to the name.
    const last = before.findLastIndex((piece) => piece.includes('@'))
    found.push(...before.slice(0, last + 1).flatMap(splitAddresses), (named[1] ?? '').trim())
    rest = rest.slice(named.index + named[0].length)
  }
}

/** Reads what was typed or pasted: commas, semicolons and lines part addresses; `Name <address>` loses its name. */
export function parseAddresses(text: string): ParsedAddress[] {
  const seen = new Set<string>()
  return text
    .replaceAll(QUOTED_NAME, '')
    .split(/[;\r\n\t]+/)
    .flatMap(addressesInChunk)
    .map((address): ParsedAddress => {
      const email = canonicalEmail(address)
      if (email === null) return { text: address, problem: 'invalid' }
      if (seen.has(email)) return { text: address, problem: 'repeated' }
      seen.add(email)
      return { text: address, problem: null }
    })
}

const formatCount = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}es`}`

/** What the field holds in words: "12 addresses, 1 duplicate. Invalid: bo@". Empty while nothing is typed. */
export function describeAddresses(addresses: readonly ParsedAddress[]): string {
  if (addresses.length === 0) return ''
  const of = (problem: ParsedAddress['problem']) => addresses.filter((one) => one.problem === problem)
  const repeatedCount = of('repeated').length
  const invalid = of('invalid').map(({ text }) => text)
  const shown = invalid.slice(0, 3).join(', ')
  const more = invalid.length > 3 ? ` and ${invalid.length - 3} more` : ''
  const good = of(null).length
  return [
    ...(good > 0 ? [`${formatCount(good, 'address')}${repeatedCount > 0 ? `, ${repeatedCount} duplicate` : ''}.`] : []),
    ...(invalid.length > 0 ? [`Invalid: ${shown}${more}.`] : []),
  ].join(' ')
}
