import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { readJson, api, withIdempotencyKey } from '../../lib/api'
import { session } from '../../lib/session'
import type { CreateOwnRateInput, CurrencySettings, OwnRate, RateDays } from '../../../src/shared/currencies'

export interface RateSearch {
  base: string
  quote: string
  from: string
  to: string
}

/** Rates of a pair by day, newest first. */
export const rateDaysQuery = ({ base, quote, from, to }: RateSearch) =>
  infiniteQueryOptions({
    queryKey: ['currencies', 'days', session().workspace?.id, { base, quote, from, to }],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const days = { ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) }
      const query = { base, quote, ...days, ...(pageParam === '' ? {} : { before: pageParam }) }
      return readJson<RateDays>(api.api.currencies.days.$get({ query }, { init: { signal } }))
    },
    getNextPageParam: (page) => page.next ?? undefined,
  })

const saveSettings = (json: CurrencySettings) =>
  readJson<CurrencySettings>(api.api.currencies.settings.$put({ json }, withIdempotencyKey()))
const createRate = (json: CreateOwnRateInput) =>
  readJson<OwnRate>(api.api.currencies.rates.$post({ json }, withIdempotencyKey()))
const updateRate = ({ id, ...json }: CreateOwnRateInput & { id: string; version: number }) =>
  readJson<OwnRate>(api.api.currencies.rates[':id'].$put({ param: { id }, json }, withIdempotencyKey()))
const removeRate = ({ id, version }: { id: string; version: number }) =>
  readJson<OwnRate>(
    api.api.currencies.rates[':id'].$delete(
      { param: { id }, query: { version: String(version) } },
      withIdempotencyKey(),
    ),
  )

/** Figures that were converted are asked for anew with the rates; also after a refusal, which says something changed. */
function useRateWrite<In, Out>(write: (input: In) => Promise<Out>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: write,
    onSettled: () =>
      Promise.all(['currencies', 'figures'].map((noun) => client.invalidateQueries({ queryKey: [noun] }))),
  })
}

export const useSaveSettings = () => useRateWrite(saveSettings)
export const useCreateRate = () => useRateWrite(createRate)
export const useUpdateRate = () => useRateWrite(updateRate)
export const useRemoveRate = () => useRateWrite(removeRate)
