import { existsSync, statfsSync } from 'node:fs'

/** A folder that many systems keep in memory. */
const MEMORY = '/dev/shm'
const ROOM_BYTES = 2 * 1024 ** 3

/** Databases of tests are written anew in each run: in memory, where there is room, none of their writes waits for a disk. */
export function databasesInMemory(): void {
  if (!existsSync(MEMORY)) return
  const { bavail, bsize } = statfsSync(MEMORY)
  if (bavail * bsize > ROOM_BYTES) process.env['TMPDIR'] = MEMORY
}
