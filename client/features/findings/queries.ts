import { queryOptions } from '@tanstack/react-query'
import type { Drivers, DriversInput, Finding, FindingPage, Rating } from '../../../src/shared/finding-feed'
import { answer, api, idempotencyKey } from '../../lib/api'
import { queryClient } from '../../lib/query-client'

/** The most telling findings in what one insight asks for. */
export const insightFindingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['findings', 'insight', id],
    queryFn: ({ signal }) =>
      answer<FindingPage>(api.api.insights[':id'].findings.$get({ param: { id }, query: {} }, { init: { signal } })),
  })

/** The most telling ones of the workspace. */
export const topFindingsQuery = (limit: number) =>
  queryOptions({
    queryKey: ['findings', 'top', limit],
    queryFn: ({ signal }) =>
      answer<FindingPage>(api.api.findings.$get({ query: { limit: String(limit) } }, { init: { signal } })),
  })

/** What the change between the two periods of a question is made of. */
export const driversQuery = (input: DriversInput) =>
  queryOptions({
    queryKey: ['findings', 'drivers', input],
    queryFn: ({ signal }) => answer<Drivers>(api.api.findings.drivers.$post({ json: input }, { init: { signal } })),
  })

const once = () => ({ headers: { 'idempotency-key': idempotencyKey() } })
async function changed(answered: Promise<unknown>): Promise<void> {
  await answered
  await queryClient.invalidateQueries({ queryKey: ['findings'] })
}
const of = ({ id }: Finding) => ({ param: { id } })

export const pinFinding = (finding: Finding, on: boolean): Promise<void> =>
  changed(answer<Finding>(api.api.findings[':id'].pin.$post({ ...of(finding), json: { on } }, once())))
export const hideFinding = (finding: Finding, on: boolean): Promise<void> =>
  changed(answer<Finding>(api.api.findings[':id'].hide.$post({ ...of(finding), json: { on } }, once())))
export const rateFinding = (finding: Finding, rating: Rating | null): Promise<void> =>
  changed(answer<Finding>(api.api.findings[':id'].rate.$post({ ...of(finding), json: { rating } }, once())))
