import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import type { Row } from './row.ts'

/** Bytes of a row of the same table while datasets were stored as tables of rows. */
const AS_ROWS_BYTES = 96

/** What the tables of columns take in a database. */
const USED = `SELECT coalesce(sum(pgsize), 0) AS bytes FROM dbstat
  WHERE name GLOB 'column_*' OR name GLOB 'sqlite_autoindex_column_*'`

/** Bytes of all datasets' columns under a state folder: copies of its databases are read, while the server runs. */
function columnBytes(state: string): number {
  const databases = readdirSync(state, { recursive: true, encoding: 'utf8' })
    .map((file) => join(state, file))
    .filter((file) => file.endsWith('.sqlite') && /warehouse/i.test(file) && basename(file) !== 'metadata.sqlite')
  const folder = mkdtempSync(join(tmpdir(), 'insikt-disk-'))
  try {
    return databases.reduce((sum, path) => {
      for (const file of readdirSync(dirname(path)))
        if (file.startsWith(basename(path))) cpSync(join(dirname(path), file), join(folder, file))
      const database = new DatabaseSync(join(folder, basename(path)))
      const { bytes } = z.object({ bytes: z.number() }).parse(database.prepare(USED).get())
      database.close()
      return sum + bytes
    }, 0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** D1: what a row takes on disk, once `loaded` rows stand in all datasets together. */
export function diskRows(state: string, loaded: number): Row[] {
  const bytes = columnBytes(state) / loaded
  return [
    {
      id: 'D1',
      what: 'disk, a row of 11 columns',
      ours: `${bytes.toFixed(1)} bytes`,
      reference: `${AS_ROWS_BYTES} bytes (a table of rows)`,
      ratio: (bytes / AS_ROWS_BYTES).toFixed(2),
    },
  ]
}
