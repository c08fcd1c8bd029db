/** What tells one file from another without reading it. */
export type FileMark = Pick<File, 'name' | 'size' | 'lastModified'>

/** Remembers which upload a file belongs to, so that it goes on after a reload of the page. */
export interface UploadMemory {
  find(file: FileMark): string | null
  keep(file: FileMark, uploadId: string): void
  forget(file: FileMark): void
}

const PREFIX = 'insikt-upload:'

/** Kept in this tab only, for the workspace the tab is in. A store that refuses (private mode) is no reason to stop. */
export function uploadMemory(
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  workspaceId: string,
): UploadMemory {
  const key = ({ name, size, lastModified }: FileMark): string =>
    `${PREFIX}${JSON.stringify([workspaceId, name, size, lastModified])}`
  const quietly = <T>(work: () => T, otherwise: T): T => {
    try {
      return work()
    } catch {
      return otherwise
    }
  }
  return {
    find: (file) => quietly(() => storage.getItem(key(file)), null),
    keep: (file, uploadId) => quietly(() => storage.setItem(key(file), uploadId), undefined),
    forget: (file) => quietly(() => storage.removeItem(key(file)), undefined),
  }
}
