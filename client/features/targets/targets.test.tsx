import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  toTargetDraft,
  toSaveTargetsInput,
  lineSum,
  applyPaste,
  periodsOfYear,
  setCell,
  distributeTotal,
  firstTargetDay,
} from './target-draft'
import { MetricTargets, InsightTargets } from './targets-card'
import { setSession } from '../../lib/session'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, errorResponse, mockServer } from '../../test/mock-server'
import type { TargetProgress, TargetTable } from '../../../src/shared/targets/targets'
import type { Insight } from '../../../src/shared/insights'
import type { Metric } from '../../../src/shared/metrics'

const ID = 'ins_00000000000000000001'
const DATASET = 'ds_00000000000000000001'
const INSIGHT: Insight = {
  ...{ id: ID, name: 'Sales', description: '', ownerId: 'usr_anna', ownerName: 'Anna Lindqvist' },
  plan: {
    ...{ v: 1, kind: 'aggregate', filters: [] },
    measures: [{ kind: 'column', agg: 'sum', field: { dataset: DATASET, column: 'c1' } }],
    dimensions: [{ field: { dataset: DATASET, column: 'c2' }, grain: 'month' }],
  },
  ...{ viz: { chart: 'line', direction: 'up' }, origin: 'person', frozen: false, version: 1, deletedAt: null },
  ...{ categoryId: null, findings: 'on', verified: null, following: false },
  ...{ createdAt: '2026-03-01T08:00:00.000Z', updatedAt: '2026-03-01T08:00:00.000Z' },
}
const METRIC: Metric = {
  ...{ id: 'met_00000000000000000001', name: 'Sales', synonyms: [], description: '', dataset: DATASET },
  ...{ measure: { kind: 'column', agg: 'count' }, formula: 'count()', filters: [], version: 1, verified: null },
  time: { dataset: DATASET, column: 'c2' },
  ...{ direction: 'up', format: null, currencyMode: null, ownerId: 'usr_anna', ownerName: 'Anna' },
  ...{ createdAt: '2026-03-01T08:00:00.000Z', updatedAt: '2026-03-01T08:00:00.000Z' },
}
const EMPTY: TargetTable = {
  ...{ subject: { kind: 'insight', id: ID, measure: 0 }, grain: 'month', by: null, lines: [], version: 0 },
  ...{ updatedAt: null, updatedBy: null },
}
const SET: TargetTable = { ...EMPTY, lines: [{ values: [{ period: '2026-03-01', value: '400' }] }], version: 3 }
const PROGRESS: TargetProgress = {
  ...{ grain: 'month', today: '2026-03-10', direction: 'up', format: null, dataAsOf: null },
  lines: [
    {
      label: null,
      now: {
        period: '2026-03-01',
        actual: 50,
        target: 400,
        share: 0.125,
        expected: 100,
        basis: 'lastYear',
        status: 'behind',
      },
      year: null,
    },
  ],
}
const TABLE = `GET /api/insights/${ID}/targets`
const served = (over: Parameters<typeof mockServer>[0] = {}) =>
  mockServer({
    [TABLE]: () => jsonResponse(EMPTY),
    [`GET /api/insights/${ID}/progress`]: () => jsonResponse({ progress: PROGRESS }),
    [`GET /api/datasets/${DATASET}`]: () => jsonResponse({ columns: [] }),
    'POST /api/query': () => jsonResponse({ rows: [], columns: [] }),
    ...over,
  })
const YEAR = { grain: 'month' as const, fiscalYearStart: 1 }

beforeEach(() => setSession(memberPageData('owner')))

describe('the card of targets', () => {
  it('says how far the month has come, where it should be and by what', async () => {
    served({ [TABLE]: () => jsonResponse(SET) })
    await renderWithProviders(<InsightTargets insight={INSIGHT} />)
    expect(await screen.findByText(/^Behind · Expected by 10 Mar 2026: 100 \(by previous year\)$/)).toBeVisible()
    expect(screen.getByRole('progressbar', { name: /Mar 2026: 12,5\s% of target/ })).toBeVisible()
  })

  it('shows viewers nothing where nothing is set, and no way to set it', async () => {
    setSession(memberPageData('viewer'))
    const calls = served()
    await renderWithProviders(<InsightTargets insight={INSIGHT} />)
    await waitFor(() => expect(calls).toHaveLength(1))
    expect(screen.queryByText('Targets')).toBeNull()
  })

  it('of a metric asks and saves under the metric, and is not there without a date', async () => {
    const path = '/api/metrics/met_00000000000000000001'
    const subject = { kind: 'metric' as const, id: METRIC.id }
    const calls = served({
      [`GET ${path}/targets`]: () => jsonResponse({ ...SET, subject }),
      [`GET ${path}/progress`]: () => jsonResponse({ progress: PROGRESS }),
      [`PUT ${path}/targets`]: () => jsonResponse({ ...SET, subject }),
    })
    await renderWithProviders(
      <>
        <MetricTargets metric={{ ...METRIC, time: null }} />
        <MetricTargets metric={METRIC} />
      </>,
    )
    expect(await screen.findByText(/Behind · Expected by 10 Mar 2026: 100/)).toBeVisible()
    expect(screen.getAllByText('Targets')).toHaveLength(1)
    await userEvent.click(screen.getByRole('button', { name: 'Edit targets' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Save targets' }))
    await waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true))
  })

  it('is filled by spreading a sum and saved as one table', async () => {
    const calls = served({ [`PUT /api/insights/${ID}/targets`]: () => jsonResponse(SET) })
    await renderWithProviders(<InsightTargets insight={INSIGHT} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Set targets' }))
    await userEvent.type(await screen.findByLabelText('Distribute annual total'), '1 000')
    await userEvent.click(screen.getByRole('button', { name: 'Distribute evenly' }))
    await userEvent.click(screen.getByRole('button', { name: 'Save targets' }))
    await waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true))
    const body = calls.find(({ method }) => method === 'PUT')?.body
    expect(body).toMatchObject({ grain: 'month', version: 0, lines: [{ values: { length: 12 } }] })
    expect(JSON.stringify(body).match(/"value":"84"/g)).toHaveLength(4)
  })

  it('shows no year before the days of the rows are known, so that nothing is typed into another one', async () => {
    const days = Promise.withResolvers<Response>()
    served({ 'POST /api/query': () => days.promise })
    await renderWithProviders(<InsightTargets insight={INSIGHT} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Set targets' }))
    expect(await screen.findByRole('button', { name: 'Save targets' })).toBeVisible()
    expect(screen.queryByRole('textbox', { name: /^Total, / })).toBeNull()
    days.resolve(jsonResponse({ columns: [], rows: [['2019-01-02', '2019-06-11']] }))
    expect(await screen.findByRole('textbox', { name: /^Total, Jan 2019/ })).toBeVisible()
  })

  it('takes over nothing of a paste while a line cannot be read, and says which', async () => {
    served()
    await renderWithProviders(<InsightTargets insight={INSIGHT} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Set targets' }))
    await userEvent.click(await screen.findByText('Paste from spreadsheet'))
    const box = screen.getByLabelText(/Rows from a spreadsheet/)
    await userEvent.click(box)
    await userEvent.paste('2026-01;100\nsoon;5')
    await userEvent.click(screen.getByRole('button', { name: 'Add figures' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Line 2: Enter a period instead of “soon”.')
  })

  it('offers to load what somebody else saved first', async () => {
    const conflict = () => errorResponse('version_conflict', { current: SET })
    served({ [`PUT /api/insights/${ID}/targets`]: conflict })
    await renderWithProviders(<InsightTargets insight={INSIGHT} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Set targets' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Save targets' }))
    expect(await screen.findByRole('button', { name: 'Load theirs' })).toBeVisible()
  })
})

describe('a table that is typed', () => {
  it('adds up as it is typed, and is not sent with what cannot be read', () => {
    const periods = periodsOfYear('2026-05-05', YEAR)
    let draft = toTargetDraft(EMPTY, ',')
    draft = setCell(draft, { key: 'total', period: '2026-01-01', text: '1 000,5' })
    draft = setCell(draft, { key: 'total', period: '2026-02-01', text: '0,25' })
    expect(lineSum(draft.lines[0] ?? { cells: {} }, { periods, mark: ',' })).toBe('1000.75')
    expect(toSaveTargetsInput(draft, 0)?.lines).toEqual([
      {
        values: [
          { period: '2026-01-01', value: '1000.5' },
          { period: '2026-02-01', value: '0.25' },
        ],
      },
    ])
    expect(toSaveTargetsInput(setCell(draft, { key: 'total', period: '2026-03-01', text: 'many' }), 0)).toBe(null)
  })

  it('shows what is stored as the workspace writes it, and reads it back the same', () => {
    const lines = [{ values: [{ period: '2026-01-01', value: '-1234567.125' }] }]
    for (const mark of [',', '.'] as const) {
      const draft = toTargetDraft({ ...SET, lines }, mark)
      expect(draft.lines[0]?.cells['2026-01-01']).toBe(`-1\u00a0234\u00a0567${mark}125`)
      expect(toSaveTargetsInput(draft, 3)?.lines).toEqual(lines)
    }
  })

  it('begins in the year in which the data go on', () => {
    const first = (dataTo: string | null) => firstTargetDay('2026-11-28', dataTo)
    expect([first(null), first('2024-09-27'), first('2025-12-31'), first('2027-06-30')]).toEqual([
      '2026-11-28',
      '2024-09-28',
      '2026-01-01',
      '2026-11-28',
    ])
  })

  it('keeps other years when one is spread or pasted into', () => {
    let draft = toTargetDraft(SET, ',')
    const whole = { key: 'total', whole: '10', periods: ['2027-01-01', '2027-02-01'], weights: [1, 3] }
    draft = distributeTotal(draft, whole)
    draft = applyPaste(draft, { cells: [{ member: 'North', period: '2027-01-01', value: '7' }], faults: [] })
    expect(draft.lines).toEqual([
      { cells: { '2026-03-01': '400', '2027-01-01': '3', '2027-02-01': '7' } },
      { member: 'North', cells: { '2027-01-01': '7' } },
    ])
  })
})
