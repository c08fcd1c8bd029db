import { useEffect, useRef } from 'react'

/**
 * Lets one call through until `busy` has come and gone: a second click that comes before the button shows that it is busy
 * does nothing.
 */
export function useSingleFlight(action: () => void, busy: boolean): () => void {
  const isLocked = useRef(false)
  useEffect(() => {
    if (!busy) isLocked.current = false
  })
  return () => {
    if (isLocked.current || busy) return
    isLocked.current = true
    action()
  }
}
