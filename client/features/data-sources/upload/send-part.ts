import type { UploadPart } from './chunked-upload'
import { sendBytes } from '../../../lib/send-bytes'

/** One part of an upload; a part that has arrived already is written again. */
export const sendPart = ({ uploadId, number, ...rest }: UploadPart, headers: Record<string, string>): Promise<void> =>
  sendBytes({ path: `/files/uploads/${uploadId}/parts/${number}`, headers, ...rest })
