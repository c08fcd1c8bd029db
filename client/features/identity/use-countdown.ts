import { useEffect, useState } from 'react'

/** Seconds left, counted down each second; start it with the number of seconds. */
export function useCountdown(): [number, (seconds: number) => void] {
  const [left, setLeft] = useState(0)
  const running = left > 0
  useEffect(() => {
    if (!running) return
    const timer = window.setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000)
    return () => window.clearInterval(timer)
  }, [running])
  return [left, setLeft]
}
