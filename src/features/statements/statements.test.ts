import { readXlsx } from 'hucre/xlsx'
import { beforeAll, describe, expect, it } from 'vitest'
import { otherWorkspace, signedIn, visitor, type SignedIn } from '../../../test/worker/factories'
import { createLedger, createLoadedSource } from '../../../test/worker/loads'
import type { Statement } from '../../shared/statements/statements'

/**
 * A company whose first year is short (October to December 2023) and not closed, and whose second is closed in December:
 * 8999 against 2099. Account 9010 is in no range. The budget is of two months.
 */
const BOOKS = [
  ...['#FLAGGA 0', '#FORMAT PC8', '#SIETYP 4', '#ORGNR 556000-0001', '#FNAMN "Alfa AB"'],
  ...['#RAR 0 20240101 20241231', '#RAR -1 20231001 20231231', '#KONTO 1930 "Bank"', '#KONTO 3010 "Sales"'],
  ...['#KONTO 4010 "Goods"', '#KONTO 7832 "Depreciation"', '#KONTO 1220 "Equipment"', '#KONTO 2081 "Share capital"'],
  ...[
    '#KONTO 9010 "Own"',
    '#KONTO 2099 "Result"',
    '#KONTO 8999 "Result"',
    '#DIM 1 "Cost centre"',
    '#OBJEKT 1 10 "North"',
  ],
  ...['#IB -1 1930 25000', '#IB -1 2081 -25000', '#UB -1 1930 26000.50', '#UB -1 2081 -25000', '#RES -1 3010 -1000.50'],
  ...['#IB 0 1930 26000.50', '#IB 0 2081 -25000'],
  ...['#PBUDGET 0 202401 3010 {} -1500', '#PBUDGET 0 202402 3010 {} -500'],
  ...['#VER A 1 20240115 "Sold"', '{', '#TRANS 1930 {} 1250', '#TRANS 3010 {1 10} -1250', '}'],
  ...['#VER A 2 20240216 "Bought"', '{', '#TRANS 4010 {} 400.25', '#TRANS 1930 {} -400.25', '}'],
  ...['#VER A 3 20240301 "Machine"', '{', '#TRANS 1220 {} 600', '#TRANS 1930 {} -600', '}'],
  ...['#VER A 4 20240331 "Wear"', '{', '#TRANS 7832 {} 60', '#TRANS 1220 {} -60', '}'],
  ...['#VER A 5 20240401 "Own"', '{', '#TRANS 9010 {} 5', '#TRANS 1930 {} -5', '}'],
  ...['#VER B 1 20241231 "Closing"', '{', '#TRANS 8999 {} 784.75', '#TRANS 2099 {} -784.75', '}'],
].join('\r\n')

async function statementOf(
  me: Pick<SignedIn, 'fetch'>,
  source: string,
  query: Record<string, string>,
): Promise<Statement> {
  const answer = await me.fetch(`/api/statements/${source}?${new URLSearchParams(query).toString()}`)
  expect([answer.status, await answer.clone().text()]).toEqual([200, expect.anything()])
  return answer.json<Statement>()
}
const values = ({ rows }: Statement, key: string) => rows.find((row) => row.key === key)?.values

describe('statements of a ledger', () => {
  let me: SignedIn
  let source: string
  const ask = (query: Record<string, string>) => statementOf(me, source, query)
  beforeAll(async () => {
    me = await signedIn()
    source = (await createLedger(me, BOOKS)).id
  })

  it('show a profit and loss by month, with budget and the year before beside it', async () => {
    const income = await ask({ lastYear: '1', budget: '1' })
    expect(income.year).toEqual({ name: '2024', start: '2024-01-01', end: '2024-12-31', detail: 'entries' })
    expect(income.company).toEqual({ id: '556000-0001', name: 'Alfa AB', currency: 'SEK' })
    const march = income.columns.flatMap(({ span, kind, total }, at) =>
      span.to === '2024-03' && !total ? [[kind, at]] : [],
    )
    expect(march).toEqual([
      ['actual', 6],
      ['budget', 7],
    ])
    expect(values(income, 'netSales')?.slice(0, 3)).toEqual(['1250.00', '1500.00', null])
    expect(values(income, 'goods')?.slice(3, 4)).toEqual(['-400.25'])
    const total = income.columns.findIndex((column) => column.total && column.kind === 'actual')
    expect(values(income, 'grossProfit')?.[total]).toBe('849.75')
    expect(values(income, 'operatingResult')?.[total]).toBe('789.75')
    // The account in no range costs 5, in a line of its own.
    expect(values(income, 'netResult')?.[total]).toBe('784.75')
    expect(income.notices).toContainEqual({ kind: 'unclassified', accounts: ['9010'] })
  })

  it('count the closing entry once, and an earlier result that nobody transferred as such', async () => {
    const balance = await ask({ statement: 'balance', view: 'months' })
    const [november, december] = [10, 11]
    expect(values(balance, 'closingEntry')).toBeUndefined()
    for (const month of [november, december]) {
      expect(values(balance, 'yearResult')?.[month]).toBe('784.75')
      expect(values(balance, 'equity')?.[month]).toBe('25000.00')
      expect(values(balance, 'carried')?.[month]).toBe('1000.50')
      expect(values(balance, 'assets')?.[month]).toBe('26785.25')
      expect(values(balance, 'equityAndLiabilities')?.[month]).toBe('26785.25')
    }
    expect(values(balance, 'difference')).toBeUndefined()
    expect(values(await ask({ view: 'ytd' }), 'closingEntry')).toEqual(['784.75'])
  })

  it('end the cash flow in the change of cash', async () => {
    const flow = await ask({ statement: 'cashFlow', view: 'ytd' })
    expect(values(flow, 'beforeWorkingCapital')).toEqual(['844.75'])
    expect(values(flow, 'fixedAssets')).toEqual(['-600.00'])
    expect(values(flow, 'equity')).toEqual(['0.00'])
    expect(values(flow, 'cashFlow')).toEqual(['244.75'])
    expect([values(flow, 'openingCash'), values(flow, 'closingCash')]).toEqual([['26000.50'], ['26245.25']])
  })

  it('put a short first year, known as a whole only, beside the next', async () => {
    const years = await ask({ view: 'years' })
    expect(years.columns.map(({ span }) => span)).toEqual([
      { from: '2023-10', to: '2023-12' },
      { from: '2024-01', to: '2024-12' },
    ])
    expect(values(years, 'netSales')).toEqual(['1000.50', '1250.00'])
    expect(years.notices).toContainEqual({ kind: 'yearOnly', years: ['2023-10/2023-12'] })
    expect((await ask({ year: '2023-10/2023-12', view: 'months' })).view).toBe('ytd')
  })

  it('show both sides of each account in a trial balance whose sums are zero', async () => {
    const trial = await ask({ statement: 'trial' })
    expect(trial.columns.map(({ kind }) => kind)).toEqual(['opening', 'debit', 'credit', 'closing'])
    const bank = trial.rows.flatMap(({ accounts = [] }) => accounts).find(({ account }) => account === '1930')
    expect(bank).toMatchObject({ name: 'Bank', values: ['26000.50', '1250.00', '1005.25', '26245.25'] })
    // But for the result of the year before, which nobody moved to equity: told below the sum.
    expect(values(trial, 'total')).toEqual(['1000.50', '3100.00', '3100.00', '1000.50'])
    expect(values(trial, 'carried')).toEqual(['1000.50', null, null, '1000.50'])
    expect([values(trial, 'difference'), trial.rows.at(-1)?.style]).toEqual([undefined, 'memo'])
    expect(trial.notices).toContainEqual({ kind: 'carriedResult', amount: '1000.50' })
  })

  it('show what belongs to an object, or a column for each', async () => {
    const { dimensions } = await ask({})
    const dimension = dimensions.find(({ label }) => label === 'Cost centre')?.key ?? 'c0'
    const north = await ask({ view: 'ytd', dimension, object: '10' })
    expect([values(north, 'netSales'), values(north, 'goods')]).toEqual([['1250.00'], ['0.00']])
    const each = await ask({ view: 'ytd', dimension })
    expect(each.objects).toContainEqual({ key: '10', name: 'North' })
    expect(each.columns.map(({ object, total }) => [object, total])).toEqual([
      ['10', false],
      ['', false],
      [undefined, true],
    ])
    expect(values(each, 'netResult')).toEqual(['1250.00', '-465.25', '784.75'])
  })

  it('show of an object what its entries say, and neither budgets nor balances of whole accounts', async () => {
    const { dimensions } = await ask({})
    const dimension = dimensions.find(({ label }) => label === 'Cost centre')?.key ?? 'c0'
    const north = await ask({ view: 'ytd', dimension, object: '10', budget: '1', lastYear: '1' })
    expect(north.columns.map(({ kind }) => kind)).toEqual(['actual', 'lastYear'])
    expect(values(north, 'netSales')).toEqual(['1250.00', null])
    expect(north.has.budget).toBe(false)
  })

  it('say of which months figures are missing, and take a chosen month for no running year', async () => {
    const rolling = await ask({ view: 'rolling', through: '2024-06' })
    expect(values(rolling, 'netSales')).toEqual([null])
    expect(rolling.notices).toContainEqual({ kind: 'unknown', from: '2023-07', to: '2024-06' })
    expect(rolling.notices.filter(({ kind }) => kind === 'running')).toEqual([])
  })

  it('sum operating expenses up, and count provisions beside liabilities', async () => {
    const income = await ask({ view: 'ytd' })
    expect(values(income, 'costs')).toEqual(['-460.25'])
    expect(income.rows.find(({ key }) => key === 'operatingResult')?.how).toMatchObject({
      terms: [{ key: 'revenue' }, { key: 'costs' }],
    })
    const withProvision = BOOKS.replace('#TRANS 7832 {} 60', '#TRANS 7832 {} 100\r\n#TRANS 2220 {} -40')
    const other = await signedIn()
    const { id } = await createLedger(other, withProvision)
    const balance = await statementOf(other, id, { statement: 'balance', view: 'ytd' })
    expect([values(balance, 'provisions'), values(balance, 'liabilities')]).toEqual([['40.00'], ['0.00']])
    expect(values(balance, 'equityAndLiabilities')).toEqual(values(balance, 'assets'))
  })

  it('work key ratios out of the same lines', async () => {
    const ratios = await ask({ statement: 'ratios', view: 'ytd' })
    expect(values(ratios, 'grossMargin')).toEqual(['0.679800'])
    expect(values(ratios, 'resultPerMonth')).toEqual(['65.40'])
    expect(values(ratios, 'equityRatio')).toEqual(['1.000000'])
    expect(values(ratios, 'dso'), 'nothing outstanding').toEqual(['0.000000'])
  })

  it('are a workbook that says whose it is, of which year, when it was made and what is missing', async () => {
    const answer = await me.fetch(`/files/statements/${source}?view=ytd&lastYear=1&language=sv`)
    expect(answer.headers.get('content-disposition')).toContain('2024.xlsx')
    const [sheet] = (await readXlsx(new Uint8Array(await answer.arrayBuffer()))).sheets
    expect(sheet?.name).toBe('Resultaträkning')
    const rows = sheet?.rows ?? []
    const first = rows.map(([cell]) => String(cell ?? ''))
    expect(first.slice(0, 3)).toEqual(['Alfa AB', 'Resultaträkning', 'Räkenskapsår: 2024 (2024-01-01 – 2024-12-31)'])
    // The year before is a column beside it, and no part of the period.
    expect(first).toContain('Period: 2024')
    expect(first.filter((text) => /^(Skapad: \d{4}-|Anmärkning: Konton utan rad)/.test(text))).toHaveLength(2)
    const sales = first.indexOf('Nettoomsättning')
    expect(rows[sales]?.slice(1, 2)).toEqual([1250])
    expect(first[sales + 1]).toBe('3010 Sales')
    expect(first.indexOf('Årets resultat')).toBeGreaterThan(sales)
  })

  it('have columns for objects of a dimension only, never for each value of any column', async () => {
    const { entries } = await ask({})
    for (const dimension of [entries?.account ?? '', entries?.text ?? '']) {
      const refused = await me.fetch(`/api/statements/${source}?${new URLSearchParams({ dimension }).toString()}`)
      expect([refused.status, (await refused.json<{ code: string }>()).code]).toEqual([422, 'unknown_field'])
    }
  })

  it('are nobody’s who may not see the source', async () => {
    expect((await (await otherWorkspace()).fetch(`/api/statements/${source}`)).status).toBe(404)
    expect((await (await visitor()).fetch(`/api/statements/${source}`)).status).toBe(401)
  })
})

it('takes a fiscal year of centuries for a slip, and shows no column for each of its months', async () => {
  const me = await signedIn()
  const { id } = await createLedger(me, BOOKS.replace('#RAR 0 20240101', '#RAR 0 17000101'))
  const { years } = await statementOf(me, id, {})
  const long = years.find(({ end }) => end === '2024-12-31')
  const { columns } = await statementOf(me, id, { year: long?.name ?? '' })
  expect(columns.at(-1)?.span.to).toBe('2024-12')
  expect(columns.length).toBeLessThan(30)
})

it('gives the thirty objects that moved most a column, and says how many there are', async () => {
  const me = await signedIn()
  const all = Array.from({ length: 32 }, (_, n) => ({ object: String(100 + n), amount: n === 0 ? 1000 : n }))
  const entries = all.flatMap(({ object, amount }) => [
    `#TRANS 1930 {} ${amount}`,
    `#TRANS 3010 {1 ${object}} -${amount}`,
  ])
  const { id } = await createLedger(
    me,
    BOOKS.replace('#TRANS 1930 {} 1250\r\n#TRANS 3010 {1 10} -1250', entries.join('\r\n')),
  )
  const { dimensions } = await statementOf(me, id, {})
  const dimension = dimensions.find(({ label }) => label === 'Cost centre')?.key ?? 'c0'
  const { columns, notices, rows } = await statementOf(me, id, { view: 'ytd', dimension })
  const objects = columns.flatMap(({ object }) => object ?? [])
  // Entries without an object moved most, and stand last; the smallest of the others have no column.
  expect([objects.length, objects[0], objects[1], objects.at(-1)]).toEqual([30, '100', '104', ''])
  expect(notices).toContainEqual({ kind: 'objects', shown: 30, of: 33 })
  expect(rows.find(({ key }) => key === 'netSales')?.values.at(-1)).toBe(String(1000 + (31 * 32) / 2) + '.00')
})

describe('a ledger that is no SIE file', () => {
  /** As a Swedish program writes it: accounts are whole numbers, amounts have a comma. */
  const TEXT = [
    'Verifikat;Datum;Konto;Kontonamn;Belopp;Text',
    ...['A1;2025-12-30;1930;Bank;100,10;Sold', 'A1;2025-12-30;3010;Sales;-100,10;Sold'],
    ...['A2;2026-01-10;1930;Bank;200,20;Sold', 'A2;2026-01-10;3010;Sales;-200,20;Sold'],
  ].join('\n')

  it('has the same statements by the names of its columns, its balances beginning with its first entry', async () => {
    const me = await signedIn()
    const source = await createLedger(me, TEXT)
    const income = await statementOf(me, source.id, { view: 'years' })
    expect(values(income, 'netResult')).toEqual(['100.10', '200.20'])
    expect(income.rows[1]?.accounts).toEqual([{ account: '3010', name: 'Sales', values: ['100.10', '200.20'] }])
    const balance = await statementOf(me, source.id, { statement: 'balance', view: 'ytd' })
    expect([values(balance, 'cash'), values(balance, 'carried'), values(balance, 'yearResult')]).toEqual([
      ['300.30'],
      ['100.10'],
      ['200.20'],
    ])
    const first = await statementOf(me, source.id, { statement: 'balance', view: 'ytd', year: '2025' })
    expect(first.notices).toContainEqual({ kind: 'noOpening', from: '2025-01-01' })
  })

  it('is read by its two sides, never by its running balance, and counts no entry without a date', async () => {
    const me = await signedIn()
    const text = [
      'Ver nr;Datum;Konto;Kontonamn;Text;Debet;Kredit;Saldo',
      ...['A1;2026-01-10;1930;Bank;Sold;200,20;0,00;5200,20', 'A1;2026-01-10;3010;Sales;Sold;0,00;200,20;-9200,20'],
      ...['A2;2026-02-10;1930;Bank;Sold;10,00;0,00;5210,20', 'A2;2026-02-10;3010;Sales;Sold;0,00;10,00;-9210,20'],
      ...['A3;;1930;Bank;Undated;7,00;0,00;5217,20', 'A3;;3010;Sales;Undated;0,00;7,00;-9217,20'],
    ].join('\n')
    const source = await createLedger(me, text)
    const trial = await statementOf(me, source.id, { statement: 'trial' })
    expect(trial.rows.flatMap(({ accounts = [] }) => accounts)).toEqual([
      { account: '1930', name: 'Bank', values: ['0.00', '210.20', '0.00', '210.20'] },
      { account: '3010', name: 'Sales', values: ['0.00', '0.00', '210.20', '-210.20'] },
    ])
    expect(trial.notices).toContainEqual({ kind: 'uncounted', count: 2 })
  })

  it('is refused where its days name more years than any books have', async () => {
    const me = await signedIn()
    const days = Array.from({ length: 310 }, (_, n) => `A${n};${1700 + n}-05-01;1930;Bank;${n},10;Sold`)
    const source = await createLedger(me, ['Verifikat;Datum;Konto;Kontonamn;Belopp;Text', ...days].join('\n'))
    const refused = await me.fetch(`/api/statements/${source.id}`)
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { code: 'query_too_complex', what: 'fiscal years', max: 300 },
    ])
  })

  it('is told apart from a table that is no ledger', async () => {
    const me = await signedIn()
    const { source } = await createLoadedSource(me, 'day,customer,amount\n2026-01-01,A,1')
    expect((await me.fetch(`/api/statements/${source.id}`)).status).toBe(404)
  })
})
