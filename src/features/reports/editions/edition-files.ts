import type { Deps } from '../../../deps'

/** Where editions of a workspace lie in the store of files. */
const editionsPrefix = (workspaceId: string): string => `editions/${workspaceId}/`
export const editionKey = (workspaceId: string, id: string): string => `${editionsPrefix(workspaceId)}${id}.json`

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
