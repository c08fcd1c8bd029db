import { readTemplateItems } from './template-store'
import type { TemplateInsight, TemplateParts } from './model/templates'
import { getStatement } from '../../features/statements/service'
import type { CalendarContext } from '../../semantic/calendar'
import type { InsightSubject } from '../../semantic/monitored-metric-store'
import { canonicalJson } from '../../lib/hash'
import { ProductError } from '../../shared/errors'
import type { Filter, Measure } from '../../shared/query/plan'
import { datasetIdsOf, hasWindow, isPlainSplit } from '../../shared/query/plan-fields'
import { findLedgerTables } from '../../shared/statements/ledger-tables'
import { statementQuerySchema } from '../../shared/statements/statements'
import type { CatalogueDataset } from '../../warehouse/contract'

/** What the workspace has that who asks may see. */
export async function readTemplateParts(context: CalendarContext): Promise<TemplateParts> {
  const { deps, scope } = context
  const [items, datasets] = await Promise.all([readTemplateItems(deps.db, scope), deps.warehouse(scope).datasets()])
  const ledgers = items.sources.flatMap((source) => {
    const tables = datasets.filter(({ sourceId }) => sourceId === source.id)
    return findLedgerTables(tables) ? [{ ...source, tables }] : []
  })
  const ofLedgers = new Set(ledgers.flatMap(({ tables }) => tables.map(({ id }) => id)))
  const readsLedger = ({ plan }: InsightSubject) => datasetIdsOf(plan).some((id) => ofLedgers.has(id))
  const insights = items.insights.map((insight) => toTemplateInsight(insight, readsLedger(insight)))
  return {
    ...{ tables: datasets.length > 0, insights, forecasts: items.forecasts },
    metrics: items.metrics.map(({ id, name, dated, measure, filters }) => ({
      ...{ id, name, dated, figure: figureKey(measure, filters) },
    })),
    ledgers: (await Promise.all(ledgers.map((ledger) => ledgerFacts(context, ledger)))).flat(),
    filters: filterColumns(items.insights, datasets, ofLedgers),
  }
}

/** What is measured, whatever it is called and however it is written. */
function figureKey(measure: Measure, filters: readonly Filter[]): string {
  const { label: _label, format: _format, ...rest } = measure
  return canonicalJson({ measure: rest, filters })
}

/** Of the only measure of an insight that shows it over time. */
function shownOverTime({ measures, dimensions, filters }: InsightSubject['plan']): string | null {
  const [measure, ...others] = measures
  const [time, ...splits] = dimensions
  if (!measure || others.length > 0 || time?.grain === undefined || splits.length > 0) return null
  return figureKey(measure, filters)
}

const toTemplateInsight = ({ id, name, plan, viz }: InsightSubject, ledger: boolean): TemplateInsight => ({
  ...{ id, name, ledger, chart: viz.chart, overTime: shownOverTime(plan) },
  figures: plan.measures.flatMap((shown, measure) =>
    hasWindow(shown) || (shown.kind === 'column' && FIRST_AND_LAST.has(shown.agg))
      ? []
      : [
          {
            measure,
            figure: figureKey(shown, plan.filters),
            label: plan.measures.length > 1 || shown.label !== undefined ? (shown.label ?? '') : name,
          },
        ],
  ),
})
/** Values rather than figures: days, names. */
const FIRST_AND_LAST: ReadonlySet<string> = new Set(['min', 'max', 'first', 'last'])

/** Whether a ledger has budgets and a year before; none where it holds no figures. */
async function ledgerFacts(
  context: CalendarContext,
  { id, name }: { id: string; name: string },
): Promise<TemplateParts['ledgers']> {
  try {
    const { has } = await getStatement(context, { id, query: statementQuerySchema.parse({ view: 'ytd' }) })
    return [{ source: id, name, ...has }]
  } catch (error) {
    if (error instanceof ProductError) return []
    throw error
  }
}

/** Texts that insights are split by: what readers choose values of. */
function filterColumns(
  insights: readonly InsightSubject[],
  datasets: readonly CatalogueDataset[],
  ofLedgers: ReadonlySet<string>,
): TemplateParts['filters'] {
  const seen = new Set<string>()
  return insights.flatMap(({ plan }) =>
    plan.dimensions.flatMap((dimension) => {
      const { dataset, column: key } = dimension.field
      const table = datasets.find(({ id }) => id === dataset)
      const column = table?.columns.find((each) => each.key === key)
      const id = `${dataset}.${key}`
      if (!table || !column || column.hidden || column.type !== 'text' || !isPlainSplit(dimension) || seen.has(id))
        return []
      seen.add(id)
      return [
        { label: column.label, table: table.name, field: { dataset, column: key }, ledger: ofLedgers.has(dataset) },
      ]
    }),
  )
}
