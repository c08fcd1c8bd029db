import { useInvalidatingMutation } from '../../lib/queries/query-client'
import { workspaceId } from '../../lib/session'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { readJson, api, withIdempotencyKey } from '../../lib/api'
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
    queryKey: ['currencies', 'days', workspaceId(), { base, quote, from, to }],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const query = { base, quote, from: from || undefined, to: to || undefined, before: pageParam || undefined }
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
const RATE_QUERY_KEYS = ['currencies', 'figures']
export const useSaveSettings = () => useInvalidatingMutation(saveSettings, RATE_QUERY_KEYS)
export const useCreateRate = () => useInvalidatingMutation(createRate, RATE_QUERY_KEYS)
export const useUpdateRate = () => useInvalidatingMutation(updateRate, RATE_QUERY_KEYS)
export const useRemoveRate = () => useInvalidatingMutation(removeRate, RATE_QUERY_KEYS)
