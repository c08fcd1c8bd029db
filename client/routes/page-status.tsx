import { useEffect, useRef, useState } from 'react'
import { Alert } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { IconWifiOff } from '@tabler/icons-react'

/** The thin bar at the top while the next route is on its way. */
export function RouteProgress({ active }: { active: boolean }) {
  return active ? <div className="route-progress no-print" role="progressbar" aria-label="Loading page" /> : null
}

/**
 * Tells a screen reader where a change of route led, and moves the focus to the new content; not from whoever acts there
 * already: on a slow machine they type before the timer ends, and the rest of their text would go nowhere.
 */
export function RouteAnnouncer({ path }: { path: string }) {
  const [words, setWords] = useState('')
  const last = useRef('')
  useEffect(() => {
    const first = last.current === ''
    const same = last.current === path
    last.current = path
    if (first || same || path === '') return
    const focused = document.activeElement
    // The screen sets the title in an effect of its own, after this one.
    const timer = window.setTimeout(() => {
      setWords(document.title)
      const now = document.activeElement
      const isLeft = now === null || now === document.body || now === focused
      if (isLeft) document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
    }, 50)
    return () => window.clearTimeout(timer)
  }, [path])
  return (
    <div className="only-reader" aria-live="polite" role="status">
      {words}
    </div>
  )
}

export function OfflineBanner() {
  const { online } = useNetwork()
  if (online) return null
  return (
    <Alert
      className="offline-banner no-print"
      color="yellow"
      py={8}
      icon={<IconWifiOff size={18} aria-hidden />}
      role="status"
    >
      You’re offline. Reconnect to save changes.
    </Alert>
  )
}
