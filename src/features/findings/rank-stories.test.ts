import { describe, expect, it } from 'vitest'
import { rankFindings, rankStories, type RankingReader } from './rank-stories'
import type { KeyedFinding } from '../../shared/briefing/briefing'
import type { FindingMember } from '../../shared/findings'

const NOW = Date.parse('2026-11-20T08:00:00Z')
const AGO = '2026-11-19T08:00:00.000Z'
const QUARTER = { from: '2026-07-01', to: '2026-09-01', grain: 'month' } as const
const field = (column: 'c1' | 'c2' | 'c9') => ({ dataset: 'ds_1', column })
const member = (value: string, dimension = 'region'): FindingMember => ({ dimension, label: dimension, value })
type Over = Partial<KeyedFinding> & { change?: string; value?: string; label?: string }

function found(key: string, { change = '-100', value = '50', label = 'Profit', ...over }: Over = {}): KeyedFinding {
  return {
    ...{ id: `fnd_${key}`, key, firstFoundAt: AGO, foundAt: AGO, pinned: false, hidden: false, rating: null },
    about: {
      ...{ key: label, label, dataset: 'ds_1', metric: null, insights: [], filters: [], time: field('c9') },
      ...{ measure: { kind: 'column', agg: 'sum', field: field('c1') }, grain: 'month', direction: 'up', scale: 2 },
      format: { style: 'currency', currency: 'SEK' },
      dimensions: [
        { key: 'region', label: 'Region', field: field('c1') },
        { key: 'city', label: 'City', field: field('c2') },
      ],
    },
    ...{ subject: label, kind: 'change', member: null, period: QUARTER, against: 'year', comparison: null },
    ...{ statistic: { name: 't', value: 5 }, n: 36, p: 0.001, q: 0.001, confidence: 0.99, score: 0.5 },
    effect: { value, previous: '150', change, percent: null },
    ...{ tone: 'bad', contributions: [], sentence: [] },
    ...over,
  }
}
const reader = (over: Partial<RankingReader> = {}): RankingReader => ({
  ...{ now: NOW, since: null, marks: new Map(), lessOf: new Set() },
  ...over,
})
const keys = (findings: readonly KeyedFinding[], over: Partial<RankingReader> = {}): string[][] =>
  rankStories(findings, reader(over)).map(({ lead, facets }) => [lead.key, ...facets.map(({ key }) => key)])

describe('what is told again by another figure', () => {
  it('is so of one member of the same rows, and of the same fact of others', () => {
    const of = (dataset: string) => ({ about: { ...found('any').about, dataset } })
    const growth = { kind: 'growth', value: '70', change: '20', tone: 'good' } as const
    const told = [
      found('sales', { label: 'Sales', member: member('A'), score: 0.6 }),
      found('cost', { label: 'Cost', member: member('A') }),
      found('other member', { label: 'Cost', member: member('B') }),
      found('other rows', { label: 'Cost', member: member('A'), ...of('ds_2') }),
      found('documents', { label: 'Invoiced', ...growth }),
      found('lines', { label: 'Sum of lines', ...growth, ...of('ds_3') }),
    ]
    const facets = rankStories(told, reader()).flatMap((story) => story.facets)
    expect(facets.map(({ key }) => key).toSorted()).toEqual(['cost', 'documents'])
  })

  it('is so of a city that fell by what one customer brought who is gone', () => {
    const city = (key: string, change: string) =>
      found(key, { kind: 'contribution', member: member(key, 'city'), value: '75', change, score: 0.55 })
    const lost = found('lost', { kind: 'lostMember', member: member('A'), value: '0', change: '-243', score: 0.5 })
    const told = [city('its city', '-275'), city('another city', '-120'), lost]
    expect(keys(told)[0]).toEqual(['lost', 'its city'])
  })

  it('is found among the findings of hundreds of datasets', () => {
    const many = Array.from({ length: 8000 }, (_, n) => {
      const about = { ...found('any').about, dataset: `ds_${n % 500}` }
      return found(String(n), { about, label: `Figure ${n % 7}`, member: member(String(n)) })
    })
    const begun = performance.now()
    expect(rankStories(many, reader())).toHaveLength(8000)
    expect(performance.now() - begun).toBeLessThan(20_000)
  })
})

describe('the order of stories', () => {
  it('is by what is at stake, within one currency', () => {
    const small = found('small', { change: '-10', label: 'Fees' })
    const large = found('large', {
      change: '-1000',
      label: 'Sales',
      period: { ...QUARTER, to: '2026-10-01', from: '2026-10-01' },
    })
    expect(keys([small, large])).toEqual([['large'], ['small']])
  })

  it('puts what changed before how large something is', () => {
    const leader = found('leader', { kind: 'leader', change: '5000', tone: 'neutral', label: 'Sales', score: 0.6 })
    const fell = found('fell', { change: '-100', label: 'Sales', member: member('B'), score: 0.3 })
    expect(keys([leader, fell])).toEqual([['fell'], ['leader']])
  })

  it('puts a loss before a change of its size, and a season after everything', () => {
    const season = found('season', { kind: 'season', change: '9000', tone: 'neutral', score: 1, label: 'Sales' })
    const change = found('change', { label: 'Costs', member: member('A') })
    const loss = found('loss', { kind: 'turned', value: '-40', member: member('B') })
    expect(keys([season, change, loss])).toEqual([['loss'], ['change'], ['season']])
  })

  it('puts what ended over a year ago behind everything younger, whatever its size, unless it is pinned', () => {
    const ended = { from: '2011-01-01', to: '2011-01-01', grain: 'month' } as const
    const lastYear = { from: '2025-01-01', to: '2025-01-01', grain: 'year' } as const
    const old = found('old', { change: '-90000', value: '-5', kind: 'turned', member: member('A'), period: ended })
    const yearly = found('yearly', { change: '-5', value: '5', member: member('B'), period: lastYear })
    const small = found('small', { change: '-1', member: member('C') })
    expect(keys([old, yearly, small]).at(-1)).toEqual(['old'])
    expect(keys([{ ...old, pinned: true }, yearly, small])[0]).toEqual(['old'])
    const older = found('older', {
      change: '-1',
      member: member('D'),
      period: { ...ended, from: '2010-06-01', to: '2010-06-01' },
    })
    expect(keys([old, older])[0], 'in data that end in 2011').toEqual(['old'])
  })

  it('puts a cost of documents behind what their lines earn, of equal stake', () => {
    const plain = found('plain').about
    const lines = found('lines', {
      about: { ...plain, key: 'Sold', label: 'Sold', dataset: 'ds_lines' },
      subject: 'Sold',
    })
    const freight = (over: Partial<KeyedFinding['about']>): KeyedFinding => ({
      ...found('freight', { score: 0.6, change: '-101', subject: 'Freight' }),
      about: { ...plain, key: 'Freight', label: 'Freight', direction: 'down', ...over },
    })
    expect(keys([lines, freight({})])).toEqual([['lines'], ['freight']])
    const elsewhere = { dataset: 'ds_2', time: { dataset: 'ds_2', column: 'c9' as const } }
    expect(keys([lines, freight(elsewhere)]), 'what other documents cost').toEqual([['freight'], ['lines']])
  })

  it('puts a cost behind what is left, and numbers of things behind money, of equal stake', () => {
    const about = (label: string, over: Partial<KeyedFinding['about']> = {}) => ({
      ...found('of', { label }).about,
      ...over,
    })
    const cost = found('cost', { label: 'Cost', about: about('Cost', { direction: 'down' }), member: member('A') })
    const profit = found('profit', { member: member('B'), change: '90', tone: 'good' })
    const pieces = found('pieces', {
      label: 'Pieces',
      about: about('Pieces', { format: { style: 'plain' } }),
      member: member('C'),
    })
    expect(keys([cost, pieces, profit]).map(([key]) => key)).toEqual(['profit', 'cost', 'pieces'])
    const sold = found('sold', { label: 'Sales', member: member('A'), change: '-20' })
    expect(keys([{ ...cost, score: 0.9 }, sold]), 'what was sold leads what it cost').toEqual([['sold', 'cost']])
  })

  it('puts how many were entered in a list that documents point at behind what the documents say', () => {
    const [own, client, clinic] = ['ds_1', 'ds_clients', 'ds_clinics'].map((dataset) => ({
      ...{ key: dataset, label: dataset },
      field: { dataset, column: 'c1' as const },
    }))
    const dimensions = [own, client].flatMap((each) => each ?? [])
    const sales = { ...found('any', { label: 'Sales' }).about, dimensions }
    const costs = {
      ...found('any', { label: 'Costs' }).about,
      dataset: 'ds_2',
      time: { ...field('c9'), dataset: 'ds_2' },
    }
    const entered = (over: Partial<KeyedFinding['about']> = {}): KeyedFinding['about'] => ({
      ...{ ...sales, key: 'n', label: 'Count of clients', dataset: 'ds_clients', dimensions: client ? [client] : [] },
      ...{ measure: { kind: 'column', agg: 'count', dataset: 'ds_clients' }, format: { style: 'plain' }, scale: null },
      ...{ time: { dataset: 'ds_clients', column: 'c9' }, direction: 'none', ...over },
    })
    const told = (about: KeyedFinding['about']): string[] => {
      const level = { kind: 'leader', tone: 'neutral', score: 0.5 } as const
      const grew = { kind: 'growth', tone: 'neutral', score: 0.5 } as const
      return keys([
        found('entered', { ...grew, about, subject: 'n', change: '-2', value: '7', score: 0.7 }),
        found('entered by country', { ...level, about, subject: 'n', change: '6', score: 0.6, member: member('SE') }),
        found('largest', { ...level, about: sales, subject: 'Sales', change: '900', member: member('A') }),
        found('costs', { ...grew, about: costs, subject: 'Costs', change: '100', score: 0.3 }),
      ]).map(([key = '']) => key)
    }
    expect(told(entered())).toEqual(['costs', 'entered', 'largest', 'entered by country'])
    const first = ['entered', 'costs', 'entered by country', 'largest']
    expect(told(entered({ metric: 'metric_1' })), 'where somebody asks how many').toEqual(first)
    const visits = entered({ dimensions: [client, clinic].flatMap((each) => each ?? []) })
    expect(told(visits), 'visits that bills point at, and that themselves point at clinics').toEqual(first)
  })

  it('puts what somebody wants less of behind the others, and what they pinned before them', () => {
    const [a, b, c] = [
      found('a', { member: member('A'), change: '-300' }),
      found('b', { kind: 'turned', value: '-1', member: member('B') }),
      found('c', { member: member('C'), change: '-1', pinned: true }),
    ]
    expect(keys([a, b, c], { lessOf: new Set(['turned']) }).map(([key]) => key)).toEqual(['c', 'a', 'b'])
  })

  it('lets what is newer go before the same of long ago', () => {
    const old = found('old', { member: member('A'), firstFoundAt: '2026-06-01T08:00:00.000Z' })
    expect(keys([old, found('fresh', { member: member('B') })])).toEqual([['fresh'], ['old']])
  })
})

describe('how large the parts of a business are', () => {
  it('is told tenth at the latest, beside however many changes', () => {
    const changes = Array.from({ length: 12 }, (_, n) =>
      found(`change ${n}`, { label: `Fee ${n}`, member: member(`M${n}`), change: `-${900 - n}`, score: 0.9 }),
    )
    const leader = found('largest', { kind: 'leader', change: '700', score: 0.3, member: member('A') })
    const order = keys([...changes, leader]).map(([key]) => key)
    expect(order.indexOf('largest')).toBe(9)
  })
})

it('holds what goes on against others by what it comes to in a year: a quarter counts four times', () => {
  const year = found('year', { kind: 'growth', change: '-100', label: 'Fees', tone: 'neutral' })
  const quarter = found('quarter', { kind: 'contribution', member: member('A'), change: '-90', tone: 'neutral' })
  const once = { ...quarter, kind: 'change' as const }
  expect(keys([year, quarter])[0]).toEqual(['quarter'])
  expect(keys([year, once])[0]).toEqual(['year'])
})

describe('a list of findings', () => {
  it('has the order of the briefing, what shows a story again behind all of them, and pinned ones first', () => {
    const contributions = [
      {
        dimension: 'region',
        label: 'Region',
        lines: [{ member: 'West', previous: '100', value: '10', change: '-90' }],
      },
    ]
    const whole = found('whole', { contributions, change: '-1000' })
    const part = found('part', { member: member('West'), change: '-90' })
    const other = found('other', { member: member('Oslo', 'city'), change: '-20', label: 'Fees' })
    const listed = (of: KeyedFinding[]): string[] => rankFindings(of, NOW).map(({ key }) => key)
    expect(listed([other, part, whole])).toEqual(['whole', 'other', 'part'])
    expect(listed([other, { ...part, pinned: true }, whole])[0]).toBe('part')
  })
})

describe('one happening', () => {
  it('is told once: the whole with the part that its table names, other figures of the same part, and twins', () => {
    const contributions = [
      {
        ...{ dimension: 'region', label: 'Region' },
        lines: [{ member: 'West', previous: '100', value: '10', change: '-90' }],
      },
    ]
    const whole = found('whole', { contributions })
    const part = found('part', { member: member('West'), change: '-90' })
    const otherFigure = found('sales', { label: 'Sales', member: member('West'), change: '-20' })
    const twin = found('city', { member: member('Oslo', 'city'), change: '-90' })
    expect(keys([whole, part])).toEqual([['whole', 'part']])
    expect(keys([part, otherFigure])).toEqual([['part', 'sales']])
    expect(keys([part, twin])).toHaveLength(1)
  })

  it('is who is largest or gone told by amounts and by how many, and what is highest by both of the same documents', () => {
    const { about } = found('any')
    const visits = {
      label: 'Visits',
      value: '70',
      about: { ...about, key: 'Visits', label: 'Visits', dataset: 'ds_2' },
    }
    for (const kind of ['leader', 'lostMember'] as const) {
      const by = (key: string, over: Over): KeyedFinding => found(key, { kind, member: member('West'), ...over })
      expect(keys([by('amount', {}), by('visits', visits)])).toHaveLength(1)
      expect(keys([by('amount', {}), by('east', { ...visits, member: member('East') })])).toHaveLength(2)
    }
    const highest = (key: string, over: Over): KeyedFinding => found(key, { kind: 'peak', change: '50', ...over })
    expect(keys([highest('amount', {}), highest('visits', visits)])).toHaveLength(1)
    const elsewhere = { ...visits.about, time: { dataset: 'ds_2', column: 'c9' as const } }
    expect(keys([highest('amount', {}), highest('visits', { ...visits, about: elsewhere })])).toHaveLength(2)
  })

  it('is the highest month, with the highest week and the busiest weekday below it', () => {
    const { about } = found('any')
    const weekly = (key: string, over: Over): KeyedFinding =>
      found(key, { kind: 'peak', about: { ...about, grain: 'week' }, period: { ...QUARTER, grain: 'week' }, ...over })
    const [week, month, weekday] = [
      weekly('week', { score: 0.9 }),
      weekly('month', { member: member('2026-07-01', 'month'), period: QUARTER }),
      weekly('weekday', { member: member('5', 'weekday'), score: 0.1 }),
    ]
    expect(keys([week, month, weekday])).toEqual([['month', 'week', 'weekday']])
  })

  it('is members of one dimension that moved in one time, what a group loses with the things that are in it, and a cost with the result', () => {
    const moved = { kind: 'contribution', period: QUARTER } as const
    const decking = found('decking', { ...moved, member: member('Decking'), label: 'Sales' })
    const boards = found('boards', { ...moved, member: member('Boards'), change: '80', label: 'Cost', score: 0.4 })
    expect(keys([decking, boards])).toEqual([['decking', 'boards']])
    expect(keys([decking, { ...boards, period: { ...QUARTER, from: '2026-08-01' } }])).toHaveLength(2)
    const losing = (key: string, dimension: string, part: number): KeyedFinding =>
      found(key, {
        kind: 'loss',
        member: member(key, dimension),
        statistic: { name: 'share', value: part },
        score: part,
      })
    expect(keys([losing('group', 'region', 0.1), losing('thing', 'city', 0.099)])).toEqual([['group', 'thing']])
    expect(keys([losing('group', 'region', 0.1), losing('thing', 'city', 0.08)])).toHaveLength(2)
    const growth = { kind: 'growth', score: 0.4 } as const
    const cost = found('cost', { ...growth, change: '70', label: 'Cost' })
    const costly: KeyedFinding = { ...cost, about: { ...cost.about, direction: 'down' }, score: 0.6 }
    expect(keys([costly, found('result', { ...growth, label: 'Profit' })])).toEqual([['result', 'cost']])
  })

  it('is led by what was sold to who is gone, not by what was left of it', () => {
    const gone = { kind: 'lostMember', member: member('A') } as const
    const [profit, sales] = [found('profit', gone), found('sales', { ...gone, label: 'Sales', score: 0.4 })]
    expect(keys([profit, sales])).toEqual([['sales', 'profit']])
  })

  it('leaves the newest year of the whole a story of its own, whoever moved it', () => {
    const contributions = [
      {
        ...{ dimension: 'region', label: 'Region' },
        lines: [{ member: 'West', previous: '100', value: '10', change: '-90' }],
      },
    ]
    const year = found('year', { kind: 'growth', contributions })
    expect(keys([year, found('part', { kind: 'contribution', member: member('West'), change: '-90' })])).toHaveLength(2)
  })

  it('is not the same as another part, another time, another table, or a season', () => {
    const part = found('part', { member: member('West') })
    expect(keys([part, found('east', { member: member('East'), change: '-90' })])).toHaveLength(2)
    const earlier = { from: '2025-07-01', to: '2025-09-01', grain: 'month' } as const
    expect(keys([part, found('then', { member: member('West'), period: earlier })])).toHaveLength(2)
    expect(keys([part, found('season', { kind: 'season', member: member('West') })])).toHaveLength(2)
    const other = found('other', { member: member('West') })
    expect(keys([part, { ...other, about: { ...other.about, dataset: 'ds_2' } }])).toHaveLength(2)
  })
})

describe('what a person has done with a story', () => {
  const state = (over: Partial<RankingReader>) => rankStories([found('a')], reader(over))[0]?.state
  it('is new since the last visit, unread before it, read, or put off until a time', () => {
    const since = Date.parse(AGO)
    expect([state({}), state({ since: since - 1 }), state({ since: since + 1 })]).toEqual(['new', 'new', 'unread'])
    const marked = (readAt: number | null, snoozedUntil: number | null) => new Map([['a', { readAt, snoozedUntil }]])
    expect(state({ marks: marked(1, null) })).toBe('read')
    expect(state({ marks: marked(null, NOW + 1) })).toBe('snoozed')
    expect(state({ marks: marked(null, NOW) })).toBe('new')
  })
})
