import { queryOptions } from '@tanstack/react-query'
import { apiFetch, withIdempotencyKey } from '../../../lib/api'
import { useInvalidatingMutation } from '../../../lib/queries/query-client'
import type { ListPage } from '../../../../src/shared/field-schemas'
import type { CreatedLink, CreateLinkInput, ReportLink } from '../../../../src/shared/reports/links'

const readItems = async (path: string, signal: AbortSignal): Promise<ReportLink[]> => {
  const answer: ListPage<ReportLink> = await (await apiFetch(path, { signal })).json()
  return answer.items
}

/** Links to a report; null: of all reports of the workspace. */
export const linksQuery = (report: string | null) =>
  queryOptions({
    queryKey: ['reportLinks', report],
    queryFn: ({ signal }) => readItems(report === null ? '/api/report-links' : `/api/reports/${report}/links`, signal),
  })

/** The one answer that holds the address: nothing of it is kept. */
const createLink = async ({ report, ...body }: CreateLinkInput & { report: string }): Promise<CreatedLink> => {
  const response = await apiFetch(`/api/reports/${report}/links`, { method: 'POST', body: JSON.stringify(body) })
  const made: CreatedLink = await response.json()
  return made
}
const revokeLink = ({ id, reportId }: Pick<ReportLink, 'id' | 'reportId'>) =>
  apiFetch(`/api/reports/${reportId}/links/${id}`, { method: 'DELETE', ...withIdempotencyKey() })

export const useCreateLink = () => useInvalidatingMutation(createLink, ['reportLinks'])
const confirmLink = ({ id, reportId }: Pick<ReportLink, 'id' | 'reportId'>) =>
  apiFetch(`/api/reports/${reportId}/links/${id}/content`, { method: 'PUT', ...withIdempotencyKey() })

export const useConfirmLink = () => useInvalidatingMutation(confirmLink, ['reportLinks'])
export const useRevokeLink = () => useInvalidatingMutation(revokeLink, ['reportLinks'])
