import { api, apiFetch, readJson, withIdempotencyKey } from '../../lib/api'
import { queryClient, useInvalidatingMutation } from '../../lib/queries/query-client'
import { itemsQuery, jsonQuery, pagesQuery } from '../../lib/queries/query-options'
import { inQuestionQueue } from '../../lib/queries/question-queue'
import { queryOptions } from '@tanstack/react-query'
import type { ListPage } from '../../../src/shared/field-schemas'
import type { BlockOf } from '../../../src/shared/reports/blocks'
import type { ObservationPreview } from '../../../src/shared/reports/observation-preview'
import type { ReportKind } from '../../../src/shared/reports/report-kinds'
import type {
  CreateReportInput,
  PublishProblem,
  Report,
  ReportBookmark,
  ReportContent,
  ReportPicture,
  ReportPublication,
  ReportSummary,
  UpdateReportInput,
} from '../../../src/shared/reports/reports'

const PAGE = '50'

const reports = api.api.reports
const at = (id: string) => ({ param: { id } })

export interface ReportsSearch {
  q?: string | undefined
  kind?: ReportKind | undefined
  archived?: boolean
}

export const reportsQuery = ({ q, kind, archived = false }: ReportsSearch) =>
  pagesQuery<ReportSummary>(['reports', 'list', { q, kind, archived }], (cursor, options) =>
    reports.$get(
      { query: { limit: PAGE, archived: archived ? '1' : '0', q: q || undefined, kind: kind || undefined, cursor } },
      options,
    ),
  )

export const reportQuery = (id: string) =>
  jsonQuery<Report>(['reports', 'one', id], (options) => reports[':id'].$get(at(id), options))

export const publicationsQuery = (id: string) =>
  itemsQuery<ReportPublication>(['reports', 'publications', id], (options) =>
    reports[':id'].publications.$get(at(id), options),
  )

export const bookmarksQuery = (id: string) =>
  itemsQuery<ReportBookmark>(['reports', 'bookmarks', id], (options) => reports[':id'].bookmarks.$get(at(id), options))

/** What an observation would have said in the last periods of the draft. */
export const observationPreviewQuery = (id: string, block: BlockOf<'observation'>) =>
  queryOptions({
    queryKey: ['figures', 'report', id, 'observation', block],
    queryFn: ({ signal }) =>
      inQuestionQueue(signal, async () => {
        const call = reports[':id']['observation-preview'].$post({ ...at(id), json: { block } }, { init: { signal } })
        return (await readJson<ListPage<ObservationPreview>>(call)).items
      }),
  })

const keep = (report: Report): Report => {
  queryClient.setQueryData(reportQuery(report.id).queryKey, report)
  return report
}
const refreshLists = () =>
  Promise.all(['list', 'publications'].map((part) => queryClient.invalidateQueries({ queryKey: ['reports', part] })))

export async function createReport(json: CreateReportInput): Promise<Report> {
  const made = keep(await readJson<Report>(reports.$post({ json }, withIdempotencyKey())))
  void refreshLists()
  return made
}

export async function saveDraft(id: string, json: UpdateReportInput): Promise<Report> {
  return keep(await readJson<Report>(reports[':id'].$put({ ...at(id), json }, withIdempotencyKey())))
}

interface ReportVersion {
  id: string
  version: number
}

export async function publishReport({ id, ...json }: ReportVersion & { note: string }): Promise<Report> {
  const call = reports[':id'].publish.$post({ ...at(id), json }, withIdempotencyKey())
  const published = keep(await readJson<Report>(call))
  void refreshLists()
  return published
}

export async function archiveReport({ id, ...json }: ReportVersion & { archived: boolean }): Promise<Report> {
  const put = keep(await readJson<Report>(reports[':id'].archive.$put({ ...at(id), json }, withIdempotencyKey())))
  void refreshLists()
  return put
}

export async function duplicateReport(id: string): Promise<Report> {
  const made = keep(await readJson<Report>(reports[':id'].duplicate.$post(at(id), withIdempotencyKey())))
  void refreshLists()
  return made
}

export async function convertReport(id: string): Promise<Report> {
  const made = keep(await readJson<Report>(reports[':id'].convert.$post(at(id), withIdempotencyKey())))
  void refreshLists()
  return made
}

export async function deleteReport({ id, version }: ReportVersion): Promise<void> {
  const query = { version: String(version) }
  await readJson<Report>(reports[':id'].$delete({ ...at(id), query }, withIdempotencyKey()))
  void queryClient.invalidateQueries({ queryKey: ['reports', 'list'] })
}

export async function restoreReport(id: string): Promise<void> {
  await readJson<Report>(reports[':id'].restore.$post(at(id), withIdempotencyKey()))
  await queryClient.invalidateQueries({ queryKey: ['reports'] })
}

/** The draft becomes what was published then. */
export async function restorePublication({ id, n, version }: ReportVersion & { n: number }): Promise<Report> {
  const call = reports[':id'].publications[':n'].restore.$post(
    { param: { id, n: String(n) }, json: { version } },
    withIdempotencyKey(),
  )
  return keep(await readJson<Report>(call))
}

const addBookmark = ({ id, ...json }: { id: string; name: string; search: string }) =>
  readJson<ReportBookmark>(reports[':id'].bookmarks.$post({ ...at(id), json }, withIdempotencyKey()))
const deleteBookmark = ({ id, bookmark }: { id: string; bookmark: string }) =>
  readJson<{ id: string }>(
    reports[':id'].bookmarks[':bookmarkId'].$delete({ param: { id, bookmarkId: bookmark } }, withIdempotencyKey()),
  )
export const useAddBookmark = () => useInvalidatingMutation(addBookmark, ['reports'])
export const useDeleteBookmark = () => useInvalidatingMutation(deleteBookmark, ['reports'])

/** What stands in the way of publishing; empty where a refusal is another one. */
export function publishProblemsOf(details: Record<string, unknown>): PublishProblem[] {
  const { problems } = details
  if (!Array.isArray(problems)) return []
  return problems.flatMap((one: unknown): PublishProblem[] =>
    typeof one === 'object' &&
    one !== null &&
    'block' in one &&
    'message' in one &&
    typeof one.block === 'string' &&
    typeof one.message === 'string'
      ? [{ block: one.block, message: one.message }]
      : [],
  )
}

/** The content that readers see; those who may edit and have published nothing yet see the draft. */
export const shownContent = ({ published, draft }: Report): ReportContent | null => published ?? draft

/** Sends a picture for an image block; the answer names it. */
export async function putPicture(id: string, picture: Blob): Promise<ReportPicture> {
  const headers = { 'content-type': 'application/octet-stream' }
  const response = await apiFetch(`/files/reports/${id}/pictures`, { method: 'POST', body: picture, headers })
  const sent: ReportPicture = await response.json()
  return sent
}
