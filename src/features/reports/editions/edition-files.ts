import { strayFileStore } from './stray-file-store'
import type { Deps } from '../../../deps'

/** Nothing that stores an edition takes as long as this. */
const STRAY_AFTER_MS = 24 * 60 * 60 * 1000
const STRAYS_AT_ONCE = 500

/** Where editions of a workspace lie in the store of files. */
const editionsPrefix = (workspaceId: string): string => `editions/${workspaceId}/`
export const editionKey = (workspaceId: string, id: string): string => `${editionsPrefix(workspaceId)}${id}.json`

/** Stores the document of an edition that is not there yet; noted first, so that no file is left behind without one. */
export async function putEditionFile(
  { db, clock, files }: Pick<Deps, 'db' | 'clock' | 'files'>,
  { workspaceId, id, text }: { workspaceId: string; id: string; text: string },
): Promise<void> {
  await strayFileStore(db).add({ id, workspaceId, dueAt: clock.now() + STRAY_AFTER_MS })
  await files.put(editionKey(workspaceId, id), text, { httpMetadata: { contentType: 'application/json' } })
}

/** Removes files that were stored a day ago and have no edition: its publishing failed half-way. */
export async function sweepEditionFiles({ db, clock, files }: Pick<Deps, 'db' | 'clock' | 'files'>): Promise<void> {
  const due = await strayFileStore(db).due(clock.now(), STRAYS_AT_ONCE)
  if (due.length === 0) return
  const strays = due.filter(({ kept }) => !kept)
  // The files first: a note without its file is tried again, a file without a note would stay for ever.
  if (strays.length > 0) await files.delete(strays.map(({ workspaceId, id }) => editionKey(workspaceId, id)))
  await strayFileStore(db).remove(due.map(({ id }) => id))
}

/** Removes files of editions of a workspace that is deleted for good. @returns whether there may be more */
export async function dropEditionFiles(
  { files }: Pick<Deps, 'files'>,
  workspaceId: string,
  max: number,
): Promise<boolean> {
  const { objects } = await files.list({ prefix: editionsPrefix(workspaceId), limit: max })
  if (objects.length > 0) await files.delete(objects.map(({ key }) => key))
  return objects.length === max
}
