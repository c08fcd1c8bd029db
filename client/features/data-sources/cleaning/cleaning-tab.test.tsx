import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CleaningTab } from './cleaning-tab'
import { describeEffect, moveStep, newStep, splitColumn, stepFaults } from './step-drafts'
import { correctedSettings } from '../import/stored-settings'
import { suggestTargets } from '../import/column-mapping'
import { column, dataset, fileColumn, inspection } from '../data-sources.fixture'
import { createFormatter } from '../../../../src/shared/figures/formatter'
import { setSession } from '../../../lib/session'
import { memberPageData } from '../../../test/page-data'
import { renderWithProviders } from '../../../test/render'
import { errorResponse, jsonResponse, mockServer } from '../../../test/mock-server'
import type { CleaningStep } from '../../../../src/shared/data-sources/cleaning'
import type { DatasetCleaning } from '../../../../src/shared/data-sources/data-sources'

const TRIM: CleaningStep = { kind: 'trim', columns: [], inner: false }
const DROP: CleaningStep = { kind: 'dropRows', column: 'Kund', when: 'startsWith', value: 'Total' }
const EFFECT = { rowsIn: 1240, rowsOut: 1230, cells: 1240, cellsChanged: 0, cellsUnread: 0 }
const PATH = `/api/datasets/${dataset().id}`
const answer = (over: Partial<DatasetCleaning> = {}): DatasetCleaning => ({
  ...{ steps: [TRIM, DROP], effects: [{ ...EFFECT, cellsChanged: 31 }, EFFECT], file: { name: 'fakturor.csv' } },
  ledger: false,
  ...over,
})
const show = (onReopened = vi.fn()) =>
  renderWithProviders(<CleaningTab dataset={dataset()} sample={false} loading={false} onReopened={onReopened} />)

beforeEach(() => setSession(memberPageData()))
afterEach(() => vi.unstubAllGlobals())

describe('the cleaning of a table', () => {
  it('lists the steps with what they did, and opens the stored file to change them', async () => {
    const file = {
      uploadId: 'upl_00000000000000000001',
      fileName: 'fakturor.csv',
      size: 9,
      settings: inspection().settings,
    }
    mockServer({
      [`GET ${PATH}/cleaning`]: () => jsonResponse(answer()),
      [`POST ${PATH}/reopen`]: () => jsonResponse(file, 201),
    })
    const reopened = vi.fn()
    const { container } = await show(reopened)
    expect(await screen.findByText('2. Remove rows where “Kund” starts with “Total”')).toBeVisible()
    expect(screen.getByText(/^Removed 10 of 1\s240 rows$/)).toBeVisible()
    expect((await axe.run(container)).violations).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: 'Edit steps' }))
    await vi.waitFor(() => expect(reopened).toHaveBeenCalledWith(file, expect.anything(), undefined, expect.anything()))
  })

  it('says when steps can only be changed at the next import, and why a file cannot be opened', async () => {
    mockServer({ [`GET ${PATH}/cleaning`]: () => jsonResponse(answer({ file: null })) })
    const { unmount } = await show()
    expect(await screen.findByText(/^Steps can be changed at the next import/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Edit steps' })).toBeNull()
    unmount()
    mockServer({
      [`GET ${PATH}/cleaning`]: () => jsonResponse(answer({ steps: [], effects: [] })),
      [`POST ${PATH}/reopen`]: () => errorResponse('expired', { what: 'file' }),
    })
    await show()
    await userEvent.click(await screen.findByRole('button', { name: 'Add steps' }))
    expect(await screen.findByRole('alert')).toBeVisible()
  })

  it('says that ledgers are not cleaned', async () => {
    mockServer({ [`GET ${PATH}/cleaning`]: () => jsonResponse(answer({ steps: [], effects: [], ledger: true })) })
    await show()
    expect(await screen.findByText('Ledgers aren’t cleaned')).toBeVisible()
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('offers no edit without the permission', async () => {
    setSession(memberPageData('viewer'))
    mockServer({ [`GET ${PATH}/cleaning`]: () => jsonResponse(answer()) })
    await show()
    expect(await screen.findByText(/^1\. Trim spaces/)).toBeVisible()
    expect(screen.queryByRole('button')).toBeNull()
  })
})

describe('steps', () => {
  it('are described by what they did, moved, and checked', () => {
    const format = createFormatter({ numberLocale: 'en-GB', currency: 'SEK', timeZone: 'UTC' })
    const read: CleaningStep = { kind: 'parseNumber', columns: ['A'], decimalMark: ',' }
    expect(describeEffect(read, { ...EFFECT, cellsChanged: 5, cellsUnread: 2 }, format)).toBe(
      'Changed 5 of 1,240 cells; 2 not readable',
    )
    expect(moveStep([TRIM, DROP], 1, -1)).toEqual([DROP, TRIM])
    expect(stepFaults({ kind: 'parseDate', columns: ['A'], writing: 'month' })).toEqual({ year: 'Enter a year.' })
    expect(stepFaults({ kind: 'dropRows', column: 'A', when: 'is', value: ' ' })).toEqual({ value: 'Enter a value.' })
    expect(stepFaults(DROP)).toEqual({})
  })

  it('name the parts of a split after its column, where nobody has named them', () => {
    const split = newStep('split', { columns: ['Region', 'Account'], decimalMark: ',' })
    if (split.kind !== 'split') throw new Error(split.kind)
    expect(splitColumn(split, 'Account')).toMatchObject({ column: 'Account', into: ['Account 1', 'Account 2'] })
    expect(splitColumn({ ...split, into: ['Number', 'Region 2'] }, 'Account').into).toEqual(['Number', 'Account 2'])
  })

  it('leave settings that were corrected as they were, and match no column by its place once they are others', () => {
    const { settings } = inspection()
    expect(correctedSettings(settings, { ...settings, skipLines: 2, decimalMark: '.' })).toEqual({
      skipLines: 2,
      decimalMark: '.',
    })
    const file = [fileColumn(1, { label: 'Value', type: 'integer' })]
    const held = [column('c1', { label: '2026-02', type: 'integer' })]
    expect(suggestTargets(file, held).get(1)).toEqual({ kind: 'column', key: 'c1' })
    expect(suggestTargets(file, held, { byPosition: false }).get(1)).toEqual({ kind: 'new' })
  })
})
