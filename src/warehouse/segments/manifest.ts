/** One chunk of a version. Others share it: what lies in it never changes. */
export interface ManifestChunk {
  /** Names it within its table set; never used again. */
  n: number
  /** That lie in it, also those that do not count. */
  rows: number
  /** Rows that do not count in this version. */
  deleted?: { vector: number; rows: number }
}
/** The rows of a version: its chunks in the order of the rows. */
export type Manifest = readonly ManifestChunk[]

export const liveRows = ({ rows, deleted }: ManifestChunk): number => rows - (deleted?.rows ?? 0)
export const countLiveRows = (manifest: Manifest): number => manifest.reduce((sum, chunk) => sum + liveRows(chunk), 0)
