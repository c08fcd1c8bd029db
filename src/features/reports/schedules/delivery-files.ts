import type { Deps } from '../../../deps'
import { DAY_MS } from '../../../shared/dates'
import { DELIVERY_FILE_MAX_BYTES } from '../../../shared/reports/schedules'
import type { DocumentFacts } from './document-facts'

/** Files of deliveries by the day on which they were made: the oldest are the first in the store. */
const PREFIX = 'deliveries/'
/** Longer than a mail is tried, and than somebody takes to download what is too large for one. */
const KEPT_MS = 14 * DAY_MS
const DELETED_AT_ONCE = 500

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
/** `name`: a hash of all that decides what is in it. */
export const deliveryFileKey = (
  of: { workspaceId: string; scheduleId: string; slot: string; slotAt: number },
  name: string,
): string => `${PREFIX}${dayOf(of.slotAt)}/${of.workspaceId}/${of.scheduleId}/${of.slot.replace(':', '-')}/${name}`

export interface MadeFile {
  facts: DocumentFacts
  /** Null for links: there is no file. */
  file: { key: string; fileName: string; contentType: string; size: number } | null
}
const factsKey = (key: string): string => `${key}.json`

/** What was made under a key before, as a whole: the facts are written last. */
export async function readMadeFile({ files }: Pick<Deps, 'files'>, key: string): Promise<MadeFile | null> {
  const stored = await files.get(factsKey(key))
  return stored && stored.json<MadeFile>()
}

export const keepMadeFile = ({ files }: Pick<Deps, 'files'>, key: string, made: MadeFile): Promise<unknown> =>
  files.put(factsKey(key), JSON.stringify(made), { httpMetadata: { contentType: 'application/json' } })

/** Keeps a file. @returns its size, or null where it is more than may be sent */
export async function keepBytes(
  { files }: Pick<Deps, 'files'>,
  key: string,
  { body, contentType }: { body: ReadableStream<Uint8Array>; contentType: string },
): Promise<number | null> {
  const parts: Uint8Array[] = []
  let size = 0
  const reader = body.getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength
    if (size > DELIVERY_FILE_MAX_BYTES) {
      await reader.cancel()
      return null
    }
    parts.push(part.value)
  }
  await files.put(key, new Blob(parts.map((part) => new Uint8Array(part))), { httpMetadata: { contentType } })
  return size
}

/** Removes files that nobody is sent any more. */
export async function deleteOldFiles({ files, clock }: Pick<Deps, 'files' | 'clock'>): Promise<void> {
  const { objects } = await files.list({ prefix: PREFIX, limit: DELETED_AT_ONCE })
  const before = dayOf(clock.now() - KEPT_MS)
  const old = objects.map(({ key }) => key).filter((key) => key.slice(PREFIX.length, PREFIX.length + 10) < before)
  if (old.length > 0) await files.delete(old)
}
