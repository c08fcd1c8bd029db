import { useEffect, useRef, useState } from 'react'

/** Tells a screen reader where a change of route led, and moves the focus to the new content. */
export function RouteAnnouncer({ path }: { path: string }) {
  const [words, setWords] = useState('')
  const last = useRef('')
  useEffect(() => {
    const first = last.current === ''
    const same = last.current === path
    last.current = path
    if (first || same || path === '') return
    // The screen sets the title in an effect of its own, after this one.
    const timer = window.setTimeout(() => {
      setWords(document.title)
      document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
    }, 50)
    return () => window.clearTimeout(timer)
  }, [path])
  return (
    <div className="only-reader" aria-live="polite" role="status">
      {words}
    </div>
  )
}
