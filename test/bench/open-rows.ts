import { strToU8, zipSync } from 'fflate'
import { ms, quantile, type Row } from './row.ts'
import { ApiError, Person } from '../http/person.ts'

const HOSTILE_FILES = 8
const TIMES = 9
const GOAL = 2
const LONG_TEXT = 'x'.repeat(32_000)

/** Bytes that do not compress, the same each time (xorshift32). */
function fillerOf(length: number): Uint8Array {
  let state = 20_261_121
  return Uint8Array.from({ length }, () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state & 255
  })
}

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const link = (id: string, kind: string, target: string): string =>
  `<Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${target}"/>`

/** A workbook of one sheet; `padding` only makes the file larger. */
function workbook(texts: readonly string[], rows: string, padding = 0): Blob {
  const parts = {
    '_rels/.rels': `<Relationships>${link('r1', 'officeDocument', '/xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook xmlns:r="${OFFICE}"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${link('r1', 'worksheet', 's1.xml')}${link('r2', 'sharedStrings', 'st.xml')}</Relationships>`,
    'xl/st.xml': `<sst>${texts.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    'xl/s1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  }
  const files = Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)]))
  return new Blob([zipSync(padding === 0 ? files : { ...files, padding: fillerOf(padding) }).slice()])
}

const repeated = (text: string, times: number): string => Array.from({ length: times }, () => text).join('')
/** 33 600 cells that all show one long text: a gigabyte out of a few kilobytes. */
const hostile = (padding: number): Blob =>
  workbook([LONG_TEXT], repeated(`<row>${repeated('<c t="s"><v>0</v></c>', 100)}</row>`, 336), padding)

const NAMES = Array.from({ length: 50 }, (_, at) => `Customer number ${at}`)
/** Orders as a business exports them. */
function honest(rows: number): Blob {
  const lines = Array.from({ length: rows }, (_, n) => {
    const figures = [n + 1, 46_000 + (n % 900), (n * 7919) % 100_000, n % 7].map((figure) => `<c><v>${figure}</v></c>`)
    return `<row><c t="s"><v>${n % NAMES.length}</v></c>${figures.join('')}</row>`
  })
  return workbook(NAMES, lines.join(''))
}

const open = (person: Person, id: string): Promise<unknown> => person.call('POST', `/api/uploads/${id}/open`)

async function openMs(person: Person, file: Blob, name: string): Promise<number> {
  const id = await person.upload(name, file)
  const started = performance.now()
  await open(person, id)
  return performance.now() - started
}

/** How one opening ended, and when. */
async function refusedMs(person: Person, id: string): Promise<{ code: string; ms: number }> {
  const started = performance.now()
  const code = await open(person, id).then(
    () => 'opened',
    (error: unknown) => {
      if (error instanceof ApiError) return error.body.code
      throw error
    },
  )
  return { code, ms: performance.now() - started }
}

interface Case {
  what: string
  file: Blob
  hostile: Blob
}

/** An honest file alone, and while eight hostile files of another workspace are waiting to be opened. */
async function fairnessRow(
  people: { honest: Person; hostile: Person },
  { what, file, hostile: bad }: Case,
): Promise<Row> {
  const alone: number[] = []
  const beside: number[] = []
  const refusals: { code: string; ms: number }[] = []
  // By turns, so that a machine that is slower for a while is so for both.
  for (let n = 0; n < TIMES; n++) {
    alone.push(await openMs(people.honest, file, `alone ${n}.xlsx`))
    const ids: string[] = []
    for (let at = 0; at < HOSTILE_FILES; at++) ids.push(await people.hostile.upload(`hostile ${at}.xlsx`, bad))
    const id = await people.honest.upload(`beside ${n}.xlsx`, file)
    const attack = ids.map((each) => refusedMs(people.hostile, each))
    // Some of them are under way when the honest one comes.
    await new Promise((resolve) => setTimeout(resolve, 50))
    const started = performance.now()
    await open(people.honest, id)
    beside.push(performance.now() - started)
    refusals.push(...(await Promise.all(attack)))
  }
  const [before, after] = [quantile(alone, 0.5), quantile(beside, 0.5)]
  const codes = [...new Set(refusals.map(({ code }) => code))].join(', ')
  const first = Math.min(...refusals.map((one) => one.ms))
  return {
    id: 'T1',
    what: `${what} (${Math.round(file.size / 1024)} kB) beside ${HOSTILE_FILES} of ${(bad.size / 1024).toFixed(1)} kB (${codes} after ${ms(first)}): median, worst of ${TIMES}`,
    ours: `${ms(after)}, ${ms(Math.max(...beside))}`,
    reference: `${ms(before)} alone (goal ×${GOAL})`,
    ratio: (after / before).toFixed(2),
  }
}

const KB = 1024
/** T1: what files that unpack to a gigabyte cost a workspace that has nothing to do with them. */
export async function openingFairnessRows(address: string): Promise<Row[]> {
  const person = new Person(address)
  await person.register('honest@example.com')
  const [small, large] = [honest(500), honest(40_000)]
  await openMs(person, small, 'warm.xlsx')
  const cases: Case[] = [
    { what: 'small workbook', file: small, hostile: hostile(0) },
    { what: 'small workbook', file: small, hostile: honest(5) },
    { what: 'large workbook', file: large, hostile: hostile(0) },
    { what: 'large workbook', file: large, hostile: hostile(100 * KB) },
  ]
  const rows: Row[] = []
  for (const [at, one] of cases.entries()) {
    // Each announces as many files as a person may in an hour.
    const hostilePerson = new Person(address)
    await hostilePerson.register(`hostile${at}@example.com`)
    const row = await fairnessRow({ honest: person, hostile: hostilePerson }, one)
    console.log(`${row.id} ${row.what}: ${row.ours}; ${row.reference}; ${row.ratio}`)
    rows.push(row)
  }
  return rows
}
