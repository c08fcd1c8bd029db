/** What tells one file from another without reading it. */
export type FileIdentity = Pick<File, 'name' | 'size' | 'lastModified'>

/** Remembers which upload a file belongs to, so that it goes on after a reload of the page. */
export interface UploadMemory {
  find(file: FileIdentity): string | null
  keep(file: FileIdentity, uploadId: string): void
  forget(file: FileIdentity): void
}

const PREFIX = 'insikt-upload:'

/** Kept in this tab only, for the workspace the tab is in. A store that refuses (private mode) is no reason to stop. */
export function uploadMemory(
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  workspaceId: string,
): UploadMemory {
  const key = ({ name, size, lastModified }: FileIdentity): string =>
    `${PREFIX}${JSON.stringify([workspaceId, name, size, lastModified])}`
  const ignoringErrors = <T>(work: () => T, otherwise: T): T => {
    try {
      return work()
    } catch {
      return otherwise
    }
  }
  return {
    find: (file) => ignoringErrors(() => storage.getItem(key(file)), null),
    keep: (file, uploadId) => ignoringErrors(() => storage.setItem(key(file), uploadId), undefined),
    forget: (file) => ignoringErrors(() => storage.removeItem(key(file)), undefined),
  }
}
