import { useForm } from '@mantine/form'
import { act, cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { DraftNotice } from '../../ui/forms/draft-notice'
import { memberPageData, visitorPageData } from '../../test/page-data'
import { jsonResponse, mockServer } from '../../test/mock-server'
import { renderWithProviders } from '../../test/render'
import { hasKeptDraft, KEEP_DELAY_MS, useFormDraft } from './kept-draft'
import { setSession } from '../session'
import { signIn, signOut } from '../session-actions'

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  localStorage.clear()
  sessionStorage.clear()
  setSession(memberPageData())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function NameForm({ saved = 'Sales', base = '1' }: { saved?: string; base?: string }) {
  const form = useForm({ initialValues: { name: saved } })
  const draft = useFormDraft(form, { name: 'metric:m1', base })
  const save = () => {
    form.setInitialValues(form.values)
    draft.clear()
  }
  return (
    <>
      <DraftNotice draft={draft} />
      <input aria-label="Name" {...form.getInputProps('name')} />
      <button onClick={save}>Save</button>
      <button onClick={() => draft.clear()}>Done</button>
    </>
  )
}

const field = () => screen.getByLabelText('Name')
const settle = () => act(() => vi.advanceTimersByTimeAsync(KEEP_DELAY_MS))
const person = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
const press = (name: string) => person.click(screen.getByRole('button', { name }))

/** Types into the form, and leaves it at once as a closed page does. */
async function leaveWithWork(text = ' in Skåne'): Promise<void> {
  await renderWithProviders(<NameForm />)
  await person.type(field(), text)
  cleanup()
}

it('keeps nothing of work that is done at once after the last letter, while its form is still there', async () => {
  await renderWithProviders(<NameForm />)
  await person.type(field(), ' in Skåne')
  await press('Done')
  await settle()
  expect(hasKeptDraft('metric:m1')).toBe(false)
})

it('puts unsaved work back, says so, and takes it away again when asked', async () => {
  await leaveWithWork()
  await renderWithProviders(<NameForm />)
  expect(field()).toHaveValue('Sales in Skåne')
  expect(screen.getByRole('status')).toHaveTextContent('Unsaved changes from')
  await press('Discard changes')
  expect(field()).toHaveValue('Sales')
  expect(screen.queryByRole('status')).toBeNull()
  cleanup()
  await renderWithProviders(<NameForm />)
  expect(field()).toHaveValue('Sales')
})

it('keeps work while the page is open, for another tab and a killed browser', async () => {
  await renderWithProviders(<NameForm />)
  await person.type(field(), ' A')
  await settle()
  expect(Object.values(localStorage).join(' ')).toContain('Sales A')
})

it('keeps nothing that is saved, and the next changes again', async () => {
  await renderWithProviders(<NameForm />)
  await person.type(field(), ' A')
  await settle()
  await press('Save')
  await settle()
  expect(localStorage.length).toBe(0)
  await person.type(field(), ' B')
  await settle()
  expect(Object.values(localStorage).join(' ')).toContain('Sales A B')
})

it('keeps nothing when the changes are taken back by hand', async () => {
  await renderWithProviders(<NameForm />)
  await person.type(field(), 'x')
  await settle()
  await person.type(field(), '{Backspace}')
  await settle()
  expect(localStorage.length).toBe(0)
})

it('offers work whose base has changed meanwhile, and changes nothing before the answer', async () => {
  await leaveWithWork()
  await renderWithProviders(<NameForm saved="Revenue" base="2" />)
  expect(field()).toHaveValue('Revenue')
  expect(screen.getByRole('status')).toHaveTextContent('The saved version has changed since.')
  await press('Restore changes')
  expect(field()).toHaveValue('Sales in Skåne')
})

it('puts back what was changed and nothing else, over what another window saved of the rest', async () => {
  function TwoFields({ job }: { job: string }) {
    const form = useForm({ initialValues: { name: 'Sales', job } })
    useFormDraft(form, { name: 'profile' })
    return (
      <>
        <input aria-label="Name" {...form.getInputProps('name')} />
        <input aria-label="Job" {...form.getInputProps('job')} />
      </>
    )
  }
  await renderWithProviders(<TwoFields job="Owner" />)
  await person.type(field(), ' in Skåne')
  cleanup()
  await renderWithProviders(<TwoFields job="CFO" />)
  expect(field()).toHaveValue('Sales in Skåne')
  expect(screen.getByLabelText('Job')).toHaveValue('CFO')
})

it('shows it to nobody else: not to another person, another workspace, or after a sign-out', async () => {
  await leaveWithWork()
  const mine = memberPageData()
  const { user, workspace } = mine
  for (const other of [
    { ...mine, user: user && { ...user, id: 'usr_2' } },
    { ...mine, workspace: workspace && { ...workspace, id: 'ws_2' } },
  ]) {
    setSession(other)
    await renderWithProviders(<NameForm />)
    expect(field()).toHaveValue('Sales')
    cleanup()
  }
  setSession(mine)
  mockServer({ 'POST /api/session/sign-out': () => jsonResponse(visitorPageData()) })
  await signOut()
  expect(localStorage.length).toBe(0)
})

it('removes file names from the tab at sign-out, and shows none to the next user', async () => {
  const mine = memberPageData()
  const id = mine.user?.id ?? ''
  const keys = [`insikt-reviewed:${id} ws new`, 'insikt-upload:["ws","Salaries.xlsx",1,1]']
  const keep = () => keys.forEach((key) => sessionStorage.setItem(key, 'x'))
  sessionStorage.setItem('invitation', 'theirs')
  mockServer({
    'POST /api/session/sign-out': () => jsonResponse(visitorPageData()),
    'POST /api/session/sign-in': () => jsonResponse({ ...mine, user: mine.user && { ...mine.user, id: 'usr_2' } }),
  })
  keep()
  await signOut()
  expect(Object.keys(sessionStorage)).toEqual(['invitation'])
  keep()
  await signIn({ email: 'bo@example.com', password: 'x' })
  expect(Object.keys(sessionStorage)).toEqual(['invitation'])
})

it('keeps work where the form was opened, also when the tab is in another workspace before the form goes', async () => {
  const page = memberPageData()
  await renderWithProviders(<NameForm />)
  await person.type(field(), ' in Skåne')
  setSession({ ...page, workspace: page.workspace && { ...page.workspace, id: 'ws_2' } })
  cleanup()
  expect(Object.keys(localStorage)).toEqual([expect.stringContaining(`:${page.workspace?.id}:`)])
})

it('keeps nothing of a form that was still open when its person signed out', async () => {
  mockServer({ 'POST /api/session/sign-out': () => jsonResponse(visitorPageData()) })
  await renderWithProviders(<NameForm />)
  await person.type(field(), ' in Skåne')
  await signOut()
  cleanup()
  expect(localStorage.length).toBe(0)
})

it('waits for its person through an ended session, and goes when somebody else signs in', async () => {
  await leaveWithWork()
  const mine = memberPageData()
  const others = { ...mine, user: mine.user && { ...mine.user, id: 'usr_2' } }
  const entered = { email: 'a@example.com', password: 'correct horse battery' }
  setSession(visitorPageData())
  for (const [data, left] of [
    [mine, 1],
    [others, 0],
  ] as const) {
    mockServer({ 'POST /api/session/sign-in': () => jsonResponse(data) })
    await signIn(entered)
    expect(localStorage.length).toBe(left)
  }
})

it('leaves alone what another build wrote, or what is older than a week', async () => {
  await leaveWithWork()
  const page = memberPageData()
  setSession({ ...page, config: { ...page.config, release: 'next' } })
  await renderWithProviders(<NameForm />)
  expect(field()).toHaveValue('Sales')
  cleanup()
  setSession(page)
  vi.setSystemTime(Date.now() + 8 * 86_400_000)
  await renderWithProviders(<NameForm />)
  expect(field()).toHaveValue('Sales')
})
