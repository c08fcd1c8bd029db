import { describe, expect, it } from 'vitest'
import { answerOf, compared, kronor } from '../../ui/chart/chart.fixture'
import { tokenText } from '../../../src/shared/reports/token-text'
import { tilesSchema } from '../../../src/shared/reports/tiles'
import type { QueryResult } from '../../../src/shared/query/result'
import { piecesOf, richText } from '../../../src/shared/reports/rich-text'
import {
  addBlock,
  duplicateBlock,
  movePage,
  moveToPage,
  removeBlock,
  removePage,
  type ReportDocument,
} from './editor/document'
import { beginHistory, historyReducer } from './editor/history'
import { tokenProblem } from './editor/text-settings'
import { completionsAt } from './editor/token-completion'
import { BY_COUNTRY, CONTENT, countryFilter, figureTile, KPIS } from './reports.fixture'
import { readLines } from './tiles/ndjson'
import { crossFilter, selectionFilters, selectionLabel, type Selection } from './view/cross-filter'
import { rangeLabel } from './view/period-control'
import { nextPage, presentRowPx } from './view/present-mode'
import { pageOf, readAddress, readRange, tilesQuestion, writeAddress, writeRange } from './view/report-address'

const mark = (label: string) => ({ label, filters: [countryFilter(label)] })
const toggle = (before: readonly Selection[], label: string, add = false, block = 'country1') =>
  crossFilter(before, { kind: 'toggle', block, name: 'Country', mark: mark(label), add })
const labels = (all: readonly Selection[]) => all.map(selectionLabel)

describe('a click on a mark', () => {
  it('filters, another one of the same block takes its place, and a second click takes it back', () => {
    const one = toggle([], 'Sweden')
    expect(labels(one)).toEqual(['Country: Sweden'])
    const other = toggle(one, 'Norway')
    expect(labels(other)).toEqual(['Country: Norway'])
    expect(toggle(other, 'Norway')).toEqual([])
  })

  it('with Ctrl stands beside those of its block, as one of several values', () => {
    const both = toggle(toggle([], 'Sweden'), 'Norway', true)
    expect(labels(both)).toEqual(['Country: Sweden, Norway'])
    expect(both.flatMap(selectionFilters)).toEqual([
      { ...countryFilter(''), any: [{ op: 'in', values: ['Sweden', 'Norway'] }] },
    ])
    expect(labels(toggle(both, 'Sweden', true))).toEqual(['Country: Norway'])
  })

  it('of another block stands beside it; each can be taken back, and all at once', () => {
    const both = toggle(toggle([], 'Sweden'), 'Norway', false, 'other001')
    expect(both.map(({ block }) => block)).toEqual(['country1', 'other001'])
    expect(crossFilter(both, { kind: 'remove', block: 'country1' }).map(({ block }) => block)).toEqual(['other001'])
    expect(crossFilter(both, { kind: 'clear' })).toEqual([])
  })

  it('never asks more than a question may: what was chosen first gives way', () => {
    let all: Selection[] = []
    for (let at = 0; at < 30; at++) all = toggle(all, `v${at}`, false, `block0${String(at).padStart(3, '0')}`)
    expect(all.flatMap(selectionFilters).length).toBeLessThanOrEqual(20)
    expect(all.at(-1)?.marks[0]?.label).toBe('v29')
  })
})

describe('the address of a report', () => {
  it.each(['all', 'own', 'this-year', 'last-12-month', 'last-3-week-running', '2026-01-01..2026-03-31'])(
    'writes and reads the period %s',
    (text) => {
      const range = readRange(text)
      expect(range).toBeDefined()
      expect(writeRange(range ?? null)).toBe(text)
    },
  )

  it('reads what it wrote, and takes nothing that is not of its form', () => {
    const address = {
      ...{ page: 'page0002', range: null, compare: 'year' as const },
      filters: { filter01: countryFilter('Skåne') },
      selections: toggle([], 'Sweden'),
    }
    expect(readAddress(JSON.parse(JSON.stringify(writeAddress(address))))).toEqual(address)
    const odd = { period: 'last-0-eon', compare: 'moon', filters: { x: 1 }, marks: [{ block: '<b>' }] }
    expect(readAddress(odd)).toEqual({ page: null, range: undefined, compare: undefined, filters: {}, selections: [] })
    expect(pageOf(CONTENT, { page: 'gone0000' })?.id).toBe('page0001')
  })

  it('becomes one question: filters of readers first, then marks with the block that made each', () => {
    const address = readAddress({ filters: { filter01: countryFilter('Skåne') }, marks: toggle([], 'Sweden') })
    const question = tilesQuestion(CONTENT, address, 'published')
    expect(tilesSchema.parse(question)).toMatchObject({
      ...{ of: 'published', page: 'page0001', period: CONTENT.period },
      filters: [countryFilter('Skåne'), countryFilter('Sweden')],
      sources: [{ block: 'country1', filter: 1 }],
    })
  })
})

describe('lines of an answer', () => {
  const streamOf = (...chunks: Uint8Array[]) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        chunks.forEach((chunk) => controller.enqueue(chunk))
        controller.close()
      },
    })

  it('arrive whole, however they are cut, letters of several bytes included', async () => {
    const bytes = new TextEncoder().encode('{"a":"å"}\n\n{"b":2}\n{"c":3}')
    for (let at = 0; at <= bytes.length; at++) {
      const lines: string[] = []
      for await (const line of readLines(streamOf(bytes.slice(0, at), bytes.slice(at)))) lines.push(...line)
      expect(lines).toEqual(['{"a":"å"}', '{"b":2}', '{"c":3}'])
    }
  })
})

describe('texts', () => {
  it('are headings, lists and paragraphs with strong words and figures', () => {
    expect(richText('# Week\n\nUp **{{metric.Sales}}**\nnow\n- one\n- two').map(({ kind }) => kind)).toEqual([
      ...['heading', 'paragraph', 'list'],
    ])
    expect(piecesOf('a **b** {{today}} ** c')).toEqual([
      { kind: 'words', text: 'a ', strong: false },
      { kind: 'words', text: 'b', strong: true },
      { kind: 'words', text: ' ', strong: false },
      { kind: 'token', raw: '{{today}}', strong: false },
      { kind: 'words', text: ' ', strong: false },
      { kind: 'words', text: '**', strong: false },
      { kind: 'words', text: ' c', strong: false },
    ])
  })

  it('offer metrics after braces and periods after a bar, and nothing elsewhere', () => {
    const at = (text: string) => completionsAt(text, text.length, ['Net sales', 'Costs'])
    expect(at('{{metric.net')).toEqual([{ label: 'Net sales', text: 'metric.Net sales}}', from: 2 }])
    expect(at('{{metric.Costs|last_m')).toEqual([{ label: 'last_month', text: 'last_month}}', from: 15 }])
    expect(at('{{today}} and')).toBeNull()
    expect(at('Sales')).toBeNull()
  })

  it('say which figure is not known before anything is published', () => {
    const metrics = [{ name: 'Net sales', synonyms: ['Revenue'] }]
    expect(tokenProblem('{{metric.revenue|last_month}}', metrics)).toBeUndefined()
    expect(tokenProblem('{{metric.Profit}}', metrics)).toBe('Metric not found: {{metric.Profit}}')
    expect(tokenProblem('{{metric.Revenue|someday}}', metrics)).toBe('Unknown: {{metric.Revenue|someday}}')
  })
})

describe('what was done in the editor', () => {
  const start: ReportDocument = { name: 'Board', description: '', content: CONTENT }
  const change = (to: string, group?: string) => ({
    ...{ kind: 'change' as const, change: () => to },
    ...(group === undefined ? {} : { group }),
  })

  it('is taken back and done again; typing in one field is one step', () => {
    let history = beginHistory('')
    for (const text of ['a', 'ab', 'abc']) history = historyReducer(history, change(text, 'name'))
    history = historyReducer(history, change('other'))
    history = historyReducer(history, { kind: 'undo' })
    expect(history.present).toBe('abc')
    history = historyReducer(history, { kind: 'undo' })
    expect(history.present).toBe('')
    expect(historyReducer(history, { kind: 'redo' }).present).toBe('abc')
  })

  it('adds, copies, moves and removes blocks and pages, and keeps the last page', () => {
    const added = addBlock(start, 'page0002', { kind: 'text', text: 'Hi' }, 'new00001')
    expect(added.content.pages[1]?.blocks).toHaveLength(1)
    const copied = duplicateBlock(start, 'page0001', KPIS.id, 'copy0001')
    expect(copied.content.pages[0]?.blocks.at(-1)?.place).toMatchObject({ x: 0, y: 4 })
    const moved = moveToPage(start, 'page0001', BY_COUNTRY.id, 'page0002')
    expect(moved.content.pages.map(({ blocks }) => blocks.length)).toEqual([2, 1])
    expect(removeBlock(start, 'page0001', KPIS.id).content.pages[0]?.blocks[0]?.place.y).toBe(0)
    expect(movePage(start, 'page0002', -1).content.pages[0]?.id).toBe('page0002')
    const one = removePage(start, 'page0001')
    expect(removePage(one, 'page0002').content.pages).toHaveLength(1)
  })
})

it('a presentation turns pages by key, stops at the ends, and fills the screen', () => {
  expect(['PageDown', ' ', 'ArrowLeft', 'End', 'x'].map((key) => nextPage(key, 0, 3))).toEqual([1, 1, null, 2, null])
  expect(nextPage('ArrowRight', 2, 3)).toBeNull()
  expect(presentRowPx(CONTENT.pages[0]?.blocks ?? [], 700)).toBe(50)
})

it('calls two periods that differ by different names', () => {
  const last = { kind: 'relative', span: 'last', n: 12, unit: 'month', includeCurrent: false } as const
  const ranges = [last, { ...last, includeCurrent: true }, { ...last, n: 1, unit: 'fiscalQuarter' } as const]
  expect(ranges.map((range) => rangeLabel(range, String))).toEqual([
    'Last 12 months',
    'Last 12 months + this month',
    'Last fiscal quarter',
  ])
})

it('says which days a figure is of', () => {
  const at = { from: '2023-11-06', to: '2023-11-12', label: '6–12 Nov 2023', incomplete: false, compare: null }
  const days = (period: QueryResult['period']) =>
    tokenText(
      '{{metric.A|last_week|days}}',
      { figure: { ...figureTile(0), result: answerOf([], [], { period }) } },
      kronor,
    )
  expect([days(at), days(null)]).toEqual(['6–12 Nov 2023', 'all time'])
})

it('says a change in per cent, and that of a share in points', () => {
  const columns = compared.map((column, at) => (at < 3 ? { ...column, format: { style: 'percent' } as const } : column))
  const change = (result: QueryResult) =>
    tokenText('{{metric.A|vs:previous|percent}}', { figure: { ...figureTile(0), result } }, kronor)
  const row = [0.247, 0.215, 0.032, 0.1488]
  expect([change(answerOf(compared, [row])), change(answerOf(columns, [row]))]).toEqual([
    '+14,9\u00a0%',
    '+3,2\u00a0pp',
  ])
})
