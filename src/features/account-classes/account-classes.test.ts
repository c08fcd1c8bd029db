import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { signedIn } from '../../../test/worker/factories'
import { accountConditions, accountRangesSchema, BAS_RANGES, STATEMENT_LINES } from '../../shared/account-classes'
import type { AccountClasses, AccountRange } from '../../shared/account-classes'

const PATH = '/api/account-classes'

describe('the ranges of the chart', () => {
  it.each([
    ['1930', 'cash'],
    ['2440', 'payables'],
    ['2641', 'shortDebt'],
    ['3001', 'netSales'],
    ['3960', 'otherIncome'],
    ['4010', 'goods'],
    ['5010', 'external'],
    ['7210', 'personnel'],
    ['7832', 'depreciation'],
    ['8310', 'financialIncome'],
    ['8410', 'financialCosts'],
    ['8910', 'tax'],
    ['8999', 'result'],
    ['9100', undefined],
    ['net', undefined],
  ])('put account %s into %s', (account, line) => {
    const holds = STATEMENT_LINES.filter(({ id }) =>
      accountConditions([id], BAS_RANGES).some(({ from, to }) => from <= account && account <= to),
    )
    expect(holds.map(({ id }) => id)).toEqual(line === undefined ? [] : [line])
  })

  it('hold every account from 1000 to 8999 once', () => {
    expect(accountRangesSchema.safeParse(BAS_RANGES).success).toBe(true)
    for (let account = 1000; account <= 8999; account++)
      expect(BAS_RANGES.filter(({ from, to }) => from <= account && account <= to)).toHaveLength(1)
  })

  it('are refused exactly when an account would belong to two lines, or a range is turned around', () => {
    const account = fc.integer({ min: 1000, max: 1030 })
    const ranges = fc.array(fc.record({ from: account, to: account, line: fc.constant('cash' as const) }), {
      maxLength: 4,
    })
    fc.assert(
      fc.property(ranges, (list) => {
        const inOrder = list.toSorted((a, b) => a.from - b.from)
        const holding = (at: number) => inOrder.filter(({ from, to }) => from <= at && at <= to).length
        const isFine =
          inOrder.every(({ from, to }) => from <= to) &&
          Array.from({ length: 31 }, (_, n) => holding(1000 + n)).every((count) => count <= 1)
        expect(accountRangesSchema.safeParse(inOrder).success).toBe(isFine)
      }),
    )
  })
})

describe('the accounts of a workspace', () => {
  it('are the chart until somebody adjusts them, and the chart again when that is taken back', async () => {
    const me = await signedIn()
    const get = async () => (await me.fetch(PATH)).json<AccountClasses>()
    const put = (ranges: AccountRange[] | null, version: number) =>
      me.fetch(PATH, { method: 'PUT', json: { ranges, version } })
    expect(await get()).toEqual({ ranges: BAS_RANGES, adjusted: false, version: 0 })
    const own: AccountRange[] = [{ from: 3000, to: 3099, line: 'netSales' }]
    expect((await put(own, 0)).status).toBe(200)
    expect(await get()).toEqual({ ranges: own, adjusted: true, version: 1 })
    const late = await put([], 0)
    expect([late.status, await late.json()]).toMatchObject([409, { code: 'version_conflict', current: { version: 1 } }])
    expect((await put(null, 1)).status).toBe(200)
    expect(await get()).toEqual({ ranges: BAS_RANGES, adjusted: false, version: 2 })
  })

  it('lets one of two first savers win, and tells the other', async () => {
    const me = await signedIn()
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => me.fetch(PATH, { method: 'PUT', json: { ranges: [], version: 0 } })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409, 409])
  })

  it('stay apart from those of another workspace', async () => {
    const [owner, other] = [await signedIn(), await signedIn()]
    await owner.fetch(PATH, { method: 'PUT', json: { ranges: [], version: 0 } })
    expect(await (await other.fetch(PATH)).json()).toMatchObject({ adjusted: false })
    expect(await (await owner.fetch(PATH)).json()).toMatchObject({ ranges: [] })
  })
})
