import { z } from 'zod'

const keptFileSchema = z.object({ uploadId: z.string(), name: z.string(), size: z.number() })
const keptFilesSchema = z.array(keptFileSchema)

/** A file that the server holds and that nobody imported yet. */
export type KeptFile = z.infer<typeof keptFileSchema>

/** Remembers which opened files were being reviewed, so that they are offered after a reload of the page. */
export interface KeptUploads {
  read(): KeptFile[]
  write(files: readonly KeptFile[]): void
}

const PREFIX = 'insikt-reviewed:'

/** Kept in this tab only, for what the files were for. A store that refuses (private mode) is no reason to stop. */
export function keptUploads(
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  purpose: string,
): KeptUploads {
  const key = PREFIX + purpose
  return {
    read: () => {
      try {
        return keptFilesSchema.safeParse(JSON.parse(storage.getItem(key) ?? '[]')).data ?? []
      } catch {
        return []
      }
    },
    write: (files) => {
      try {
        if (files.length === 0) storage.removeItem(key)
        else storage.setItem(key, JSON.stringify(files))
      } catch {
        // Then they are not offered again.
      }
    },
  }
}
