import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { requestSignIn, resolveSignIn } from './features/identity/sign-in-prompt'
import { setStaleTokenHandler, setUnauthenticatedHandler } from './lib/api'
import { queryClient } from './lib/queries/query-client'
import { session } from './lib/session'
import { loadSession, refreshCsrfToken, onSessionChange } from './lib/session-actions'
import { forgetInput } from './lib/writes/unsaved-input'
import { router } from './routes/router'
import { ThemeProvider } from './ui/theme-provider'
import type { Theme } from '../src/shared/session'

// A visitor is on the sign-in page or on the way there; the sheet is for people who were signed in.
setUnauthenticatedHandler(async () => session().user !== null && requestSignIn())
setStaleTokenHandler(refreshCsrfToken)

/** Another tab signed in or out: this one follows. */
async function followSessionChange(userId: string | null): Promise<void> {
  const before = session().user?.id ?? null
  if (before !== null && userId !== null && before !== userId) {
    forgetInput()
    return window.location.assign('/')
  }
  await loadSession()
  if (userId !== null) resolveSignIn()
  if (before === userId) return
  queryClient.clear()
  await router.invalidate()
}

export function App({ theme }: { theme: Theme }) {
  useEffect(() => onSessionChange((userId) => void followSessionChange(userId)), [])
  return (
    <ThemeProvider theme={theme}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ThemeProvider>
  )
}
