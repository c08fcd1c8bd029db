import { useEffect, useState } from 'react'
import { LINK_TOKEN } from '../../src/shared/account'

/** What the address says behind its `#`, or null. */
function tokenInUrl(): string | null {
  const text = window.location.hash.slice(1)
  return text === '' ? null : text
}

/**
 * The token of a link from a mail. It stands behind the address's `#`, which no server is sent and no log sees, and is
 * taken out of the address at once: it stays in no history and on no screen.
 * @param pattern what a token of this page looks like
 * @returns the token; `broken` when the address was cut off; null when the page was opened without one
 */
export function useLinkToken(pattern: RegExp = LINK_TOKEN): string | null {
  const [token, setToken] = useState(tokenInUrl)
  useEffect(() => {
    const consumeToken = () => {
      const found = tokenInUrl()
      if (found === null) return
      setToken(found)
      window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search)
    }
    consumeToken()
    // Another link of a mail, opened in the same tab.
    window.addEventListener('hashchange', consumeToken)
    return () => window.removeEventListener('hashchange', consumeToken)
  }, [])
  if (token === null) return null
  return pattern.test(token) ? token : 'broken'
}
