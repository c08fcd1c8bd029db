import { describe, expect, it } from 'vitest'
import { isVouchersOnly, toLedgerLoadInput, type TablePlacement } from './ledger-match'
import { column, fileColumn, inspection, uploadTable } from '../data-sources.fixture'
import type { ImportTable } from './use-import-tables'
import type { LedgerTable } from '../../../../src/shared/data-sources/files'
import type { Dataset } from '../../../../src/shared/data-sources/data-sources'

const LABELS = ['org_number', 'fiscal_year', 'voucher_key']
const columns = LABELS.map((label, index) => fileColumn(index, { label }))
const table = (ledger: LedgerTable, fileName = 'book.se'): ImportTable => ({
  table: uploadTable({ name: ledger, kind: 'sie', ledger }),
  fileName,
  fileWarnings: [],
  later: false,
  id: 'upl_1',
  name: ledger,
  chosen: true,
  found: { inspection: inspection({ kind: 'sie', columns }), columns } as ImportTable['found'],
  rename: () => {},
  choose: () => {},
})
const home = {
  name: 'vouchers',
  columns: LABELS.map((label, i) => column(`c${i}`, { label })),
} as Dataset
const placed = (ledger: LedgerTable, vouchersOnly: boolean): TablePlacement => ({
  table: table(ledger),
  home,
  vouchersOnly,
})
const way = (each: TablePlacement) => {
  const input = toLedgerLoadInput(each)
  return input && { mode: input.mode, keyColumns: input.keyColumns }
}

describe('a file of books that are here already', () => {
  it('is a batch of vouchers when it has vouchers and no balances, whatever is chosen of it', () => {
    const batch = [table('vouchers'), table('entries'), table('accounts')]
    const whole = [...batch, { ...table('balances'), chosen: false }]
    expect(isVouchersOnly(batch, 'book.se')).toBe(true)
    expect(isVouchersOnly(whole, 'book.se')).toBe(false)
    expect(isVouchersOnly([table('accounts'), table('balances', 'other.se')], 'book.se')).toBe(false)
    expect(isVouchersOnly([...batch, table('balances', 'other.se')], 'book.se')).toBe(true)
  })

  it('takes the place of its years when it is whole', () => {
    expect(way(placed('vouchers', false))).toEqual({ mode: 'replacePart', keyColumns: ['c0', 'c1'] })
  })

  it('never takes the year away for a batch of vouchers: they come beside, and accounts stay', () => {
    expect(way(placed('vouchers', true))).toEqual({ mode: 'append', keyColumns: undefined })
    expect(way(placed('entries', true))).toEqual({ mode: 'append', keyColumns: undefined })
    expect(way(placed('accounts', true))).toBeNull()
  })
})
