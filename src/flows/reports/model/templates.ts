import { emptyPage, heading, layOut, pageOf, type PlacedRow } from './page-layout'
import type { ChartKind } from '../../../shared/insights'
import type { Field } from '../../../shared/query/field'
import type { BlockOf } from '../../../shared/reports/blocks'
import {
  FILTER_LABEL_MAX_CHARS,
  type ReportContent,
  type ReportPeriod,
  type ReportTemplate,
} from '../../../shared/reports/reports'
import type { StatementKind } from '../../../shared/statements/statements'

/** What a workspace has to fill a report with, the best of each first. */
export interface TemplateParts {
  /** Whether there are tables to make figures of. */
  tables: boolean
  insights: TemplateInsight[]
  /** `figure` says what it measures: the same of two is one figure. */
  metrics: { id: string; name: string; dated: boolean; figure: string }[]
  /** `balance`: of what there will be, as of cash; else of what comes and goes. */
  forecasts: { id: string; name: string; balance: boolean }[]
  ledgers: { source: string; name: string; budget: boolean; lastYear: boolean }[]
  /** Columns that readers may want to choose values of. */
  filters: { label: string; table: string; field: Field; ledger: boolean }[]
}
export interface TemplateInsight {
  id: string
  name: string
  chart: ChartKind
  /** Reads a ledger. */
  ledger: boolean
  /** Figures that can be shown as one number, by the index of their measure. */
  figures: { measure: number; label: string; figure: string }[]
  /** What it shows over time and nothing else; null: it breaks down, or shows several. */
  overTime: string | null
}
export const NO_PARTS: TemplateParts = {
  tables: false,
  insights: [],
  metrics: [],
  forecasts: [],
  ledgers: [],
  filters: [],
}

const last = (n: number, unit: 'week' | 'month', includeCurrent = false) =>
  ({ kind: 'relative', span: 'last', unit, n, includeCurrent }) as const
const content = (
  period: ReportPeriod,
  pages: ReportContent['pages'],
  filters: TemplateParts['filters'] = [],
): ReportContent => ({
  v: 1,
  period,
  filters: filters.slice(0, FILTERS_MAX).map((each, at, all) => ({
    id: `filter${at + 1}`,
    label: filterLabel(each, all),
    field: each.field,
    filter: null,
  })),
  pages,
})
/** As the column is called; with its table where another filter's column is called the same. */
function filterLabel({ label, table, field }: FilterPart, all: readonly FilterPart[]): string {
  const key = label.toLocaleLowerCase()
  const alike = all.some((other) => other.field !== field && other.label.toLocaleLowerCase() === key)
  if (!alike) return label
  return (NAMES.test(label) ? table : `${table}: ${label}`).slice(0, FILTER_LABEL_MAX_CHARS)
}
/** What a table's rows are called: the table says it. */
const NAMES = /^(name|namn)$/i
type FilterPart = TemplateParts['filters'][number]
const FILTERS_MAX = 3
const KEY_FIGURES = 4
const CHARTS_MAX = 6

/** What a report begins with: a page or several of what is there, or one that says what to add. Pure. */
export function fillTemplate(template: ReportTemplate, parts: TemplateParts): ReportContent {
  switch (template) {
    case 'blank':
      return content({ range: null, compare: 'none' }, [pageOf(0, 'Page 1', [])])
    case 'monday':
      return mondayBoard(parts)
    case 'sales':
      return salesReview(parts)
    case 'monthEnd':
      return monthEndPack(parts)
    case 'cash':
      return cashOutlook(parts)
    case 'board':
      return boardPack(parts)
  }
}

function mondayBoard(parts: TemplateParts): ReportContent {
  const period: ReportPeriod = { range: last(13, 'week'), compare: 'previous' }
  const rows = [...keyFigures(parts), ...metricCharts(parts, 'week', 2), ...insightCharts(besides(parts, 2), 4)]
  if (rows.length === 0) return content(period, [emptyPage('Monday board', needsFigures(parts))])
  const told = lastWeekText(parts)
  const page = pageOf(0, 'This week', layOut([heading('Monday board', '{{period}}'), ...told, ...rows]))
  return content(period, [page], parts.filters)
}

/** The newest whole week in words, with its days, where the workspace has metrics to say it with. */
function lastWeekText({ metrics }: TemplateParts): PlacedRow[] {
  const named = metrics.filter(({ dated, name }) => dated && isTokenName(name)).slice(0, 3)
  if (named.length === 0) return []
  const lines = named.map(
    ({ name }) =>
      `- ${name}, {{metric.${name}|last_week|days}}: **{{metric.${name}|last_week}}**, {{metric.${name}|last_week|vs:previous|percent}} on the week before`,
  )
  return [[{ w: 12, h: 1 + lines.length, block: { kind: 'text', text: lines.join('\n') } }]]
}
/** Signs that end a token. */
const isTokenName = (name: string): boolean => !/[{}|]/.test(name)

function salesReview(parts: TemplateParts): ReportContent {
  const period: ReportPeriod = { range: last(12, 'month', true), compare: 'year' }
  const own = parts.insights.filter(({ ledger }) => !ledger)
  const given = { ...parts, insights: own.length > 0 ? own : parts.insights }
  const rows = [
    ...keyFigures(given),
    ...metricCharts(given, 'month', 4),
    ...insightCharts(besides(given, 4), CHARTS_MAX),
  ]
  if (rows.length === 0) return content(period, [emptyPage('Sales review', needsFigures(parts))])
  const page = pageOf(0, 'Sales', layOut([heading('Sales review', '{{period}}'), ...rows]))
  return content(
    period,
    [page],
    parts.filters.filter(({ ledger }) => !ledger),
  )
}

const STATEMENT_PAGES: readonly [StatementKind, string][] = [
  ['income', 'Profit and loss'],
  ['balance', 'Balance sheet'],
  ['cashFlow', 'Cash flow'],
  ['trial', 'Trial balance'],
  ['ratios', 'Key ratios'],
]
function monthEndPack({ ledgers }: TemplateParts): ReportContent {
  const period: ReportPeriod = { range: last(1, 'month'), compare: 'none' }
  const [ledger] = ledgers
  if (!ledger) return content(period, [emptyPage('Month-end pack', NEEDS_LEDGER)])
  const pages = STATEMENT_PAGES.map(([statement, name], at) =>
    pageOf(
      at,
      name,
      layOut([
        // The page and its statement say what they are.
        ...(at === 0 ? [heading('Month-end pack', '{{period}}')] : []),
        [{ w: 12, h: STATEMENT_ROWS[statement], block: statementBlock(ledger, statement) }],
        ...(statement === 'income' || statement === 'balance' ? [commentary()] : []),
      ]),
    ),
  )
  return content(period, pages)
}
const STATEMENT_ROWS: Record<StatementKind, number> = { income: 26, balance: 30, cashFlow: 25, trial: 40, ratios: 16 }

const commentary = (): PlacedRow => [{ w: 12, h: 3, block: { kind: 'text', text: '' } }]

function statementBlock(
  { source, budget, lastYear }: TemplateParts['ledgers'][number],
  statement: StatementKind,
): Omit<BlockOf<'statement'>, 'id' | 'place'> {
  const compares = statement !== 'trial'
  const hasBudget = statement === 'income' && budget
  return {
    kind: 'statement',
    source,
    query: {
      statement,
      view: 'ytd',
      lastYear: compares && lastYear ? '1' : '0',
      budget: hasBudget ? '1' : '0',
      variance: statement === 'income' && (hasBudget || lastYear) ? '1' : '0',
    },
    language: 'en',
    accounts: false,
    title: '',
  }
}

function cashOutlook(parts: TemplateParts): ReportContent {
  const period: ReportPeriod = { range: last(12, 'month', true), compare: 'year' }
  const [ledger] = parts.ledgers
  const forecasts = parts.forecasts
    .filter(({ balance }) => balance)
    .slice(0, 4)
    .map(({ id }): PlacedRow => [{ w: 12, h: 11, block: { kind: 'forecast', forecast: id, title: '' } }])
  const rows: PlacedRow[] = [
    ...forecasts,
    ...(ledger ? [[{ w: 12, h: STATEMENT_ROWS.cashFlow, block: statementBlock(ledger, 'cashFlow') }]] : []),
    ...insightCharts(
      parts.insights.filter((each) => each.ledger),
      4,
    ),
  ]
  if (rows.length === 0) return content(period, [emptyPage('Cash outlook', [...NEEDS_LEDGER, ...NEEDS_FORECAST])])
  const told: PlacedRow[] =
    forecasts.length > 0
      ? []
      : [[{ w: 12, h: 2, block: { kind: 'text', text: 'Add a forecast of cash to see what is ahead.' } }]]
  return content(period, [pageOf(0, 'Cash', layOut([heading('Cash outlook', '{{period}}'), ...told, ...rows]))])
}

function boardPack(parts: TemplateParts): ReportContent {
  const period: ReportPeriod = { range: last(12, 'month', true), compare: 'year' }
  const [ledger] = parts.ledgers
  const overview = [...keyFigures(parts), ...metricCharts(parts, 'month', 2), ...insightCharts(besides(parts, 2), 4)]
  const outlook = parts.forecasts
    .slice(0, 3)
    .map(({ id }): PlacedRow => [{ w: 12, h: 11, block: { kind: 'forecast', forecast: id, title: '' } }])
  const financials = ledger
    ? (['income', 'balance', 'ratios'] as const).map((statement): PlacedRow => [
        { w: 12, h: STATEMENT_ROWS[statement], block: statementBlock(ledger, statement) },
      ])
    : []
  const given: [string, PlacedRow[]][] = [
    ['Overview', overview.length > 0 ? [heading('Board pack', '{{period}}'), ...overview, commentary()] : []],
    ['Financials', financials.length > 0 ? [heading('Financials', ''), ...financials] : []],
    ['Outlook', outlook.length > 0 ? [heading('Outlook', ''), ...outlook] : []],
  ]
  const pages = given.flatMap(([name, rows]) => (rows.length > 0 ? [{ name, rows }] : []))
  if (pages.length === 0) return content(period, [emptyPage('Board pack', [...needsFigures(parts), ...NEEDS_LEDGER])])
  return content(
    period,
    pages.map(({ name, rows }, at) => pageOf(at, name, layOut(rows))),
    parts.filters,
  )
}

/** What is there already is not asked for. */
const needsFigures = ({ tables }: TemplateParts): string[] => [
  ...(tables ? [] : ['Add a data source with orders, invoices or other rows.']),
  'Save insights, or create metrics.',
]
const NEEDS_LEDGER = ['Add a data source with a ledger, such as a SIE file.']
const NEEDS_FORECAST = ['Create a forecast of cash or sales.']

/** The figures that a business looks at first: its metrics, else those of its insights, each once. */
function keyFigures({ metrics, insights }: TemplateParts): PlacedRow[] {
  const ofMetrics = metrics
    .filter(({ dated }) => dated)
    .map(({ id, name, figure }) => ({ label: '', name, figure, subject: { kind: 'metric' as const, id } }))
  const ofInsights = insights.flatMap(({ id, figures }) =>
    figures.map(({ measure, label, figure }) => ({
      ...{ label, name: label, figure, subject: { kind: 'insight' as const, id, measure } },
    })),
  )
  const seen = new Set<string>()
  const isNew = (key: string): boolean => !seen.has(key) && seen.add(key) === seen
  const figures = [...ofMetrics, ...ofInsights]
    .filter(({ name, figure }) => isNew(`figure ${figure}`) && isNew(`name ${name}`))
    .slice(0, KEY_FIGURES)
  if (figures.length === 0) return []
  return [
    [{ w: 12, h: 4, block: { kind: 'kpis', figures: figures.map(({ subject, label }) => ({ subject, label })) } }],
  ]
}

/** Insights that show more than the charts of so many metrics do. */
function besides({ metrics, insights }: TemplateParts, charted: number): TemplateInsight[] {
  const shown = new Set(
    metrics
      .filter(({ dated }) => dated)
      .slice(0, charted)
      .map(({ figure }) => figure),
  )
  return insights.filter(({ overTime }) => overTime === null || !shown.has(overTime))
}

const metricCharts = ({ metrics }: TemplateParts, grain: 'week' | 'month', most: number): PlacedRow[] =>
  inPairs(
    metrics
      .filter(({ dated }) => dated)
      .slice(0, most)
      .map(({ id }) => ({ kind: 'metric', metric: id, grain, by: null, chart: 'line', title: '' }) as const),
  )

const insightCharts = (insights: readonly TemplateInsight[], most: number): PlacedRow[] =>
  inPairs(
    insights
      .filter(({ chart }) => chart !== 'number')
      .slice(0, most)
      .map(({ id }) => ({ kind: 'insight', insight: id, chart: null, title: '' }) as const),
  )

/** Two beside each other; the last one of an odd number has its row for itself. */
function inPairs(blocks: readonly PlacedRow[number]['block'][]): PlacedRow[] {
  const rows: PlacedRow[] = []
  for (let at = 0; at < blocks.length; at += 2) {
    const pair = blocks.slice(at, at + 2)
    rows.push(pair.map((block) => ({ block, w: 12 / pair.length, h: 10 })))
  }
  return rows
}
