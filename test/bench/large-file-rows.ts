import { openAsBlob, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { writeLedger, writeWorkbook } from './large-files.ts'
import { watchMemory, workerdSeconds } from './memory.ts'
import { MB, type Row } from './row.ts'
import type { Person } from '../http/person.ts'
import type { OpenedUpload } from '../../src/shared/data-sources/files.ts'

const LEDGER_ROWS = 2_000_000
const [SHEETS, SHEET_ROWS] = [20, 60_000]
/** Rows of the run of all others, for which these sizes stand. */
const FULL_ROWS = 1_000_000

interface Case {
  what: string
  name: string
  write: (path: string) => void
  goalSeconds: number
}

const seconds = (value: number): string => `${value.toFixed(1)} s`

const QUIET_MS = 2_000
const QUIET_SHARE = 0.1
const QUIET_WAIT_MAX_MS = 180_000
/** Until what follows a load (findings, forecasts) is over: it is no part of the next file, and takes as long as that. */
async function untilQuiet(worked: () => number): Promise<void> {
  const giveUpAt = performance.now() + QUIET_WAIT_MAX_MS
  for (;;) {
    const before = worked()
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS))
    if ((worked() - before) * 1000 < QUIET_MS * QUIET_SHARE) return
    if (performance.now() > giveUpAt) throw new Error('the server does not come to rest')
  }
}

/** Opens a file and looks into its tables as the page does, then loads all of it. */
async function largeFileRows(person: Person, one: Case, at: { folder: string; pid: number }): Promise<Row[]> {
  const path = join(at.folder, one.name)
  one.write(path)
  const worked = workerdSeconds(at.pid)
  await untilQuiet(worked)
  const size = statSync(path).size
  const id = await person.upload(one.name, await openAsBlob(path))
  rmSync(path)
  const memory = watchMemory(at.pid)
  const [began, cpu] = [performance.now(), worked()]
  const { tables } = await person.call<OpenedUpload>('POST', `/api/uploads/${id}/open`)
  const wanted = tables.filter(({ optional }) => !optional)
  const looks = await Promise.all(wanted.map(async (table) => ({ table, ...(await person.inspect(table.uploadId)) })))
  const [opened, openedCpu] = [(performance.now() - began) / 1000, worked() - cpu]
  const source = await person.createSource({
    name: one.name,
    tables: looks.map(({ table, settings, columns }) => ({
      name: table.name,
      uploadId: table.uploadId,
      settings,
      columns,
    })),
  })
  const run = await person.finished(source.lastRun?.id ?? '')
  if (run.state !== 'succeeded') throw new Error(`the load ${run.state}: ${JSON.stringify(run.error)}`)
  const [all, allCpu] = [(performance.now() - began) / 1000, worked() - cpu]
  const what = `${one.what}, ${Math.round(size / MB)} MB`
  const rows = looks.reduce((sum, look) => sum + look.rows.count, 0)
  return [
    {
      id: 'O1',
      what: `${what}: ${looks.length} tables, ${rows} rows, opened and looked into (processor time)`,
      ours: `${seconds(opened)} (${seconds(openedCpu)})`,
      reference: `${seconds(one.goalSeconds)} (goal)`,
      ratio: (opened / one.goalSeconds).toFixed(2),
    },
    {
      id: 'O1',
      what: `${what}: the same and loaded (processor time); growth of memory`,
      ours: `${seconds(all)} (${seconds(allCpu)}), ${Math.round(memory.stop() / MB)} MB`,
      reference: '–',
      ratio: '–',
    },
  ]
}

/** O1: how long the largest ledger and workbook of a common kind take to open; `rows` scales them. */
export async function openLargeRows(person: Person, at: { folder: string; pid: number; rows: number }): Promise<Row[]> {
  const scaled = (most: number): number => Math.ceil(Math.min(1, at.rows / FULL_ROWS) * most)
  const [entries, sheetRows] = [scaled(LEDGER_ROWS), scaled(SHEET_ROWS)]
  const cases: Case[] = [
    {
      what: `ledger of ${entries} entries`,
      name: 'ledger.se',
      write: (path) => writeLedger(path, entries),
      goalSeconds: 4,
    },
    {
      what: `workbook of ${SHEETS} sheets`,
      name: 'regions.xlsx',
      write: (path) => writeWorkbook(path, SHEETS, sheetRows),
      goalSeconds: 8,
    },
  ]
  const rows: Row[] = []
  for (const one of cases) rows.push(...(await largeFileRows(person, one, at)))
  return rows
}
