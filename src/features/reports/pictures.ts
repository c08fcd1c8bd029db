import { publicationStore } from './publication-store'
import { editableReport } from './service'
import { commit } from '../../db/commit'
import { deleteUnreferencedPictures, storePicture } from '../../http/picture-upload'
import type { RequestContext } from '../../http/request-context'
import { ProductError } from '../../shared/errors'
import {
  REPORT_PICTURES_MAX,
  REPORT_PICTURE_MAX_BYTES,
  REPORT_PICTURE_TYPES,
  type ReportPicture,
} from '../../shared/reports/reports'

/**
 * Takes the picture in a request's body for an image block of a report.
 * @throws ProductError `too_large`, `file_unreadable`; `limit_reached` when the report has as many as it may
 */
export async function addPicture(context: RequestContext, id: string, request: Request): Promise<ReportPicture> {
  const { deps, scope } = context
  await editableReport(context, id)
  const picture = await storePicture(deps, request, REPORT_PICTURE_MAX_BYTES, REPORT_PICTURE_TYPES)
  await commit(deps, {
    change: [
      publicationStore(deps.db, scope).addPicture(id, {
        ...{ key: picture, now: deps.clock.now(), max: REPORT_PICTURES_MAX },
      }),
    ],
    expect: {
      onMissed: () =>
        new ProductError(
          'limit_reached',
          { limit: 'pictures', used: REPORT_PICTURES_MAX, max: REPORT_PICTURES_MAX },
          `A report has up to ${REPORT_PICTURES_MAX} pictures.`,
        ),
    },
  })
  await deleteUnreferencedPictures(deps)
  return { picture }
}
