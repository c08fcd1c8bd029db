import { queryClient } from '../../../lib/queries/query-client'
import { jsonQuery } from '../../../lib/queries/query-options'
import { api, readJson, withIdempotencyKey } from '../../../lib/api'
import type {
  CreateCommentInput,
  ReportComment,
  ReportComments,
  UpdateCommentInput,
} from '../../../../src/shared/reports/comments'

/** What is said of the blocks of a report. */
export const commentsQuery = (report: string) =>
  jsonQuery<ReportComments>(['comments', report], (options) =>
    api.api.reports[':id'].comments.$get({ param: { id: report } }, options),
  )

const invalidate = (report: string) => queryClient.invalidateQueries({ queryKey: commentsQuery(report).queryKey })

export async function createComment(report: string, json: CreateCommentInput): Promise<void> {
  await readJson<ReportComment>(
    api.api.reports[':id'].comments.$post({ param: { id: report }, json }, withIdempotencyKey()),
  )
  await invalidate(report)
}

export async function updateComment({ id, reportId }: ReportComment, json: UpdateCommentInput): Promise<void> {
  await readJson<ReportComment>(api.api.comments[':id'].$put({ param: { id }, json }, withIdempotencyKey()))
  await invalidate(reportId)
}

export async function deleteComment({ id, reportId, version }: ReportComment): Promise<void> {
  const query = { version: String(version) }
  await readJson<ReportComment>(api.api.comments[':id'].$delete({ param: { id }, query }, withIdempotencyKey()))
  await invalidate(reportId)
}

export async function resolveComments(report: string, json: { block: string; resolved: boolean }): Promise<void> {
  const call = api.api.reports[':id'].comments.$put({ param: { id: report }, json }, withIdempotencyKey())
  const comments = await readJson<ReportComments>(call)
  await queryClient.cancelQueries({ queryKey: commentsQuery(report).queryKey })
  queryClient.setQueryData(commentsQuery(report).queryKey, comments)
}
