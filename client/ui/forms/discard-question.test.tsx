import { Button, Select, TagsInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState, type ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { apiFetch } from '../../lib/api'
import { setSession } from '../../lib/session'
import { KEEP_DELAY_MS, useFormDraft } from '../../lib/writes/kept-draft'
import { hasUnsavedWork, leavePage, useUnsavedWork, type Address } from '../../lib/writes/unsaved-input'
import { errorResponse, jsonResponse, mockServer } from '../../test/mock-server'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { confirmAction } from './confirm-dialog'
import { DiscardQuestion } from './discard-question'
import { FormDialog } from './form-dialog'
import { NotificationRoot } from '../notification-root'
import { SearchField } from './search-field'

beforeEach(() => {
  localStorage.clear()
  setSession(memberPageData())
})
afterEach(() => vi.unstubAllGlobals())

const person = userEvent.setup()
const press = (name: string) => person.click(screen.getByRole('button', { name }))
const field = (name = 'Name') => screen.getByRole('textbox', { name })
const question = () => screen.queryByRole('dialog', { name: 'Discard changes?' })
const form = () => screen.queryByRole('dialog', { name: 'Rename' })

const write = () => apiFetch('/api/thing', { method: 'PUT', body: '{}' }).catch(() => undefined)

/** A page with a button to a dialog and one to another page. */
function Page({ dialog, children }: { dialog?: (close: () => void) => ReactNode; children?: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const navigate = useNavigate()
  return (
    <main id="main" tabIndex={-1}>
      <Button onClick={() => setOpen(true)}>Open</Button>
      <Button onClick={() => void navigate({ to: '/metrics' })}>Elsewhere</Button>
      <Button onClick={() => void navigate({ to: '.', search: { q: 'x' } })}>Narrow</Button>
      <Button onClick={() => void navigate({ to: '.', search: { tab: 'other' } })}>Other tab</Button>
      {children}
      {isOpen && dialog?.(() => setOpen(false))}
    </main>
  )
}

interface RenameProps {
  onClose: () => void
  onSubmit?: () => void
  children?: ReactNode
}
function Rename({ onClose, onSubmit = onClose, children }: RenameProps) {
  const [name, setName] = useState('Sales')
  return (
    <FormDialog title="Rename" submit="Save name" onSubmit={onSubmit} onClose={onClose}>
      <TextInput label="Name" value={name} data-autofocus onChange={(event) => setName(event.currentTarget.value)} />
      {children}
    </FormDialog>
  )
}

const show = (page: ReactNode) =>
  renderWithProviders(
    <>
      {page}
      <NotificationRoot />
      <DiscardQuestion />
    </>,
  )
async function openDialog(fields?: ReactNode): Promise<void> {
  await show(<Page dialog={(close) => <Rename onClose={close}>{fields}</Rename>} />)
  await press('Open')
  await waitFor(() => expect(field()).toHaveFocus())
}

const closeByCross = () =>
  person.click(within(screen.getByRole('dialog', { name: 'Rename' })).getByRole('button', { name: 'Close' }))
const closeByCancel = () => press('Cancel')
const closeByEscape = () => person.keyboard('{Escape}')

it('takes no text into a dialog that closes once it is saved, while that is under way, and takes it again after', async () => {
  const Sending = ({ close }: { close: () => void }) => {
    const [isSending, setSending] = useState(false)
    const [name, setName] = useState('Sales')
    return (
      <FormDialog
        title="Rename"
        submit="Save name"
        pending={isSending}
        onSubmit={() => setSending(true)}
        onClose={close}
      >
        <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} />
        <Button onClick={() => setSending(false)}>Refuse</Button>
      </FormDialog>
    )
  }
  await show(<Page dialog={(close) => <Sending close={close} />} />)
  await press('Open')
  await person.type(field(), ' 2{Enter} of 2024')
  expect(field()).toHaveValue('Sales 2')
  expect(field()).toHaveFocus()
  await press('Refuse')
  await person.type(field(), '4')
  expect(field()).toHaveValue('Sales 24')
})

describe('closing a dialog', () => {
  it.each([
    ['Escape', closeByEscape],
    ['the cross', closeByCross],
    ['Cancel', closeByCancel],
  ])('by %s asks before what was typed is lost, and keeps it and the place in it', async (_way, close) => {
    await openDialog()
    await person.type(field(), ' in Skåne')
    await close()
    await waitFor(() => expect(screen.getByRole('button', { name: 'Keep editing' })).toHaveFocus())
    await person.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Keep editing' })).toBeNull())
    expect(field()).toHaveValue('Sales in Skåne')
    await waitFor(() => expect(form()?.contains(document.activeElement)).toBe(true))
    await close()
    await waitFor(() => expect(question()).not.toBeNull())
    await press('Discard changes')
    await waitFor(() => expect(form()).toBeNull())
    expect(question()).toBeNull()
    await waitFor(() => expect(screen.getByRole('button', { name: 'Open' })).toHaveFocus())
    expect(hasUnsavedWork()).toBe(false)
  })

  it('asks nothing of what is unchanged, or taken back by hand', async () => {
    await openDialog()
    await person.type(field(), 'x{Backspace}')
    await closeByEscape()
    await waitFor(() => expect(form()).toBeNull())
    expect(question()).toBeNull()
  })

  it('asks about values that were entered one by one', async () => {
    function Domains() {
      const [domains, setDomains] = useState<string[]>([])
      return <TagsInput label="Domains" value={domains} onChange={setDomains} />
    }
    await openDialog(<Domains />)
    await person.type(screen.getByLabelText('Domains'), 'example.com{Enter}')
    await closeByCancel()
    await waitFor(() => expect(question()).not.toBeNull())
  })

  it('asks nothing of a search, a choice, a password that proves, or what confirms', async () => {
    await openDialog(
      <>
        <SearchField label="Search members" value="" onChange={() => undefined} />
        <Select label="Role" searchable data={['Admin']} />
        <input aria-label="Your password" autoComplete="current-password" />
        <input aria-label="Confirm" data-transient />
      </>,
    )
    for (const label of ['Search members', 'Your password', 'Confirm'])
      await person.type(screen.getByLabelText(label), 'x')
    await person.type(screen.getByRole('combobox', { name: 'Role' }), 'Ad')
    expect(hasUnsavedWork()).toBe(false)
  })

  it('closes only what stands on top by Escape', async () => {
    await show(
      <Page
        dialog={(close) => (
          <Rename
            onClose={close}
            onSubmit={() => confirmAction({ title: 'Sure?', message: '', confirm: 'Go on', onConfirm: close })}
          />
        )}
      />,
    )
    await press('Open')
    await press('Save name')
    await screen.findByRole('dialog', { name: 'Sure?' })
    await person.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Sure?' })).toBeNull())
    expect(form()).not.toBeNull()
  })
})

/** A form on the page that saves and stays there. */
function PageForm({ saved = () => undefined }: { saved?: () => void }) {
  const [name, setName] = useState('')
  return (
    <form
      aria-label="Own"
      onSubmit={(event) => {
        event.preventDefault()
        void write().then(saved)
      }}
    >
      <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} />
      <button type="submit">Save</button>
    </form>
  )
}

describe('leaving a page', () => {
  it('asks once, stays, and goes with what was typed', async () => {
    await show(
      <Page>
        <PageForm />
      </Page>,
    )
    await person.type(field(), 'North')
    await press('Elsewhere')
    await screen.findByRole('dialog', { name: 'Discard changes?' })
    await press('Keep editing')
    await waitFor(() => expect(question()).toBeNull())
    expect(field()).toHaveValue('North')
    await press('Elsewhere')
    await screen.findByRole('dialog', { name: 'Discard changes?' })
    await press('Discard changes')
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull())
  })

  it('asks for another tab of the page, not for a search in it', async () => {
    await show(
      <Page>
        <PageForm />
      </Page>,
    )
    await person.type(field(), 'North')
    await press('Narrow')
    expect(question()).toBeNull()
    await press('Other tab')
    expect(await screen.findByRole('dialog', { name: 'Discard changes?' })).toBeVisible()
  })

  it('holds the tab while something is typed, and no longer than that', async () => {
    await show(
      <Page>
        <PageForm />
      </Page>,
    )
    expect(hasUnsavedWork()).toBe(false)
    await person.type(field(), 'North')
    expect(hasUnsavedWork()).toBe(true)
    await person.clear(field())
    expect(hasUnsavedWork()).toBe(false)
  })

  it('asks nothing once the server took it, and again after a refusal', async () => {
    mockServer({ 'PUT /api/thing': [() => errorResponse('internal'), () => jsonResponse({})] })
    await show(
      <Page>
        <PageForm />
      </Page>,
    )
    await person.type(field(), 'North')
    await press('Save')
    await waitFor(() => expect(hasUnsavedWork()).toBe(true))
    await press('Save')
    await waitFor(() => expect(hasUnsavedWork()).toBe(false))
    await person.type(field(), ' and south')
    expect(hasUnsavedWork()).toBe(true)
  })

  it('asks before a sign-out too', async () => {
    const leave = vi.fn()
    await show(
      <Page>
        <PageForm />
        <Button onClick={() => leavePage(leave)}>Sign out</Button>
      </Page>,
    )
    await person.type(field(), 'North')
    await press('Sign out')
    await press('Keep editing')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Keep editing' })).toBeNull())
    expect(leave).not.toHaveBeenCalled()
    await press('Sign out')
    await press('Discard changes')
    await waitFor(() => expect(leave).toHaveBeenCalledOnce())
  })

  it('takes no write of another form for its own', async () => {
    mockServer({ 'PUT /api/thing': () => jsonResponse({}) })
    const saved = vi.fn()
    await show(
      <Page>
        <form>
          <TextInput label="Other" />
        </form>
        <PageForm saved={saved} />
      </Page>,
    )
    await person.type(field('Other'), 'North')
    await press('Save')
    await waitFor(() => expect(saved).toHaveBeenCalled())
    expect(hasUnsavedWork()).toBe(true)
  })
})

describe('a save in a dialog', () => {
  const SaveDialog = ({ onClose, saved }: { onClose: () => void; saved: () => void }) => (
    <Rename onClose={onClose} onSubmit={() => void write().then(saved)} />
  )
  const saveInDialog = async (): Promise<void> => {
    await person.click(within(await screen.findByRole('dialog', { name: 'Rename' })).getByLabelText('Name'))
    await press('Save name')
  }

  it('saves nothing of a page that has nothing to do with it', async () => {
    mockServer({ 'PUT /api/thing': () => jsonResponse({}) })
    const saved = vi.fn()
    await show(
      <Page dialog={(close) => <SaveDialog onClose={close} saved={saved} />}>
        <PageForm />
      </Page>,
    )
    await person.type(field(), 'North')
    await press('Open')
    await saveInDialog()
    await waitFor(() => expect(saved).toHaveBeenCalled())
    expect(hasUnsavedWork()).toBe(true)
  })

  it('saves the form that opened it, also through a question in between', async () => {
    mockServer({ 'PUT /api/thing': () => jsonResponse({}) })
    function Asking() {
      const [isOpen, setOpen] = useState(false)
      const ask = (): void =>
        confirmAction({ title: 'Sure?', message: '', confirm: 'Go on', onConfirm: () => setOpen(true) })
      return (
        <form>
          <TextInput label="Region" />
          <Button onClick={ask}>Save as</Button>
          {isOpen && <SaveDialog onClose={() => setOpen(false)} saved={() => setOpen(false)} />}
        </form>
      )
    }
    await show(<Asking />)
    await person.type(field('Region'), 'North')
    await press('Save as')
    await person.click(await screen.findByRole('button', { name: 'Go on' }))
    await saveInDialog()
    await waitFor(() => expect(form()).toBeNull())
    expect(hasUnsavedWork()).toBe(false)
  })
})

describe('work that is more than text', () => {
  const leavesRun = ({ search }: Address): boolean => 'tab' in search
  function Scenarios({ isLost }: { isLost?: (next: Address) => boolean }) {
    const [isChanged, setChanged] = useState(false)
    useUnsavedWork(isChanged, isLost)
    return (
      <>
        <Button onClick={() => setChanged(true)}>Try a decision</Button>
        <Button onClick={() => setChanged(false)}>Save scenarios</Button>
      </>
    )
  }

  it('is asked about while it is unsaved', async () => {
    await show(
      <Page>
        <Scenarios />
      </Page>,
    )
    await press('Try a decision')
    await press('Elsewhere')
    expect(await screen.findByRole('dialog', { name: 'Discard changes?' })).toBeVisible()
    await press('Keep editing')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Keep editing' })).toBeNull())
    await press('Save scenarios')
    expect(hasUnsavedWork()).toBe(false)
    await press('Elsewhere')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Save scenarios' })).toBeNull())
  })

  it('says itself what loses it', async () => {
    await show(
      <Page>
        <Scenarios isLost={leavesRun} />
      </Page>,
    )
    await press('Try a decision')
    await press('Narrow')
    expect(question()).toBeNull()
    await press('Other tab')
    expect(await screen.findByRole('dialog', { name: 'Discard changes?' })).toBeVisible()
  })
})

describe('what a draft keeps', () => {
  function Beside() {
    const values = useForm({ initialValues: { daily: false } })
    useFormDraft(values, { name: 'beside' })
    return (
      <form>
        <input type="checkbox" aria-label="Daily" {...values.getInputProps('daily', { type: 'checkbox' })} />
      </form>
    )
  }
  it('is not the text of another form, by opening or changing its own', async () => {
    await show(
      <Page dialog={() => <Beside />}>
        <PageForm />
      </Page>,
    )
    await person.type(field(), 'North')
    await press('Open')
    expect(hasUnsavedWork()).toBe(true)
    await person.click(await screen.findByLabelText('Daily'))
    await waitFor(() => expect(localStorage.length).toBe(1))
    expect(hasUnsavedWork()).toBe(true)
  })

  function Drafted({ onClose, base }: { onClose: () => void; base: string }) {
    const values = useForm({ initialValues: { name: 'Sales' } })
    useFormDraft(values, { name: 'thing', base })
    return (
      <FormDialog title="Rename" submit="Save name" onSubmit={onClose} onClose={onClose}>
        <TextInput label="Name" {...values.getInputProps('name')} />
      </FormDialog>
    )
  }
  const open = async (base: string): Promise<void> => {
    await show(<Page dialog={(close) => <Drafted onClose={close} base={base} />} />)
    await press('Open')
    await screen.findByRole('dialog', { name: 'Rename' })
  }

  it('is asked about once another window has saved or discarded the draft', async () => {
    await open('1')
    await person.type(field(), ' in Skåne')
    await waitFor(() => expect(localStorage.length).toBe(1))
    expect(hasUnsavedWork()).toBe(false)
    localStorage.clear()
    expect(hasUnsavedWork()).toBe(true)
    await person.clear(field())
    await person.type(field(), 'Sales')
    expect(hasUnsavedWork()).toBe(false)
  })

  it('is not asked about, but what is typed before a draft is taken up or left is', async () => {
    await open('1')
    await person.type(field(), ' in Skåne')
    expect(hasUnsavedWork()).toBe(false)
    await closeByEscape()
    await waitFor(() => expect(form()).toBeNull())
    await new Promise((later) => setTimeout(later, KEEP_DELAY_MS))
    cleanup()
    await open('2')
    await person.type(field(), ' in Dalarna')
    expect(hasUnsavedWork()).toBe(true)
  })
})
