import { apiFetch, withIdempotencyKey } from '../../lib/api'
import { queryClient, useInvalidatingMutation } from '../../lib/queries/query-client'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { ListPage } from '../../../src/shared/field-schemas'
import type {
  CreateReportInput,
  PublishProblem,
  Report,
  ReportBookmark,
  ReportContent,
  ReportKind,
  ReportPicture,
  ReportPublication,
  ReportSummary,
  UpdateReportInput,
} from '../../../src/shared/reports/reports'

const PAGE = '50'

async function call<T>(method: string, path: string, { body, signal }: { body?: unknown; signal?: AbortSignal } = {}) {
  const response = await apiFetch(`/api/reports${path}`, {
    method,
    ...(method === 'GET' ? {} : withIdempotencyKey()),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  })
  const answer: T = await response.json()
  return answer
}

export interface ReportsSearch {
  q?: string | undefined
  kind?: ReportKind | undefined
  archived?: boolean
}

export const reportsQuery = ({ q, kind, archived = false }: ReportsSearch) =>
  infiniteQueryOptions({
    queryKey: ['reports', 'list', { q, kind, archived }],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({
        limit: PAGE,
        archived: archived ? '1' : '0',
        ...(q ? { q } : {}),
        ...(kind ? { kind } : {}),
        ...(pageParam ? { cursor: pageParam } : {}),
      })
      return call<ListPage<ReportSummary>>('GET', `?${query}`, { signal })
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })

export const reportQuery = (id: string) =>
  queryOptions({
    queryKey: ['reports', 'one', id],
    queryFn: ({ signal }) => call<Report>('GET', `/${id}`, { signal }),
  })

export const publicationsQuery = (id: string) =>
  queryOptions({
    queryKey: ['reports', 'publications', id],
    queryFn: async ({ signal }) =>
      (await call<ListPage<ReportPublication>>('GET', `/${id}/publications`, { signal })).items,
  })

export const bookmarksQuery = (id: string) =>
  queryOptions({
    queryKey: ['reports', 'bookmarks', id],
    queryFn: async ({ signal }) => (await call<ListPage<ReportBookmark>>('GET', `/${id}/bookmarks`, { signal })).items,
  })

const keep = (report: Report): Report => {
  queryClient.setQueryData(reportQuery(report.id).queryKey, report)
  return report
}
const refreshLists = () =>
  Promise.all(['list', 'publications'].map((part) => queryClient.invalidateQueries({ queryKey: ['reports', part] })))

export async function createReport(body: CreateReportInput): Promise<Report> {
  const made = keep(await call<Report>('POST', '', { body }))
  void refreshLists()
  return made
}

export async function saveDraft(id: string, body: UpdateReportInput): Promise<Report> {
  return keep(await call<Report>('PUT', `/${id}`, { body }))
}

interface Versioned {
  id: string
  version: number
}

export async function publishReport({ id, ...body }: Versioned & { note: string }): Promise<Report> {
  const published = keep(await call<Report>('POST', `/${id}/publish`, { body }))
  void refreshLists()
  return published
}

export async function archiveReport({ id, ...body }: Versioned & { archived: boolean }): Promise<Report> {
  const put = keep(await call<Report>('PUT', `/${id}/archive`, { body }))
  void refreshLists()
  return put
}

export async function duplicateReport(id: string): Promise<Report> {
  const made = keep(await call<Report>('POST', `/${id}/duplicate`))
  void refreshLists()
  return made
}

export async function convertReport(id: string): Promise<Report> {
  const made = keep(await call<Report>('POST', `/${id}/convert`))
  void refreshLists()
  return made
}

export async function deleteReport({ id, version }: Versioned): Promise<void> {
  await call('DELETE', `/${id}?version=${version}`)
  void queryClient.invalidateQueries({ queryKey: ['reports', 'list'] })
}

export async function restoreReport(id: string): Promise<void> {
  await call('POST', `/${id}/restore`)
  await queryClient.invalidateQueries({ queryKey: ['reports'] })
}

/** The draft becomes what was published then. */
export async function restorePublication({ id, n, version }: Versioned & { n: number }): Promise<Report> {
  return keep(await call<Report>('POST', `/${id}/publications/${n}/restore`, { body: { version } }))
}

const addBookmark = ({ id, ...body }: { id: string; name: string; search: string }) =>
  call<ReportBookmark>('POST', `/${id}/bookmarks`, { body })
const deleteBookmark = ({ id, bookmark }: { id: string; bookmark: string }) =>
  call('DELETE', `/${id}/bookmarks/${bookmark}`)
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
