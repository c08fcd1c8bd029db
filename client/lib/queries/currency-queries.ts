import { workspaceId, session } from '../session'
import { jsonQuery } from './query-options'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../api'
import type { RatesOverview } from '../../../src/shared/currencies'

/** How the workspace converts, and how its rates stand. Only where the plan converts: elsewhere the call is refused. */
export const currenciesQuery = () =>
  queryOptions({
    ...jsonQuery<RatesOverview>(['currencies', 'overview', workspaceId()], (options) =>
      api.api.currencies.$get({}, options),
    ),
    enabled: session().workspace?.entitlements.features.multiCurrency ?? false,
    staleTime: 60_000,
  })
