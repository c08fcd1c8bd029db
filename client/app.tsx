import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { askForSignIn, signInReached } from './features/auth/sign-in-request'
import { handleStaleToken, handleUnauthenticated } from './lib/api'
import { queryClient } from './lib/query-client'
import { session } from './lib/session'
import { loadSession, renewToken } from './lib/session-calls'
import { onSessionNews } from './lib/tabs'
import { router } from './routes/router'
import { ProductProvider } from './ui/product-provider'
import type { Theme } from '../src/shared/session'

// A visitor is on the sign-in page or on the way there; the sheet is for people who were signed in.
handleUnauthenticated(async () => session().user !== null && askForSignIn())
handleStaleToken(renewToken)

/** Another tab signed in or out: this one follows. */
async function follow(userId: string | null): Promise<void> {
  const before = session().user?.id ?? null
  if (before !== null && userId !== null && before !== userId) return window.location.assign('/')
  await loadSession()
  if (userId !== null) signInReached()
  if (before === userId) return
  queryClient.clear()
  await router.invalidate()
}

export function App({ theme }: { theme: Theme }) {
  useEffect(() => onSessionNews((userId) => void follow(userId)), [])
  return (
    <ProductProvider theme={theme}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ProductProvider>
  )
}
