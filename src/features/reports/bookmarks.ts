import type { z } from 'zod'
import { bookmarkStore } from './bookmark-store'
import { readReport, type ReportReadContext } from './service'
import { commit } from '../../db/commit'
import type { RequestContext } from '../../http/request-context'
import { toIso } from '../../lib/iso'
import { ProductError } from '../../shared/errors'
import { BOOKMARKS_MAX, type bookmarkSchema, type ReportBookmark } from '../../shared/reports/reports'

/** The reader's own, by name. */
export async function listBookmarks(context: ReportReadContext, report: string): Promise<ReportBookmark[]> {
  await readReport(context, report)
  return bookmarkStore(context.deps.db, context.scope).list(report)
}

export async function addBookmark(
  context: RequestContext,
  { report, input }: { report: string; input: z.output<typeof bookmarkSchema> },
): Promise<ReportBookmark> {
  const { deps, scope } = context
  await readReport(context, report)
  const made: ReportBookmark = { ...input, id: deps.ids.next('bookmark'), createdAt: toIso(deps.clock.now()) }
  await commit(deps, {
    change: [bookmarkStore(deps.db, scope).insert(report, made)],
    reply: context.reply(made),
    expect: {
      onMissed: () =>
        new ProductError(
          'limit_reached',
          { limit: 'bookmarks', used: BOOKMARKS_MAX, max: BOOKMARKS_MAX },
          `A report has up to ${BOOKMARKS_MAX} bookmarks. Delete one that is not needed.`,
        ),
    },
  })
  return made
}

export async function removeBookmark(
  context: RequestContext,
  { report, id }: { report: string; id: string },
): Promise<{ id: string }> {
  await commit(context.deps, {
    change: [bookmarkStore(context.deps.db, context.scope).remove(report, id)],
    reply: context.reply({ id }),
    expect: { onMissed: () => new ProductError('not_found') },
  })
  return { id }
}
