import { isLoopback } from '../../../../lib/loopback'

/** Where codes may go: a page by https, or the person's own machine. Null for any other text. */
export function parseRedirectUri(text: string): URL | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  if (url.hash !== '' || text.includes('#') || url.username !== '' || url.password !== '') return null
  const isLocal = url.protocol === 'http:' && isLoopback(url.hostname)
  return url.protocol === 'https:' || isLocal ? url : null
}

/**
 * Whether an address is one of those that the app announced: the same text. On the person's own machine the port is
 * whichever was free (RFC 8252, 7.3).
 */
export function isRegisteredUri(given: string, registered: readonly string[]): boolean {
  if (registered.includes(given)) return true
  const url = parseRedirectUri(given)
  if (!url || !isLoopback(url.hostname) || url.protocol !== 'http:') return false
  return registered.some((one) => {
    const known = parseRedirectUri(one)
    return known !== null && known.protocol === 'http:' && withoutPort(known) === withoutPort(url)
  })
}
const withoutPort = ({ hostname, pathname, search }: URL): string => `${hostname}${pathname}${search}`
