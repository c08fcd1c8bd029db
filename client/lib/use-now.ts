import { useEffect, useState } from 'react'

const TICK_MS = 20_000

/** The time in epoch ms, for words such as “2 minutes ago”. Moves on by itself, and at once to `at` when that is later. */
export function useNow(at = 0): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), TICK_MS)
    return () => window.clearInterval(timer)
  }, [])
  return Math.max(now, at)
}
