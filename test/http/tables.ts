import type { DataSource, Dataset } from '../../src/shared/data-sources/data-sources.ts'
import type { Person } from './person.ts'

const file = (lines: readonly string[]): Blob => new Blob([`${lines.join('\r\n')}\r\n`])

async function table(person: Person, name: string, lines: readonly string[]) {
  const uploadId = await person.upload(`${name}.csv`, file(lines))
  const { settings, columns } = await person.inspect(uploadId)
  return { name, uploadId, settings, columns: columns.map((column) => ({ ...column, include: true })) }
}

async function succeeded(person: Person, runId: string | undefined): Promise<void> {
  const { state, error } = await person.finished(runId ?? '')
  if (state !== 'succeeded') throw new Error(`the load ended as ${state}: ${JSON.stringify(error)}`)
}

/** A source of one table, loaded; the first line names its columns. */
export async function loadTable(person: Person, name: string, lines: readonly string[]): Promise<Dataset> {
  const made = await person.createSource({ name, tables: [await table(person, name, lines)] })
  await succeeded(person, made.lastRun?.id)
  const { datasets } = await person.call<DataSource>('GET', `/api/data-sources/${made.id}`)
  const [dataset] = datasets
  if (!dataset) throw new Error(`the source ${name} has no table`)
  return person.call<Dataset>('GET', `/api/datasets/${dataset.id}`)
}

/** Other rows of the same columns in place of those that are there. */
export async function replaceTable(person: Person, dataset: Dataset, lines: readonly string[]): Promise<void> {
  const { uploadId, settings, columns } = await table(person, dataset.name, lines)
  const mapping = columns.map(({ index }) => ({ index, key: `c${index}` as const }))
  const run = await person.load(dataset.id, { uploadId, mode: 'replace', settings, columns, mapping })
  await succeeded(person, run.id)
}
