import { env } from 'cloudflare:test'
import { loadTable } from './load-tables'
import { csvFilesOf, type CsvFile } from './nlq-loaded'
import { preparedCheck, type Suite } from './suite'
import { depsAt } from '../worker/deps'
import { signedIn } from '../worker/factories'
import { plainSentenceOf } from '../worker/finding-text'
import { rankStories, type RankedStory } from '../../src/features/briefing/model/rank-stories'
import { analyzeDatasets } from '../../src/features/findings/analyze'
import { loadAnalysisCatalogue } from '../../src/features/findings/analysis-catalogue'
import { allFindings } from '../../src/features/findings/service'
import { systemIds } from '../../src/deps'
import { Scope } from '../../src/identity/scope'
import type { CalendarContext } from '../../src/semantic/calendar'
import { warehouseClientFactory } from '../../src/warehouse/stub'

const NOW = Date.UTC(2026, 0, 15)

/** Tables imported together, the relations that are proposed confirmed, and what the first screen tells of them. */
async function storiesOf(tables: readonly CsvFile[], debug: string[]): Promise<RankedStory[]> {
  const me = await signedIn({ timeZone: 'UTC' })
  const scope = Scope.forJob({ workspaceId: me.workspaceId, userId: me.userId, epoch: '1.1' })
  const warehouse = warehouseClientFactory(env.WAREHOUSE)(scope)
  const sourceId = systemIds.next('source')
  for (const table of tables) await loadTable(warehouse, { ...table, sourceId })
  for (const { id, version, state } of await warehouse.relations({}))
    if (state === 'proposed') await warehouse.updateRelation({ id, version, state: 'confirmed' })
  const context: CalendarContext = {
    deps: depsAt(NOW),
    scope,
    calendar: { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2026-01-15' },
  }
  const homes = await warehouse.datasets()
  for (const h of homes) debug.push(['  #',h.name, h.rowCount, h.columns.map((c) => `${c.label}:${c.type}/${c.role}`).join(' ')].join(' '))
  const cat = await loadAnalysisCatalogue(context.deps, context.scope)
  debug.push(...cat.candidates.map((c) => `  ? ${c.label} ${JSON.stringify(c.time)}`), ...cat.edges.map((e) => `  -> ${JSON.stringify(e)}`))
  await analyzeDatasets(context, new Set(homes.map(({ id }) => id)))
  const { findings } = await allFindings(context)
  return rankStories(findings, { now: NOW, since: null, marks: new Map(), lessOf: new Set() })
}

export const findingsSuite: Suite = {
  floor: 0,
  cases: async (files, atEnd) => {
    const folders = (await files.list()).map((name) => `${name}/`)
    return folders.map((folder) => ({
      name: folder,
      ...preparedCheck(
        async () => {
          const debug: string[] = []
          return { debug, stories: await storiesOf(await csvFilesOf(files, folder), debug) }
        },
        ({ debug, stories }) => {
          const lines = stories.slice(0, 14).flatMap(({ lead, facets }, n) => [
            `${folder} ${n + 1}. [${lead.kind} ${lead.tone} ${lead.score.toFixed(2)}] ${plainSentenceOf(lead)}`,
            ...facets.map((one) => `        · [${one.kind}] ${plainSentenceOf(one)}`),
          ])
          atEnd(() => [...debug, ...lines])
          return []
        },
      ),
    }))
  },
}
