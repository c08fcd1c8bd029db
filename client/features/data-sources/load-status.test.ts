import { describe, expect, it } from 'vitest'
import {
  columnConflictRows,
  changedColumns,
  columnMetadataReducer,
  hasMetadataChanges,
  NO_METADATA_EDITS,
} from './columns/column-metadata'
import { describeRolesWith } from '../../../src/shared/permissions'
import { describeSourceError } from './source-error-notice'
import { dependentsOf } from '../../lib/error-details'
import { nameFromFile, IMPORT_SETTING_FIELDS } from './import/import-settings'
import { latestBatch, estimateTotalRows, sourceFreshness, combinedProgress, readShare } from './load-status'
import { dataset, inspection, run, source } from './data-sources.fixture'
import { describeLoadProgress } from './versions/load-progress'
import { ApiError, NetworkError } from '../../lib/api'
import { createFormatter } from '../../../src/shared/figures/formatter'
import { loadErrorAdvice } from '../../../src/shared/data-sources/load-errors'
import { ERRORS, type ErrorCode } from '../../../src/shared/errors'

const format = createFormatter({ numberLocale: 'sv-SE', currency: 'SEK', timeZone: 'Europe/Stockholm' })
const refusal = (code: ErrorCode, details = {}, message: string = ERRORS[code].message) =>
  new ApiError(ERRORS[code].status, { code, message, requestId: 'r', ...details })

describe('faults in words', () => {
  it.each(['unknown_kind', 'broken', 'encrypted', 'empty', 'unsafe', 'unsupported'])(
    'says what an unreadable file (%s) is and what to do',
    (reason) => {
      const fault = describeSourceError(refusal('file_unreadable', { reason, line: 7 }), format)
      expect(fault.title).not.toBe('Couldn’t read file')
      expect(fault.advice.length).toBeGreaterThan(20)
      expect(fault).toMatchObject({ line: 7, next: 'pickFile' })
    },
  )

  it('prefers the server’s own sentence when it is more exact', () => {
    const exact = refusal('file_unreadable', { reason: 'broken' }, 'The quote on line 1 is never closed. Close it.')
    expect(describeSourceError(exact, format)).toMatchObject({
      title: 'The quote on line 1 is never closed',
      advice: 'Close it.',
    })
  })

  it('gives each refusal of this room its next step', () => {
    expect(describeSourceError(refusal('limit_reached', { max: 3 }), format)).toMatchObject({ next: 'manage' })
    expect(describeSourceError(refusal('limit_reached', { max: 3 }), format).title).toBe(
      'Data source limit reached (3)',
    )
    expect(describeSourceError(refusal('too_large', { what: 'file', max: 209_715_200 }), format).title).toContain('200')
    expect(describeSourceError(refusal('name_taken'), format).next).toBe('rename')
    expect(describeSourceError(refusal('read_only', { reason: 'trial_expired' }), format).title).toBe('Trial ended')
    expect(describeSourceError(refusal('read_only', { reason: 'frozen' }), format).advice).toMatch(/view and export/)
    expect(describeSourceError(refusal('busy'), format).next).toBe('retry')
    expect(describeSourceError(new NetworkError('x'), format)).toMatchObject({ title: 'No connection', next: 'retry' })
  })

  it('says who in the workspace may do what the role does not allow', () => {
    expect(describeRolesWith('edit:source')).toBe('an owner, admin or analyst')
    expect(describeRolesWith('delete:workspace')).toBe('an owner')
    expect(describeSourceError(refusal('forbidden', { permission: 'edit:source' }), format).advice).toContain(
      'an owner, admin or analyst',
    )
  })

  it('names what still uses a source', () => {
    const insight = { type: 'insight', id: 'ins_1', name: 'Sales' }
    expect(dependentsOf(refusal('in_use', { dependents: [insight] }))).toEqual([insight])
    expect(dependentsOf(refusal('busy'))).toBeNull()
  })
})

describe('loads in words', () => {
  it('tells rows read of about how many', () => {
    const half = run({ state: 'running', rowsRead: 412_000, bytesRead: 412, bytesTotal: 1000 })
    expect(estimateTotalRows(half)).toBe(1_000_000)
    expect(describeLoadProgress(half, format).replaceAll('\u00a0', ' ')).toMatch(/^412 000 of about 1(,0)? M rows$/)
    expect(readShare(half)).toBeCloseTo(0.412)
    expect(describeLoadProgress(run({ state: 'running', rowsRead: 0, bytesRead: 0 }), format)).toBe('Reading file…')
  })

  it('calls data old after a missed month, and failed data failed', () => {
    const day = 24 * 60 * 60 * 1000
    const at = Date.parse('2026-11-20T10:00:04.000Z')
    expect(sourceFreshness(source(), at + 30 * day)).toBe('fresh')
    expect(sourceFreshness(source(), at + 36 * day)).toBe('stale')
    expect(sourceFreshness(source({ state: 'failed' }), at)).toBe('failed')
    expect(sourceFreshness(source({ lastRun: run({ state: 'running' }) }), at)).toBe('working')
    expect(sourceFreshness(source({ datasets: [dataset({ loadedAt: null })] }), at)).toBeNull()
  })

  it('advises on every way a load can end badly', () => {
    expect(loadErrorAdvice({ state: 'interrupted', error: null })).toContain('same file')
    expect(loadErrorAdvice({ state: 'failed', error: { code: 'too_large', message: '' } })).toContain('Split')
    expect(loadErrorAdvice({ state: 'failed', error: { code: 'internal', message: '' } })).toContain('Retry')
  })
})

describe('loads of one drop', () => {
  const at = (id: string, startedAt: string, state: 'succeeded' | 'running' = 'succeeded') =>
    run({ id, startedAt, state })
  const ids = (runs: { id: string }[]) => runs.map(({ id }) => id)

  it('are those that began together with the newest, and whatever is still under way', () => {
    const runs = [
      at('old', '2026-11-20T10:00:00.000Z'),
      at('slow', '2026-11-20T11:00:00.000Z', 'running'),
      at('first', '2026-11-20T12:00:00.000Z'),
      at('second', '2026-11-20T12:00:02.000Z'),
    ]
    expect(ids(latestBatch(runs))).toEqual(['slow', 'first', 'second'])
    expect(latestBatch([])).toEqual([])
  })

  it('are added up while they are under way', () => {
    const half = run({ state: 'running', rowsRead: 10, bytesRead: 50, bytesTotal: 100 })
    const waiting = run({ state: 'queued', rowsRead: 0, bytesRead: 0, bytesTotal: 300 })
    expect(combinedProgress([waiting, half, run()])).toMatchObject({ state: 'running', rowsRead: 10, bytesTotal: 400 })
    expect(combinedProgress([run()])).toBeNull()
  })
})

describe('settings of a file', () => {
  it('keeps every setting through its select', () => {
    const { settings } = inspection()
    for (const field of IMPORT_SETTING_FIELDS)
      for (const { value } of field.choices)
        expect(field.read({ ...settings, ...field.write(value) }), `${field.key} ${value}`).toBe(value)
  })

  it.each([
    ['Försäljning_2026.csv', 'Försäljning 2026'],
    ['C:\\exports\\orders.CSV', 'Orders'],
    ['.csv', 'New source'],
    [`${'x'.repeat(200)}.csv`, 'X' + 'x'.repeat(79)],
  ])('names a source after %s', (file, name) => {
    expect(nameFromFile(file)).toBe(name)
  })
})

describe('edits of a dataset’s columns', () => {
  const { columns } = dataset()
  const hide = columnMetadataReducer(NO_METADATA_EDITS, { kind: 'change', key: 'c0', edit: { hidden: true } })

  it('sends only the columns that were edited', () => {
    expect(changedColumns(columns, hide)).toEqual([
      { key: 'c0', label: 'Kund', role: 'dimension', format: { style: 'plain' }, hidden: true },
    ])
  })

  it('sees no change where an edit was taken back', () => {
    const back = columnMetadataReducer(hide, { kind: 'change', key: 'c0', edit: { hidden: false } })
    expect(hasMetadataChanges(columns, hide)).toBe(true)
    expect(hasMetadataChanges(columns, back)).toBe(false)
  })

  it('shows both versions of a column that two people changed', () => {
    const theirs = columns.map((column) => (column.key === 'c0' ? { ...column, label: 'Customer' } : column))
    expect(columnConflictRows(dataset(), hide, theirs)).toEqual([
      { label: 'Customer', mine: 'Kund, dimension, number, hidden', theirs: 'Customer, dimension, number' },
    ])
  })
})
