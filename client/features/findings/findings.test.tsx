import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { contributionWaterfall } from './contributions'
import { findingRecordsPlan } from './finding-item'
import { finding } from './findings.fixture'
import { sentenceText } from '../../lib/findings/finding-text'
import { InsightFindings, SourceFindings } from './finding-lists'
import type { FindingPage, SentencePart } from '../../../src/shared/findings'
import { queryClient } from '../../lib/queries/query-client'
import { setSession } from '../../lib/session'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, mockServer } from '../../test/mock-server'
import { kronor } from '../../ui/chart/chart.fixture'

// Files share modules: what was imported by an earlier one would not be replaced.
vi.hoisted(() => vi.resetModules())
// The drawing library needs a canvas; what it is told to draw has its own tests.
vi.mock('../../ui/chart/engine', () => ({
  createEngine: () => ({
    setOption: () => undefined,
    resize: () => undefined,
    dispose: () => undefined,
    isDisposed: () => false,
    on: () => undefined,
    off: () => undefined,
    getZr: () => ({ on: () => undefined, off: () => undefined }),
    dispatchAction: () => undefined,
  }),
}))

const INSIGHT = { id: 'ins_00000000000000000001', findings: 'on' } as const
const LIST = `GET /api/insights/${INSIGHT.id}/findings`
const page = (over: Partial<FindingPage> = {}): FindingPage => ({
  ...{ items: [finding()], nextCursor: null, lookedAt: '2026-04-01T08:00:00.000Z', behind: false },
  ...over,
})
const one = finding()
const COUNTRY = { dimension: 'country', label: 'Country' }

beforeEach(() => setSession(memberPageData()))
afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
})

describe('what is said of a finding', () => {
  it('has its figures in the notation of the workspace', () => {
    expect(sentenceText(one, kronor).replaceAll(/\s/g, ' ')).toBe(
      'Sales fell 9,7 % (−48 230 kr) to 452 tkr in Mar 2026. Sweden accounts for −60 000 kr.',
    )
  })

  it('names an empty value, yes and no, and a number by their column, and a place in a season without its year', () => {
    const said = (part: SentencePart): string => sentenceText(finding({ sentence: [part] }), kronor)
    const member = (value: string | number | boolean | null) => said({ member: { ...COUNTRY, value } })
    expect([member(null), member(''), member(true), member('3'), member('Sweden')]).toEqual([
      ...['Country is empty', 'Country is empty', 'Country: Yes', 'Country 3', 'Sweden'],
    ])
    expect(said({ season: one.period })).toBe('March')
    expect(said({ season: { ...one.period, from: '2026-03-02', grain: 'day' } })).toBe('Monday')
  })

  it('tells the size of a change without its sign', () => {
    const said = sentenceText(finding({ sentence: [{ figure: '48230', format: 'difference' }] }), kronor)
    expect(said.replaceAll(/\s/g, ' ')).toBe('48 230 kr')
  })

  it('has the same decimals in all its figures', () => {
    const sentence: SentencePart[] = [
      { figure: '712.45', format: 'measure' },
      { text: ' vs ' },
      { figure: '630', format: 'measure' },
    ]
    expect(sentenceText(finding({ sentence }), kronor).replaceAll(/\s/g, ' ')).toBe('712,45 kr vs 630,00 kr')
  })

  it('asks for just the records of its member and its days', () => {
    const plan = findingRecordsPlan(finding({ member: { dimension: 'country', label: 'Country', value: 'Sweden' } }))
    expect(plan).toMatchObject({
      ...{ kind: 'rows', dataset: one.about.dataset },
      filters: [{ field: { column: 'c2' }, any: [{ op: 'eq', value: 'Sweden' }] }],
      period: { range: { kind: 'absolute', from: '2026-03-01', to: '2026-03-31' } },
    })
  })

  it('asks of a member that is gone for the records of when it was there', () => {
    const plan = findingRecordsPlan(finding({ kind: 'lostMember' }))
    expect(plan.period?.range).toEqual({ kind: 'absolute', from: '2025-03-01', to: '2025-03-31' })
  })
})

describe('the waterfall of a change', () => {
  const change = {
    ...{ label: 'Sales', format: { style: 'plain' as const }, scale: 2, now: 'Mar 2026', before: 'Mar 2025' },
  }

  it('leads from the figure before to the figure now, each step where the one before ended', () => {
    const amount = fc.integer({ min: -1e6, max: 1e6 })
    fc.assert(
      fc.property(amount, fc.array(amount, { maxLength: 12 }), (previous, changes) => {
        const value = changes.reduce((sum, each) => sum + each, previous)
        const lines = changes.map((each, at) => {
          return { member: `m${at}`, previous: null, value: null, change: String(each) }
        })
        const ends = { previous: String(previous), value: String(value) }
        const { steps } = contributionWaterfall({ ...change, ...ends }, { ...COUNTRY, lines }, kronor)
        expect([steps[0]?.to, steps.at(-1)?.to]).toEqual([previous, value])
        steps.slice(1, -1).forEach((step, at) => expect(step.from).toBe(steps[at]?.to))
        expect(steps.at(-2)?.to).toBe(value)
      }),
      { numRuns: 100 },
    )
  })

  it('draws what adds before what takes away, and the others last of their kind', () => {
    const [table] = one.contributions
    const ends = { previous: '500000', value: '451770' }
    const { steps } = contributionWaterfall({ ...change, ...ends }, table ?? { ...COUNTRY, lines: [] }, kronor)
    expect(steps.map(({ label }) => label)).toEqual(['Mar 2025', 'Country is empty', 'Sweden', '3 others', 'Mar 2026'])
  })
})

describe('findings of an insight', () => {
  it('leads with the best finding, says on what it rests, and opens its parts and records', async () => {
    mockServer({ [LIST]: () => jsonResponse(page()) })
    const onRecords = vi.fn()
    const { container } = await renderWithProviders(<InsightFindings insight={INSIGHT} onRecords={onRecords} />)
    expect(await screen.findByText('Sweden')).toBeVisible()
    expect(screen.getByRole('img', { name: 'Unfavourable' })).toBeVisible()
    await userEvent.hover(screen.getByText(/^99\s% confidence, 36 months$/))
    expect(await screen.findByRole('tooltip')).toHaveTextContent('Student’s t vs history: −6,2')
    await userEvent.click(screen.getByRole('button', { name: 'Show contributions' }))
    await userEvent.click(await screen.findByRole('radio', { name: 'Table' }))
    const line = screen.getByRole('row', { name: /Sweden/ })
    expect(line).toHaveTextContent(/300\s000.*240\s000.*−60\s000/)
    await userEvent.click(screen.getByRole('button', { name: 'View records' }))
    expect(onRecords).toHaveBeenCalledWith(findingRecordsPlan(one), 'Mar 2026')
    expect((await axe.run(container, { rules: { 'color-contrast': { enabled: false } } })).violations).toEqual([])
  })

  it.each([
    [{ newest: one.period }, 'No findings. Mar 2026 is within its normal range.'],
    [{ lookedAt: null }, 'Too little history to judge. Needs more complete periods.'],
    [{ newest: one.period, behind: true }, 'No findings. Mar 2026 is within its normal range. Analysing new rows.'],
  ])('answers where there is no finding, and by which period: %j', async (over, words) => {
    mockServer({ [LIST]: () => jsonResponse(page({ items: [], ...over })) })
    await renderWithProviders(<InsightFindings insight={INSIGHT} onRecords={vi.fn()} />)
    expect(await screen.findByText(words)).toHaveRole('status')
  })

  it('opens the page of a source with what stands out in its own tables, and with nothing where nothing does', async () => {
    const other = finding({ id: 'fnd_other', about: { ...one.about, dataset: 'ds_other' } })
    mockServer({ 'GET /api/findings': () => jsonResponse(page({ items: [other, one] })) })
    await renderWithProviders(
      <>
        <SourceFindings datasets={['ds_none']} />
        <SourceFindings datasets={[one.about.dataset]} />
      </>,
    )
    expect(await screen.findAllByRole('listitem')).toHaveLength(1)
    expect(screen.getAllByRole('heading')).toHaveLength(1)
  })

  it('asks nothing where it is switched off', async () => {
    const calls = mockServer({})
    await renderWithProviders(<InsightFindings insight={{ ...INSIGHT, findings: 'off' }} onRecords={vi.fn()} />)
    expect([calls, screen.queryByText('Findings')]).toEqual([[], null])
  })

  it('pins, hides and rates for the person', async () => {
    const paths = ['pin', 'hide', 'rate'].map((what) => `POST /api/findings/${one.id}/${what}`)
    const calls = mockServer({
      [LIST]: () => jsonResponse(page()),
      ...Object.fromEntries(paths.map((path) => [path, () => jsonResponse(one)])),
    })
    await renderWithProviders(<InsightFindings insight={INSIGHT} onRecords={vi.fn()} />)
    for (const name of ['Pin', 'Hide for me', 'Useful']) {
      await userEvent.click(await screen.findByRole('button', { name: 'Finding actions' }))
      const menu = await screen.findByRole('menu')
      await userEvent.click(within(menu).getByRole('menuitem', { name }))
      await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    }
    const posts = calls.filter(({ method }) => method === 'POST').map(({ body }) => body)
    expect(posts).toEqual([{ on: true }, { on: true }, { rating: 'useful' }])
  })
})
