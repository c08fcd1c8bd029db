import { queryOptions } from '@tanstack/react-query'
import { apiFetch, withIdempotencyKey } from '../../../lib/api'
import { useInvalidatingMutation } from '../../../lib/queries/query-client'
import type { ListPage } from '../../../../src/shared/field-schemas'
import type {
  Edition,
  EditionDifference,
  PublishEditionInput,
  ReportDocument,
} from '../../../../src/shared/reports/editions'

async function call<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await apiFetch(`/api/reports/${path}`, init)
  const answer: T = await response.json()
  return answer
}
const written = (body?: unknown): RequestInit => ({
  method: 'POST',
  ...withIdempotencyKey(),
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
})

export const editionsQuery = (report: string) =>
  queryOptions({
    queryKey: ['reports', 'editions', report],
    queryFn: async ({ signal }) => (await call<ListPage<Edition>>(`${report}/editions`, { signal })).items,
  })

export const editionQuery = (report: string, n: number) =>
  queryOptions({
    queryKey: ['reports', 'edition', report, n],
    queryFn: ({ signal }) =>
      call<{ edition: Edition; document: ReportDocument }>(`${report}/editions/${n}`, { signal }),
  })

export const differencesQuery = (report: string, { n, other }: { n: number; other: number }) =>
  queryOptions({
    queryKey: ['reports', 'edition', report, n, 'differences', other],
    queryFn: async ({ signal }) =>
      (await call<ListPage<EditionDifference>>(`${report}/editions/${n}/differences?with=${other}`, { signal })).items,
  })

const publishEdition = ({ report, ...body }: PublishEditionInput & { report: string }) =>
  call<Edition>(`${report}/editions`, written(body))
const signEdition = ({ report, n }: { report: string; n: number }) =>
  call<Edition>(`${report}/editions/${n}/sign`, written())
export const usePublishEdition = () => useInvalidatingMutation(publishEdition, ['reports'])
export const useSignEdition = () => useInvalidatingMutation(signEdition, ['reports'])

/** Where an edition is downloaded from. */
export const editionFile = (report: string, n: number, format: 'pdf' | 'xlsx'): string =>
  `/files/reports/${report}/editions/${n}?format=${format}`
