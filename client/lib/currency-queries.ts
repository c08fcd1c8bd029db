import { queryOptions } from '@tanstack/react-query'
import { readJson, api } from './api'
import { session } from './session'
import type { RatesOverview } from '../../src/shared/currencies'

/** How the workspace converts, and how its rates stand. Only where the plan converts: elsewhere the call is refused. */
export const currenciesQuery = () =>
  queryOptions({
    queryKey: ['currencies', 'overview', session().workspace?.id],
    queryFn: ({ signal }) => readJson<RatesOverview>(api.api.currencies.$get({}, { init: { signal } })),
    enabled: session().workspace?.entitlements.features.multiCurrency ?? false,
    staleTime: 60_000,
  })
