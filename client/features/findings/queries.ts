import { queryOptions } from '@tanstack/react-query'
import type { ChangeDrivers, DriversInput, Finding, FindingPage, FindingRating } from '../../../src/shared/findings'
import { readJson, api, withIdempotencyKey } from '../../lib/api'
import { queryClient } from '../../lib/query-client'

export const insightFindingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['findings', 'insight', id],
    queryFn: ({ signal }) =>
      readJson<FindingPage>(api.api.insights[':id'].findings.$get({ param: { id }, query: {} }, { init: { signal } })),
  })

export const topFindingsQuery = (limit: number) =>
  queryOptions({
    queryKey: ['findings', 'top', limit],
    queryFn: ({ signal }) =>
      readJson<FindingPage>(api.api.findings.$get({ query: { limit: String(limit) } }, { init: { signal } })),
  })

export const driversQuery = (input: DriversInput) =>
  queryOptions({
    queryKey: ['findings', 'drivers', input],
    queryFn: ({ signal }) =>
      readJson<ChangeDrivers>(api.api.findings.drivers.$post({ json: input }, { init: { signal } })),
  })

async function thenInvalidateFindings(answered: Promise<unknown>): Promise<void> {
  await answered
  await queryClient.invalidateQueries({ queryKey: ['findings'] })
}
const idParam = ({ id }: Finding) => ({ param: { id } })

export const pinFinding = (finding: Finding, on: boolean): Promise<void> =>
  thenInvalidateFindings(
    readJson<Finding>(api.api.findings[':id'].pin.$post({ ...idParam(finding), json: { on } }, withIdempotencyKey())),
  )
export const hideFinding = (finding: Finding, on: boolean): Promise<void> =>
  thenInvalidateFindings(
    readJson<Finding>(api.api.findings[':id'].hide.$post({ ...idParam(finding), json: { on } }, withIdempotencyKey())),
  )
export const rateFinding = (finding: Finding, rating: FindingRating | null): Promise<void> =>
  thenInvalidateFindings(
    readJson<Finding>(
      api.api.findings[':id'].rate.$post({ ...idParam(finding), json: { rating } }, withIdempotencyKey()),
    ),
  )
