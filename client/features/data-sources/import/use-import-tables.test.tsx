import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useImportTables } from './use-import-tables'
import { dataset, inspection, opened, upload } from '../data-sources.fixture'
import { setSession } from '../../../lib/session'
import { memberPageData } from '../../../test/page-data'
import { renderWithProviders } from '../../../test/render'
import { jsonResponse, mockServer } from '../../../test/mock-server'
import { describeStep, type CleaningStep } from '../../../../src/shared/data-sources/cleaning'

const TRIM: CleaningStep = { kind: 'trim', columns: [], inner: false }
const FILL: CleaningStep = { kind: 'fillDown', columns: ['Region'] }
const { id: DATASET } = dataset()
const FILES = [{ file: { name: 'fakturor.csv', size: 9, lastModified: 1 }, upload, opened: opened() }]

/** The steps of a file that is for a table with one step, at a version of its rows. */
function Steps({ dataVersion }: { dataVersion: number }) {
  const { active } = useImportTables(FILES, {
    isChosen: () => true,
    dataset: { id: DATASET, cleaning: [FILL], dataVersion },
  })
  const { cleaning = [], clean, undoClean } = active?.found ?? {}
  return (
    <>
      <p>{cleaning.map(describeStep).join(', ')}</p>
      <button onClick={() => clean?.([...cleaning, TRIM])}>Add</button>
      {undoClean && <button onClick={undoClean}>Undo</button>}
    </>
  )
}
/** The page of a table: left and come back to, and with rows that came meanwhile. */
function Page() {
  const [dataVersion, setVersion] = useState(1)
  const [visit, setVisit] = useState(1)
  return (
    <>
      <button onClick={() => setVersion(dataVersion + 1)}>Import</button>
      <button onClick={() => setVisit(visit + 1)}>Come back</button>
      <Steps key={visit} dataVersion={dataVersion} />
    </>
  )
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

beforeEach(() => {
  setSession(memberPageData())
  mockServer({ [`POST /api/uploads/${upload.id}/inspect`]: () => jsonResponse(inspection()) })
})
afterEach(() => vi.unstubAllGlobals())

it('keeps changed steps while the page is left and rows come, and begins with those of the table once it has new rows', async () => {
  await renderWithProviders(<Page />)
  await press('Add')
  expect(screen.getByText('Fill down “Region”, Trim spaces in all columns')).toBeVisible()
  await press('Come back')
  expect(screen.getByText('Fill down “Region”, Trim spaces in all columns')).toBeVisible()
  await press('Import')
  expect(screen.getByText('Fill down “Region”, Trim spaces in all columns')).toBeVisible()
  await press('Come back')
  expect(screen.getByText('Fill down “Region”')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  await press('Add')
  await press('Undo')
  expect(screen.getByText('Fill down “Region”')).toBeVisible()
})
