import { useDebouncedCallback } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

/** What is typed into the list's search: at once on screen, a moment later in the address. */
export function useSearchText(initial: string) {
  const navigate = useNavigate()
  const [text, setTyped] = useState(initial)
  const updateUrl = useDebouncedCallback((next: string) => {
    void navigate({ to: '/insights', search: (old) => ({ ...old, q: next || undefined }), replace: true })
  }, 250)
  const setText = (next: string): void => {
    setTyped(next)
    updateUrl(next)
  }
  return { text, setText }
}
