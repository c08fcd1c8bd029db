import { describe, expect, it } from 'vitest'
import {
  GUARDED_COLUMNS,
  guardedWorkspace,
  onlyRegion,
  savePolicy,
} from '../../../test/worker/access/guarded-workspace'
import { loadFileInto, sameColumns } from '../../../test/worker/loads'
import { createApp } from '../../app'

const app = createApp()
/** More than three pages of a file. */
const ROWS = 16_000

describe('a download under way (RLS-5)', () => {
  it('breaks off once rules leave its reader less, also of somebody else’s view, and ends where nothing changed', async () => {
    const { owner, datasetId, join } = await guardedWorkspace(app)
    const [ada, admin] = [await join(), await join('admin')]
    const lines = Array.from({ length: ROWS }, (_, n) => `2026-01-05,P${n},${n}.25,${n % 2 ? 'North' : 'South'},p@x.se`)
    const text = ['day,person,pay,region,email', ...lines].join('\n')
    const loaded = await loadFileInto(owner, datasetId, {
      ...{ text, columns: GUARDED_COLUMNS, mapping: sameColumns(GUARDED_COLUMNS) },
    })
    expect(loaded.state).toBe('succeeded')
    const plan = { v: 3, kind: 'rows', dataset: datasetId, measures: [], dimensions: [], filters: [] }
    const download = async (who: typeof ada, format: 'csv' | 'xlsx') => {
      const json = { plan, view: { sort: null, filters: [] }, name: 'Pay', format }
      const answer = await who.fetch('/api/query/export', { method: 'POST', json })
      expect(answer.status).toBe(200)
      return answer
    }
    const whole = await (await download(ada, 'csv')).text()
    expect(whole.trimEnd().split('\n')).toHaveLength(ROWS + 1)
    const subject = { kind: 'member', id: ada.userId }
    expect((await admin.fetch('/api/data-access/view-as', { method: 'POST', json: { subject } })).status).toBe(200)
    const begun = [await download(ada, 'csv'), await download(ada, 'xlsx'), await download(admin, 'csv')]
    const unchanged = await download(owner, 'csv')
    await savePolicy(owner, { rules: [onlyRegion(datasetId, 'North', { kind: 'member', id: ada.userId })] })
    for (const answer of begun) await expect(answer.arrayBuffer()).rejects.toThrow('Your data access changed')
    expect((await unchanged.text()).trimEnd().split('\n')).toHaveLength(ROWS + 1)
    expect((await (await download(ada, 'csv')).text()).trimEnd().split('\n')).toHaveLength(ROWS / 2 + 1)
  })
})
