import { jsonQuery, questionQuery } from '../../lib/queries/query-options'
import type { ChangeDrivers, DriversInput, Finding, FindingPage, FindingRating } from '../../../src/shared/findings'
import { readJson, api, withIdempotencyKey } from '../../lib/api'
import { queryClient } from '../../lib/queries/query-client'

export const insightFindingsQuery = (id: string) =>
  jsonQuery<FindingPage>(['findings', 'insight', id], (options) =>
    api.api.insights[':id'].findings.$get({ param: { id }, query: {} }, options),
  )

export const topFindingsQuery = (limit: number) =>
  jsonQuery<FindingPage>(['findings', 'top', limit], (options) =>
    api.api.findings.$get({ query: { limit: String(limit) } }, options),
  )

export const driversQuery = (input: DriversInput) =>
  questionQuery<ChangeDrivers>(['findings', 'drivers', input], (options) =>
    api.api.findings.drivers.$post({ json: input }, options),
  )

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
