import { describe, expect, it } from 'vitest'
import { fillTemplate, NO_PARTS, type TemplateParts } from './templates'
import type { ReportBlock } from '../../../shared/reports/blocks'
import { blockItems, blocksOf } from '../../../shared/reports/report-items'
import { REPORT_TEMPLATES, reportContentSchema } from '../../../shared/reports/reports'
import { tokensOf } from '../../../shared/reports/text-tokens'

const id = (kind: string, n: number) => `${kind}_${String(n).padStart(20, '0')}`
const insight = (n: number, label: string, ledger = false): TemplateParts['insights'][number] => ({
  ...{ id: id('ins', n), name: `${label} by month`, chart: 'line', ledger },
  ...{ figures: [{ measure: 0, label, figure: `sum ${label}` }], overTime: `sum ${label}` },
})
const column = { dataset: id('ds', 1), column: 'c1' } as const
/** As the sample company has it, and with metrics and forecasts. */
const PARTS: TemplateParts = {
  tables: true,
  insights: [
    insight(1, 'Sales'),
    insight(2, 'Margin'),
    insight(3, 'Sales'),
    insight(4, 'Result', true),
    insight(5, 'Costs', true),
  ],
  metrics: [],
  forecasts: [],
  ledgers: [{ source: id('src', 1), name: 'Books', budget: true, lastYear: true }],
  filters: [{ label: 'Group', table: 'Orders', field: column, ledger: false }],
}
const FULL: TemplateParts = {
  ...PARTS,
  metrics: [
    { id: id('met', 1), name: 'Revenue', dated: true, figure: 'sum Revenue' },
    { id: id('met', 2), name: 'a|b', dated: true, figure: 'sum a|b' },
    { id: id('met', 3), name: 'Stock', dated: false, figure: 'sum Stock' },
  ],
  forecasts: [
    { id: id('fct', 1), name: 'Cash', balance: true },
    { id: id('fct', 2), name: 'Sales', balance: false },
  ],
}
const overlaps = (blocks: readonly ReportBlock[]): boolean =>
  blocks.some(({ place: a }, at) =>
    blocks
      .slice(at + 1)
      .some(({ place: b }) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h),
  )

/** The key figures and the charts of all pages. */
function shown(parts: TemplateParts, template: 'monday' | 'sales' | 'board'): { figures: string[]; charts: string[] } {
  const blocks = blocksOf(fillTemplate(template, parts))
  return {
    figures: blocks.flatMap((block) => (block.kind === 'kpis' ? block.figures.map(({ subject }) => subject.id) : [])),
    charts: blocks.flatMap((block) =>
      block.kind === 'metric' ? [block.metric] : block.kind === 'insight' ? [block.insight] : [],
    ),
  }
}

describe('templates', () => {
  it.each(REPORT_TEMPLATES)(
    '%s is a report that can be saved, whatever there is, with no block over another',
    (template) => {
      for (const parts of [
        NO_PARTS,
        PARTS,
        FULL,
        { ...FULL, ledgers: [] },
        { ...NO_PARTS, forecasts: FULL.forecasts },
      ]) {
        const content = fillTemplate(template, parts)
        expect(reportContentSchema.parse(content)).toEqual(content)
        for (const { blocks } of content.pages) expect(overlaps(blocks)).toBe(false)
        for (const block of blocksOf(content))
          if (block.kind === 'text') expect(tokensOf(block.text).filter(({ kind }) => kind === 'unknown')).toEqual([])
      }
    },
  )

  it('say what to add where there is nothing', () => {
    for (const template of REPORT_TEMPLATES.filter((each) => each !== 'blank')) {
      const blocks = blocksOf(fillTemplate(template, NO_PARTS))
      expect(blocks.map(({ kind }) => kind)).toEqual(['text', 'text'])
      expect(JSON.stringify(blocks)).toContain('To fill this report')
    }
  })

  it('ask for no rows where there are some', () => {
    const asks = (tables: boolean): string => JSON.stringify(fillTemplate('monday', { ...NO_PARTS, tables }))
    expect(asks(true)).not.toContain('Add a data source')
    expect(asks(true)).toContain('Save insights, or create metrics.')
    expect(asks(false)).toContain('Add a data source')
  })

  it('call filters by their columns, where two are called the same by their tables', () => {
    const filters = [
      { label: 'name', table: 'Accounts', field: column, ledger: false },
      { label: 'Name', table: 'Customers', field: { ...column, column: 'c2' as const }, ledger: false },
      { label: 'Group', table: 'Orders', field: { ...column, column: 'c3' as const }, ledger: false },
    ]
    const labels = fillTemplate('monday', { ...PARTS, filters }).filters.map(({ label }) => label)
    expect(labels).toEqual(['Accounts', 'Customers', 'Group'])
  })

  it('show a figure once, metrics before insights', () => {
    const [kpis] = blocksOf(fillTemplate('board', FULL)).filter(({ kind }) => kind === 'kpis')
    expect(kpis && blockItems(kpis)).toEqual([id('met', 1), id('met', 2), id('ins', 1), id('ins', 2)])
  })

  it('of cash show what there will be, and no sales in its place', () => {
    const shown = (parts: TemplateParts) =>
      blocksOf(fillTemplate('cash', parts)).flatMap((block) => (block.kind === 'forecast' ? [block.forecast] : []))
    expect([shown(FULL), shown({ ...FULL, forecasts: FULL.forecasts.slice(1) })]).toEqual([[id('fct', 1)], []])
  })

  it('of a month-end hold every statement, with the budget and the last year where the books have them', () => {
    const statements = (parts: TemplateParts) =>
      blocksOf(fillTemplate('monthEnd', parts)).flatMap((block) => (block.kind === 'statement' ? [block.query] : []))
    expect(statements(PARTS).map(({ statement, budget, lastYear }) => [statement, budget, lastYear])).toEqual([
      ['income', '1', '1'],
      ['balance', '0', '1'],
      ['cashFlow', '0', '1'],
      ['trial', '0', '0'],
      ['ratios', '0', '1'],
    ])
    const bare = { ...PARTS, ledgers: [{ source: id('src', 1), name: 'Books', budget: false, lastYear: false }] }
    expect(JSON.stringify(statements(bare))).not.toContain('"1"')
  })

  it.each(['monday', 'sales', 'board'] as const)(
    '%s shows what is measured once, whatever it is called',
    (template) => {
      const metrics = [{ id: id('met', 1), name: 'Net sales', dated: true, figure: 'sum Sales' }]
      const bySegment = { ...insight(6, 'Sales'), name: 'Sales by segment', overTime: null }
      const parts = { ...NO_PARTS, metrics, insights: [insight(1, 'Sales'), bySegment, insight(2, 'Margin')] }
      expect(shown(parts, template)).toEqual({
        figures: [id('met', 1), id('ins', 2)],
        charts: [id('met', 1), id('ins', 6), id('ins', 2)],
      })
    },
  )

  it('names the days of the newest week instead of one that may be long ago', () => {
    const metrics = [{ id: id('met', 1), name: 'Revenue', dated: true, figure: 'sum Revenue' }]
    const texts = blocksOf(fillTemplate('monday', { ...NO_PARTS, metrics })).flatMap((block) =>
      block.kind === 'text' ? [block.text] : [],
    )
    expect(texts.join(' ')).toContain('{{metric.Revenue|last_week|days}}: **')
    expect(texts.join(' ')).not.toMatch(/last week/)
  })
})
