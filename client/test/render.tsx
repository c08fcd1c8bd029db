import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Matches,
  RouterContextProvider,
} from '@tanstack/react-router'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { cssVariables, theme } from '../ui/theme'

/**
 * Renders a part of a screen with theme, queries and a router that knows no route of the product. `search`: what of the
 * address the screen reads, as in `?tab=edit`. `path`: where it is, for screens that go to their own address.
 */
export async function renderWithProviders(ui: ReactNode, search = '', path = '/') {
  const root = createRootRoute()
  const page = createRoute({ getParentRoute: () => root, path, component: () => ui })
  const rest = createRoute({ getParentRoute: () => root, path: '$', component: () => null })
  const router = createRouter({
    routeTree: root.addChildren([page, rest]),
    history: createMemoryHistory({ initialEntries: [`${path}${search}`] }),
  })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false }, mutations: { retry: false } } })
  await router.load()
  return render(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} env="test">
      <QueryClientProvider client={client}>
        <RouterContextProvider router={router}>
          <Matches />
        </RouterContextProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
}
